import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, SearchConfiguration, SearchEntriesTool } from '../index.js';
import type { SearchOptions, SearchResults } from '../engine.js';
import type { TreeLayout } from './support/tree.js';
import { Special, fifo, link, openToAll, temporaryDirectory, temporaryTree } from './support/tree.js';
import { success, workspaceOn } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

const LIMITS = new SearchConfiguration(1_000_000, 1_000_000, 1_000_000, 60_000);
const NOTHING_SKIPPED = {
  binary: 0, oversized: 0, skipDirs: 0, undecodable: 0, unreadableDirectories: 0, unreadableFiles: 0, vanished: 0,
};
/** What a search says that left nothing out. */
const WHOLE = { complete: true, stoppedBy: null, skipped: NOTHING_SKIPPED };
/** Files are read in blocks of some power of two. */
const BORDERS = [1 << 16, 1 << 18, 1 << 19, 1 << 20];

type Hit = [name: string, line: number | undefined, start: number | undefined, end: number | undefined];

async function search(dir: string, content: string, options: SearchOptions = {}): Promise<{ hits: Hit[]; answer: SearchResults }> {
  const answer = await workspaceOn(dir).search({ content }, { limits: LIMITS, ...options });
  const hits = answer.results.map(({ path: at, line, columns }): Hit => [at.slice(dir.length + 1), line, columns[0], columns[1]]);
  return { hits, answer };
}

/** The matching lines of a tree that is searched whole. */
async function hitsIn(layout: TreeLayout, content: string): Promise<Hit[]> {
  const { hits, answer } = await search(temporaryTree(layout), content);
  expect(answer).toMatchObject(WHOLE);
  return hits;
}

/** A file of NULs that takes no room on the disk. */
const sparse = (bytes: number): Special => new Special((at) => {
  fs.writeFileSync(at, '');
  fs.truncateSync(at, bytes);
});

/** Runs a program, for entries that Node cannot make. */
const python = (program: string, ...args: string[]): void => void execFileSync('python3', ['-c', program, ...args]);

describe('lines', () => {
  const LONG = 3_000_000;

  it('of three megabytes match at the start, in the middle and at the end', async () => {
    const half = 'é'.repeat(LONG / 4);
    expect(await hitsIn({
      end: `${'x'.repeat(LONG)}needle`, middle: `${half}\u{1f600}needle${half}\nneedle`, start: `needle${'x'.repeat(LONG)}`,
    }, 'needle')).toEqual([
      ['end', 1, LONG, LONG + 6], ['middle', 1, LONG / 4 + 2, LONG / 4 + 8], ['middle', 2, 0, 6], ['start', 1, 0, 6],
    ]);
  });

  it.each(BORDERS)('match across the border at %i bytes', async (border) => {
    for (const offset of [-8, -7, -6, -3, -1, 0, 1]) {
      const at = border + offset;
      const hits = await hitsIn({
        fresh: `${'x'.repeat(at - 1)}\nneedle\r\nneedle\r\n`,
        same: `${'x'.repeat(at)}needle\r\n`,
        wide: `${'x'.repeat(at)}é€\u{1f600}needle`,
      }, 'needle$');
      expect(hits).toEqual([['fresh', 2, 0, 6], ['fresh', 3, 0, 6], ['same', 1, at, at + 6], ['wide', 1, at + 4, at + 10]]);
    }
  });

  it.each(BORDERS)('end in a cut character at the border at %i bytes', async (border) => {
    for (const offset of [-3, -2, -1, 0, 1]) {
      const at = border + offset;
      const cut = Buffer.concat([Buffer.alloc(at, 'x'), Buffer.from('\u{1f600}').subarray(0, 3)]);
      expect(await hitsIn({ cut, more: Buffer.concat([cut, Buffer.from('\nx')]) }, '\ufffd')).toEqual([
        ['cut', 1, at, at + 1], ['more', 1, at, at + 1],
      ]);
    }
  });

  it('end at line feeds only, and a carriage return before one is no part of them', async () => {
    const layout = { a: 'one\rneedle\rtwo\r', b: 'needle\r\r\nneedle\r\n' };
    expect(await hitsIn(layout, 'needle')).toEqual([['a', 1, 4, 10], ['b', 1, 0, 6], ['b', 2, 0, 6]]);
    expect(await hitsIn(layout, '^needle$')).toEqual([['b', 2, 0, 6]]);
  });

  it('are empty where split makes them empty', async () => {
    const texts = ['', '\n', 'x', 'x\n', '\r', '\r\n', '\n\n', '\ufeff', '\ufeff\n', '\ufeffx\n'];
    const expected = texts.flatMap((text, file) => text.replace('\ufeff', '').split(/\r?\n/).flatMap(
      (line, index): Hit[] => (line === '' ? [[String(file), index + 1, 0, 0]] : []),
    ));
    expect(await hitsIn(Object.fromEntries(texts.entries()), '^$')).toEqual(expected);
  });
});

