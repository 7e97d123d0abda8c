import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Random } from './random.js';

/** Words that the search patterns of random-calls look for, with some that try encodings and folding. */
export const WORDS = [
  'foo', 'bar', 'Foo', 'needle', 'TODO: fix', 'function main() {', "import x from 'y';", 'error: not found',
  '😀 smile', 'naïve café', '\u212Aelvin', 'lon\u017F', '12345', '  indented', '\ttabbed', 'a.b*c', '$& $1', 'x', '日本語',
  'https://example.org/a?b=c', 'key = "value"', '}', 'aa', 'end of line',
] as const;

const FILE_NAMES = [
  'alpha.txt', 'beta.md', 'Gamma.TXT', 'delta.js', 'read me.txt', '日本語.txt', '.hidden', '..foo', '..foo.txt', '...', 'no-ext',
  "it's.txt", 'back\\slash.txt', 'emoji-😀.txt', 'e\u0301.txt', '\u00e9.txt', '-dash', '[brackets].txt', '$dollar.txt', '100%.txt',
  'a.b.c', 'B', 'a', 'Z', '_', '9', '10', `${'long'.repeat(40)}.txt`, 'test.spec.ts', 'lib.d.ts', 'data.json', 'curly{}.txt',
] as const;

const DIRECTORY_NAMES = [
  'src', 'docs', 'node_modules', '.git', 'deep', 'dir with space', '日本', '..bar', 'UPPER', 'lib', 'test', 'a.d', 'very-long-'.repeat(12),
] as const;

/** The directories directly below the base; `outside` is never granted. */
export const TOP = { main: 'main', shared: 'shared', outside: 'outside' } as const;

function line(random: Random): string {
  if (random.chance(0.03)) return random.pick(WORDS).repeat(random.int(20, 80));
  if (random.chance(0.1)) return '';
  return random.several(1, 5, () => random.pick(WORDS)).join(' ');
}

function text(random: Random): string {
  const end = random.pick(['\n', '\n', '\n', '\r\n', 'mixed'] as const);
  const lines = random.several(1, random.chance(0.1) ? 120 : 12, () => line(random));
  const joined = lines
    .map((each, index) => {
      if (index === lines.length - 1) return each;
      return each + (end === 'mixed' ? random.pick(['\n', '\r\n']) : end);
    })
    .join('');
  return random.chance(0.6) ? joined + (end === 'mixed' ? '\n' : end) : joined;
}

