import * as path from 'node:path';
import { DATES, PATTERNS } from './patterns.js';
import { WORDS } from './random-tree.js';
import type { Random } from './random.js';
import type { Snapshot } from './snapshot.js';

/** Stands for the base directory in arguments and results, since each side has its own. */
export const BASE = '@BASE@';

/** One call of one tool. */
export interface Call {
  tool: string;
  args: Record<string, unknown>;
}

/** What the generator looks at to make calls that mostly hit something. */
export interface View {
  /** the tree at this moment, paths relative to the base */
  tree: Snapshot;
  /** the current workspace directory, absolute, with the base as `@BASE@` */
  current: string;
  /** roots that may be read, and written, relative to the base */
  readable: readonly string[];
  writable: readonly string[];
  /** files read not long ago, relative to the base: the ones that a guarded edit can change */
  read: readonly string[];
}

const JUNK_PATHS = [
  '', '   ', '\t', 'a\0b', 'x\ud800y', '..', '../..', '../../../../../../etc/passwd', '/etc/passwd', '/', '/nope', '~', 'nul\0', `${BASE}`, `${BASE}/`,
  `${BASE}/outside`, `${BASE}/../x`, 'p'.repeat(300), 'q'.repeat(6000), 'deep/'.repeat(1200), 'C:\\Windows', 'file:///etc/passwd', '-', '*', 'src/*', 'pipe', 'nowhere/at/all',
  'link-dangling', 'link-outside/x', 'link-outside-dangling', 'link-dangling/x', 'loop-a', 'link-self/x', 'alpha.txt/x', 'read-only.txt/..',
] as const;

const JUNK_VALUES = [
  null, undefined, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e9, true, false, 'true', 'false', '', '   ', '5', [], {}, ['x', 3], [null], 'a\0b', '\ud800', () => 1,
] as const;

const WEIGHTS: readonly (readonly [string, number])[] = [
  ['search_entries', 20], ['list_directory', 9], ['read_file', 16], ['write_file', 9], ['replace_file_lines', 9], ['insert_file_content', 9],
  ['replace_file_content', 11], ['entry_info', 6], ['delete_file', 5], ['create_folder', 4], ['move_file', 6], ['file_access_info', 1], ['switch_workspace', 3],
];

type Want = 'file' | 'edit' | 'directory' | 'any' | 'gone' | 'new';

/** Makes random calls: mostly sensible, now and then with one argument gone bad. */
export class CallGenerator {
  readonly #random: Random;

  /** @param random the run's generator */
  constructor(random: Random) {
    this.#random = random;
  }

  /** The next call, for the tree and current directory in `view`. */
  next(view: View): Call {
    const tool = this.#tool();
    const args = this.#arguments(tool, view);
    if (this.#random.chance(0.08)) this.#spoil(args);
    return { tool, args };
  }

  #tool(): string {
    const total = WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.#random.next() * total;
    for (const [tool, weight] of WEIGHTS) {
      left -= weight;
      if (left < 0) return tool;
    }
    return 'file_access_info';
  }

  #spoil(args: Record<string, unknown>): void {
    const keys = Object.keys(args);
    if (keys.length === 0) return;
    const key = this.#random.pick(keys);
    if (this.#random.chance(0.3)) delete args[key];
    else args[key] = this.#random.pick(JUNK_VALUES);
  }