describe('encodings', () => {
  const bytesOf = (text: string, width: number, isBig: boolean): Buffer => {
    const units = width === 2 ? Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)) : Array.from(text, (each) => each.codePointAt(0) ?? 0);
    const bytes = Buffer.alloc(units.length * width);
    units.forEach((unit, at) => (isBig ? bytes.writeUIntBE(unit, at * width, width) : bytes.writeUIntLE(unit, at * width, width)));
    return bytes;
  };
  const KINDS = [[2, false], [2, true], [4, false], [4, true]] as const;

  it.each(KINDS)('of %i bytes a unit (big-endian: %s) count by the byte order mark alone', async (width, isBig) => {
    const text = `${'\u{1f600}é\r\n'.repeat(60_000)}é needle\r\n`;
    const { hits, answer } = await search(temporaryTree({
      marked: bytesOf(`\ufeff${text}`, width, isBig), unmarked: bytesOf('needle\r\n', width, isBig),
    }), 'n(\0*)e');
    expect(hits).toEqual([['marked', 60_001, 2, 4]]);
    expect(answer).toMatchObject({ complete: true, skipped: { ...NOTHING_SKIPPED, binary: 1 } });
  });

  it('end in a replacement character where a unit or pair is cut', async () => {
    const text = bytesOf('\ufeffneedle', 2, false);
    expect(await hitsIn({ a: Buffer.concat([text, Buffer.from([0x41])]), b: Buffer.concat([text, Buffer.from([0x3d, 0xd8])]) }, '\ufffd$'))
      .toEqual([['a', 1, 6, 7], ['b', 1, 6, 7]]);
  });
});

describe('odd files', () => {
  it('of NULs are binary if they match', async () => {
    const dir = temporaryTree({ a: Buffer.alloc(3_000_000), b: 'needle' });
    const { hits, answer } = await search(dir, 'needle|\\0');
    expect(hits).toEqual([['b', 1, 0, 6]]);
    expect(answer).toMatchObject({ complete: true, visited: 2, skipped: { ...NOTHING_SKIPPED, binary: 1 } });
  });

  it('of a tebibyte are left out and counted, the others searched', async () => {
    const dir = temporaryTree({ a: 'needle', b: sparse(2 ** 40), c: 'needle' });
    for (const maxFileSize of [undefined, 2 ** 50, Infinity]) {
      const { hits, answer } = await search(dir, 'needle', { maxFileSize });
      expect(hits).toEqual([['a', 1, 0, 6], ['c', 1, 0, 6]]);
      expect(answer).toMatchObject({ complete: false, stoppedBy: null, visited: 3, skipped: { ...NOTHING_SKIPPED, oversized: 1 } });
    }
  });

  it('of a tebibyte end by the time limit when they may be searched', async () => {
    const dir = temporaryTree({
      a: 'needle',
      b: new Special((at) => {
        const file = fs.openSync(at, 'w');
        fs.ftruncateSync(file, 2 ** 40);
        // No line is too long as far as a search comes.
        for (let line = 0; line < 1024; line++) fs.writeSync(file, '\n', line * 2 ** 24);
        fs.closeSync(file);
      }),
    });
    const limits = new SearchConfiguration(50, 50, 5000, 300);
    const { hits, answer } = await search(dir, 'needle', { limits, maxFileSize: Infinity });
    expect(hits).toEqual([['a', 1, 0, 6]]);
    expect(answer).toMatchObject({ complete: false, stoppedBy: 'timeout', skipped: NOTHING_SKIPPED });
  });

  it('that are no files, or links, are passed over', async () => {
    const socket = new Special((at) => { python('import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])', at); });
    const layout = { fifo: fifo(), socket, loop: link('.'), zero: link('/dev/zero'), real: 'needle' };
    const { hits, answer } = await search(temporaryTree(layout), 'needle|^$');
    expect(hits).toEqual([['real', 1, 0, 6]]);
    expect(answer).toMatchObject({ ...WHOLE, visited: 1 });
  });

  it.skipIf(!canRunUnprivileged)('that cannot be read are counted by kind', () => {
    const dir = openToAll(temporaryTree({ a: 'needle', b: 'needle', d: { in: 'needle' }, e: 'needle' }));
    for (const name of ['b', 'd']) fs.chmodSync(path.join(dir, name), 0);
    const { results, ...answer } = unprivileged<SearchResults>(`${TOOLS} return workspace.search({ content: 'needle' });`, { dir });
    expect(results.map((found) => found.path)).toEqual([`${dir}/a`, `${dir}/e`]);
    expect(answer).toMatchObject({
      complete: false, stoppedBy: null, skipped: { ...NOTHING_SKIPPED, unreadableDirectories: 1, unreadableFiles: 1 },
    });
  });
});