function utf16(content: string, bigEndian: boolean): Buffer {
  const bytes = Buffer.from(`\ufeff${content}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

/** The bytes of one random file: mostly plain text, now and then what text tools get wrong. */
function content(random: Random): Buffer {
  const kind = random.int(0, 29);
  switch (kind) {
    case 0: return Buffer.alloc(0);
    case 1: return Buffer.from(`\ufeff${text(random)}`);
    case 2: return utf16(text(random), false);
    case 3: return utf16(text(random), true);
    case 4: return Buffer.from(`plain ascii text of some length\ncaf\u00e9 au lait and more words\n${'word '.repeat(30)}\n`, 'latin1');
    case 5: return Buffer.from(Array.from({ length: random.int(1, 700) }, () => random.int(0, 255)));
    case 6: return Buffer.concat([Buffer.from('needle foo\n'.repeat(60)), Buffer.from([0, 1, 2]), Buffer.from('\nbar\n')]);
    case 7: return Buffer.concat([Buffer.from('needle foo\n'.repeat(900)), Buffer.from([0, 255]), Buffer.from('\nbar tail\n')]);
    case 8: return Buffer.from(`${'foo needle bar\n'.repeat(random.int(100, 600))}last`);
    case 9: return Buffer.from('\n'.repeat(random.int(1, 4)));
    case 10: return Buffer.from([0x00, 0x01, 0x02, 0xff]);
    default: return Buffer.from(text(random));
  }
}

/** Builds one random tree; the same seed gives the same tree below another base. */
export class TreeBuilder {
  readonly #random: Random;
  readonly #base: string;
  readonly #files: string[] = [];
  readonly #directories: string[] = [];

  /** @param random consumed in a fixed order, so two builders of one seed agree */
  constructor(random: Random, base: string) {
    this.#random = random;
    this.#base = base;
  }

  /** Fills the empty base directory. */
  build(): void {
    for (const top of Object.values(TOP)) {
      this.#directory(top);
      this.#fill(top, 0);
    }
    this.#directory(`${TOP.main}/src`);
    this.#directory(`${TOP.main}/empty`);
    this.#many();
    this.#links();
    this.#specials();
    this.#age();
  }

  #directory(relative: string): void {
    if (fs.existsSync(path.join(this.#base, relative))) return;
    fs.mkdirSync(path.join(this.#base, relative));
    this.#directories.push(relative);
  }

  #file(relative: string, bytes: Buffer): void {
    if (fs.lstatSync(path.join(this.#base, relative), { throwIfNoEntry: false }) !== undefined) return;
    fs.writeFileSync(path.join(this.#base, relative), bytes);
    this.#files.push(relative);
  }

  #fill(relative: string, depth: number): void {
    for (const name of this.#random.several(2, 6, () => this.#random.pick(FILE_NAMES))) {
      this.#file(path.join(relative, name), content(this.#random));
    }
    if (depth >= 4) return;
    for (const name of this.#random.several(depth === 0 ? 2 : 0, 3, () => this.#random.pick(DIRECTORY_NAMES))) {
      const below = path.join(relative, name);
      if (fs.existsSync(path.join(this.#base, below))) continue;
      this.#directory(below);
      if (this.#random.chance(0.9)) this.#fill(below, depth + 1);
    }
  }

  #many(): void {
    const count = this.#random.pick([0, 0, 30, 90]);
    this.#directory(`${TOP.main}/many`);
    for (let index = 0; index < count; index += 1) {
      this.#file(`${TOP.main}/many/file-${String(index)}.txt`, Buffer.from(`item ${String(index)}\nfoo\n`));
    }
  }

  #link(relative: string, target: string): void {
    const at = path.join(this.#base, relative);
    if (fs.lstatSync(at, { throwIfNoEntry: false }) === undefined) fs.symlinkSync(target, at);
  }

  #links(): void {
    const { main, outside } = TOP;
    const inside = this.#random.pick(this.#files.filter((each) => each.startsWith(`${main}/`)));
    this.#link(`${main}/link-file`, path.relative(main, inside));
    this.#link(`${main}/link-absolute`, path.join(this.#base, inside));
    this.#link(`${main}/link-dir`, 'src');
    this.#link(`${main}/src/link-up`, '..');
    this.#link(`${main}/link-dangling`, 'nowhere');
    this.#link(`${main}/link-outside`, `../${outside}`);
    this.#link(`${main}/link-outside-file`, path.join('..', this.#random.pick(this.#files.filter((each) => each.startsWith(outside)))));
    this.#link(`${main}/link-outside-dangling`, `../${outside}/not-yet`);
    this.#link(`${main}/loop-a`, 'loop-b');
    this.#link(`${main}/loop-b`, 'loop-a');
    this.#link(`${main}/link-self`, 'link-self');
    if (this.#random.chance(0.3)) fs.linkSync(path.join(this.#base, inside), path.join(this.#base, main, 'hard-link'));
  }

  #specials(): void {
    execFileSync('mkfifo', [path.join(this.#base, TOP.main, 'pipe')]);
    this.#file(`${TOP.main}/read-only.txt`, Buffer.from('one\ntwo\nthree'));
    fs.chmodSync(path.join(this.#base, TOP.main, 'read-only.txt'), 0o444);
    this.#file(`${TOP.main}/script.sh`, Buffer.from('#!/bin/sh\necho needle\n'));
    fs.chmodSync(path.join(this.#base, TOP.main, 'script.sh'), 0o750);
    if (this.#random.chance(0.2)) this.#file(`${TOP.main}/new\nline.txt`, Buffer.from('foo\n'));
    if (this.#random.chance(0.2)) this.#file(`${TOP.main}/"quoted".txt`, Buffer.from('foo\n'));
    if (this.#random.chance(0.2)) this.#file(`${TOP.main}/ blank `, Buffer.from('foo\n'));
  }

  /** Fixed times, years apart from now, so that date filters answer alike on both trees. */
  #age(): void {
    for (const relative of [...this.#files, ...this.#directories]) {
      const time = new Date(Date.UTC(this.#random.int(2001, 2019), this.#random.int(0, 11), this.#random.int(1, 28)));
      fs.utimesSync(path.join(this.#base, relative), time, time);
    }
    if (this.#random.chance(0.2)) {
      const future = new Date(Date.UTC(2101, 0, 1));
      fs.utimesSync(path.join(this.#base, this.#random.pick(this.#files)), future, future);
    }
  }
}