  #arguments(tool: string, view: View): Record<string, unknown> {
    const random = this.#random;
    switch (tool) {
      case 'search_entries':
        return this.#search(view);
      case 'list_directory':
        return this.#optional({ path: this.#path(view, 'directory') }, { recursive: () => random.chance(0.8) });
      case 'read_file':
        return this.#optional(
          { paths: this.#paths(view, 'file', 4) },
          {
            max_chars: () => random.pick([0, -5, 5, 15, 16, 17, 20, 50, 100, 1000, 1e6]),
            start_line: () => random.int(0, 14),
            end_line: () => random.int(-1, 14),
          },
        );
      case 'write_file':
        return { path: this.#path(view, random.chance(0.5) ? 'edit' : 'new'), content: this.#text(8) };
      case 'replace_file_lines':
        return this.#lines(view);
      case 'insert_file_content':
        return this.#optional({ path: this.#path(view, 'edit'), content: this.#text(3) }, { line: () => random.int(0, 9) });
      case 'replace_file_content':
        return this.#contentEdit(view);
      case 'entry_info':
        return { paths: this.#paths(view, 'any', 4) };
      case 'delete_file':
        return this.#optional({ paths: this.#paths(view, 'gone', 2) }, { recursive: () => random.chance(0.6) });
      case 'create_folder':
        return { paths: this.#paths(view, 'new', 3) };
      case 'move_file':
        return { source: this.#path(view, 'gone'), destination: this.#path(view, random.chance(0.75) ? 'new' : 'gone') };
      case 'switch_workspace':
        return { path: this.#path(view, 'directory') };
      default:
        return {};
    }
  }

  /** Adds each optional argument with one chance in two and a half. */
  #optional(args: Record<string, unknown>, optional: Record<string, () => unknown>): Record<string, unknown> {
    for (const [name, make] of Object.entries(optional)) {
      if (this.#random.chance(0.4)) args[name] = make();
    }
    return args;
  }

  #lines(view: View): Record<string, unknown> {
    const start = this.#random.chance(0.8) ? this.#random.int(1, 6) : this.#random.int(-1, 40);
    return this.#optional(
      { path: this.#path(view, 'edit'), content: this.#text(3), start_line: start },
      { end_line: () => start + this.#random.int(-1, 4) },
    );
  }

  #contentEdit(view: View): Record<string, unknown> {
    const paths = this.#paths(view, 'edit', 2);
    return this.#optional(
      { paths, old_content: this.#needle(view, paths[0]), new_content: this.#text(2) },
      { replace_all: () => this.#random.pick([true, true, false, 'true']) },
    );
  }

  /** Text that is likely to stand in the file: a slice of it, or a word. */
  #needle(view: View, raw: string | undefined): string {
    if (this.#random.chance(0.04)) return this.#random.pick(['', '\ud83d', '\n', '\r\n', '\ufffd', 'no such words']);
    const entry = this.#content(view, raw ?? '');
    if (entry === undefined || this.#random.chance(0.25)) return this.#random.pick(WORDS);
    const text = Buffer.from(entry, 'latin1').toString('utf8');
    const from = this.#random.int(0, Math.max(0, text.length - 1));
    return text.slice(from, from + this.#random.int(1, 30)) || 'foo';
  }

  #content(view: View, raw: string): string | undefined {
    const absolute = path.resolve(`/${view.current}`, raw.trim().replaceAll(BASE, `/${BASE}`));
    const entry = view.tree.get(path.relative(`/${BASE}`, absolute));
    return entry?.kind === 'file' ? entry.content : undefined;
  }

  #search(view: View): Record<string, unknown> {
    const random = this.#random;
    const args: Record<string, unknown> = {};
    if (random.chance(0.85)) args['path'] = this.#path(view, 'directory');
    if (random.chance(0.5)) args['name_pattern'] = random.pick(PATTERNS);
    if (random.chance(0.6)) args['content_pattern'] = random.pick(PATTERNS);
    if (random.chance(0.35)) args['strict'] = random.chance(0.3);
    if (random.chance(0.3)) args['type'] = random.chance(0.9) ? random.pick(['file', 'directory', 'both']) : random.pick(['File', '']);
    if (random.chance(0.25)) args['max_results'] = random.pick([0, 1, 2, 3, 10, 100, 1000]);
    if (random.chance(0.15)) args['max_size'] = random.pick([0, 1, 50, 500, 5000, 1e9]);
    for (const name of ['created_after', 'created_before', 'modified_after', 'modified_before']) {
      if (random.chance(0.07)) args[name] = random.pick(DATES);
    }
    return args;
  }

  #text(maxLines: number): string {
    const random = this.#random;
    if (random.chance(0.08)) return '';
    if (random.chance(0.02)) return random.pick(['lone \ud800 half', 'w'.repeat(400), '\ufeffbom', 'nul\0inside', '\r\n', '\n']);
    const end = random.chance(0.85) ? '\n' : '\r\n';
    const lines = random.several(1, maxLines, () => random.several(0, 3, () => random.pick(WORDS)).join(' '));
    return lines.join(end) + (random.chance(0.25) ? end : '');
  }

  #paths(view: View, want: Want, most: number): string[] {
    const count = this.#random.chance(0.6) ? 1 : this.#random.chance(0.05) ? 0 : this.#random.int(1, most);
    return Array.from({ length: count }, () => this.#path(view, want));
  }

  #path(view: View, want: Want): string {
    const random = this.#random;
    if (random.chance(0.05)) return random.pick(JUNK_PATHS);
    if (want === 'edit' && view.read.length > 0 && random.chance(0.6)) return this.#spell(view.current, random.pick(view.read));
    // Paths outside every grant have one answer only, so most of them are left out.
    const roots = ['edit', 'gone', 'new'].includes(want) ? view.writable : view.readable;
    const all = [...view.tree].filter(([at, entry]) => at !== '' && this.#wanted(want, entry.kind));
    const granted = all.filter(([at]) => roots.some((root) => at === root || at.startsWith(`${root}/`)));
    const list = granted.length > 0 && random.chance(0.93) ? granted : all;
    if (list.length === 0) return '.';
    let relative = random.pick(list)[0];
    if (want === 'new' && random.chance(0.9)) {
      const fresh = random.several(1, 2, () => random.pick(['new', 'a', 'made', 'x.txt', '..new', 'fresh 日本', 'alpha.txt', 'src']) + String(random.int(0, 30)));
      relative = path.join(relative, ...fresh);
    }
    return this.#spell(view.current, relative);
  }

  #wanted(want: Want, kind: string): boolean {
    switch (want) {
      case 'file':
      case 'edit':
        return kind === 'file' || (kind === 'link' && this.#random.chance(0.4)) || this.#random.chance(0.03);
      case 'directory':
        return kind === 'directory' || (kind === 'link' && this.#random.chance(0.2)) || this.#random.chance(0.02);
      case 'new':
        return kind === 'directory' || (kind === 'link' && this.#random.chance(0.1));
      default:
        return true;
    }
  }

  /** One of the spellings under which a caller may name an entry. */
  #spell(current: string, relative: string): string {
    const random = this.#random;
    const absolute = `${BASE}/${relative}`;
    const fromCurrent = path.relative(`/${current}`, `/${absolute}`) || '.';
    switch (random.int(0, 11)) {
      case 0: case 1: case 2: return absolute;
      case 3: return `./${fromCurrent}`;
      case 4: return random.pick([` ${fromCurrent} `, `${absolute}\n`, `${fromCurrent}/`, `${absolute}//`]);
      case 5: return `${path.dirname(fromCurrent)}/zzz/../${path.basename(fromCurrent)}`;
      default: return fromCurrent;
    }
  }
}