describe('names', () => {
  const ODD = ['"', "'", '\n', '\r', '\t', '\u001b[31m', '\u2028', '\u202e', ' ', 'a:1: x', 'c:\\x', '\ufffd'].map((name) => Buffer.from(name));
  const NAMES = [...ODD, Buffer.from([0x69, 0xff, 0x6e])].sort((one, other) => Buffer.compare(one, other));

  it('of any bytes give one line a match, in the order of their bytes', async () => {
    const dir = temporaryDirectory();
    for (const name of NAMES) fs.writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), name]), 'needle');
    const shown = (await success(new SearchEntriesTool(workspaceOn(dir)), { content_pattern: 'needle' })).split('\n');
    expect(shown).toHaveLength(NAMES.length);
    expect(shown.every((line) => /^"?\/.*:1: needle$/.test(line))).toBe(true);
    expect(shown.filter((line) => /[\p{Cc}\u2028\u202e]/u.test(line))).toEqual([]);
    expect(shown).toContain(`"${dir}/i\\xffn":1: needle`);
    expect((await search(dir, 'needle')).answer).toMatchObject({ ...WHOLE, visited: NAMES.length });
  });

  it('of any bytes name directories', async () => {
    const dir = temporaryDirectory();
    for (const name of NAMES) {
      const at = Buffer.concat([Buffer.from(`${dir}/`), name]);
      fs.mkdirSync(at);
      fs.writeFileSync(Buffer.concat([at, Buffer.from('/in')]), 'needle');
    }
    const { results, ...answer } = await workspaceOn(dir).search({}, { limits: LIMITS });
    expect(results.map(({ kind }) => kind)).toEqual(NAMES.flatMap(() => ['directory', 'file']));
    expect(answer).toMatchObject(WHOLE);
    expect((await search(dir, 'needle')).hits).toHaveLength(NAMES.length);
  });
});

describe('large trees', () => {
  it('with paths beyond PATH_MAX are searched whole', async () => {
    const dir = temporaryDirectory();
    const name = 'd'.repeat(50);
    python('import os, sys\nos.chdir(sys.argv[1])\nfor _ in range(100):\n  open("f", "w").write("needle")\n  os.mkdir(sys.argv[2])\n  os.chdir(sys.argv[2])', dir, name);
    const { hits, answer } = await search(dir, 'needle');
    expect(hits).toEqual(Array.from({ length: 100 }, (_, level) => [`${`${name}/`.repeat(99 - level)}f`, 1, 0, 6]));
    expect(answer).toMatchObject({ ...WHOLE, visited: 200 });
  });

  it('with 1,000 entries in one directory are searched whole', async () => {
    const dir = temporaryTree(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [String(index), index === 150 ? 'needle' : ''])));
    const { hits, answer } = await search(dir, 'needle');
    expect(hits).toEqual([['150', 1, 0, 6]]);
    expect(answer).toMatchObject({ ...WHOLE, visited: 1000 });
  });
});

describe('a tree that changes', () => {
  /** The tree beneath `dir` changes while the host is asked for the entries of its directories. */
  async function whileListed(layout: TreeLayout, change: (dir: string) => void): Promise<{ hits: Hit[]; answer: SearchResults }> {
    const dir = temporaryTree(layout);
    const workspace = workspaceOn(dir);
    let isChanged = false;
    const canRead = workspace.canRead.bind(workspace);
    workspace.canRead = (at: string) => {
      if (!isChanged && at.endsWith('/z')) {
        isChanged = true;
        change(dir);
      }
      return canRead(at);
    };
    const answer = await workspace.search({ content: 'needle|root:' }, { limits: LIMITS });
    expect(isChanged).toBe(true);
    return { hits: answer.results.map(({ path: at, line, columns }): Hit => [at.slice(dir.length + 1), line, columns[0], columns[1]]), answer };
  }
  const REST: Hit[] = [['a', 1, 0, 6], ['z', 1, 0, 6]];
  const layout = { a: 'needle', m: 'needle', z: 'needle' };

  it.each<[string, TreeLayout[string] | undefined]>([
    ['nothing', undefined], ['a link', link('/etc/passwd')], ['a dangling link', link('nowhere')], ['a pipe', fifo()], ['a directory', { in: 'needle' }],
  ])('counts a file that becomes %s as vanished, and gives the rest', async (_, instead) => {
    const { hits, answer } = await whileListed(layout, (dir) => {
      fs.rmSync(`${dir}/m`);
      if (instead !== undefined) replaceBy(`${dir}/m`, instead);
    });
    expect(hits).toEqual(REST);
    expect(answer).toMatchObject({ complete: false, stoppedBy: null, visited: 3, skipped: { ...NOTHING_SKIPPED, vanished: 1 } });
  });

  it.each<[string, TreeLayout[string] | undefined]>([
    ['nothing', undefined], ['a link', link('/etc')], ['a pipe', fifo()], ['a file', 'needle'],
  ])('counts a directory that becomes %s as vanished, and gives the rest', async (_, instead) => {
    const { hits, answer } = await whileListed({ ...layout, m: { in: 'needle' } }, (dir) => {
      fs.rmSync(`${dir}/m`, { recursive: true });
      if (instead !== undefined) replaceBy(`${dir}/m`, instead);
    });
    expect(hits).toEqual(REST);
    expect(answer).toMatchObject({ complete: false, stoppedBy: null, visited: 3, skipped: { ...NOTHING_SKIPPED, vanished: 1 } });
  });

  it('searches what a file has become that shrank or grew', async () => {
    const shrunk = await whileListed({ ...layout, m: `${'hay\n'.repeat(100_000)}needle` }, (dir) => { fs.truncateSync(`${dir}/m`, 5); });
    expect(shrunk.hits).toEqual(REST);
    expect(shrunk.answer).toMatchObject(WHOLE);
    const grown = await whileListed(layout, (dir) => { fs.appendFileSync(`${dir}/m`, `${'\nhay'.repeat(100_000)}\nneedle`); });
    expect(grown.hits).toEqual([['a', 1, 0, 6], ['m', 1, 0, 6], ['m', 100_002, 0, 6], ['z', 1, 0, 6]]);
    expect(grown.answer).toMatchObject(WHOLE);
  });

  it('that is removed, its root included, ends the search with an answer', async () => {
    const { hits, answer } = await whileListed(layout, (dir) => { fs.rmSync(dir, { recursive: true }); });
    expect(hits).toEqual([]);
    expect(answer).toMatchObject({ complete: false, stoppedBy: null, visited: 3, skipped: { ...NOTHING_SKIPPED, vanished: 3 } });
  });

  function replaceBy(at: string, content: TreeLayout[string]): void {
    if (content instanceof Special) content.make(at);
    else if (typeof content === 'string') fs.writeFileSync(at, content);
    else fs.mkdirSync(at);
  }
});

describe('the root and the signal of a search', () => {
  it('must be a directory that is there', async () => {
    const dir = temporaryTree({ file: 'x' });
    const from = (at: string): Promise<SearchResults> => workspaceOn(dir).search({ dir: at, content: 'x' });
    await expect(from('none')).rejects.toMatchObject({ code: 'ENOENT', path: `${dir}/none` });
    await expect(from('file')).rejects.toMatchObject({ code: 'ENOTDIR', path: `${dir}/file` });
  });

  it('leaves an answer alone that is there before the signal', async () => {
    const ending = new AbortController();
    const { hits } = await search(temporaryTree({ a: 'needle' }), 'needle', { signal: ending.signal });
    ending.abort('late');
    expect(hits).toEqual([['a', 1, 0, 6]]);
  });
});

describe('search_entries', () => {
  it('says what was too large, and shows the rest', async () => {
    const dir = temporaryTree({ a: 'needle', b: sparse(2 ** 40) });
    const tool = new SearchEntriesTool(workspaceOn(dir), LIMITS, new FileConfiguration(undefined, 1000));
    const text = await success(tool, { content_pattern: 'needle' });
    expect(text.endsWith(`${dir}/a:1: needle`)).toBe(true);
    expect(text).not.toBe(`${dir}/a:1: needle`);
  });
});
