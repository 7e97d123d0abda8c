import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, SearchConfiguration, SearchEntriesTool } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { link, openToAll, temporaryTree } from './support/tree.js';
import { failure, success, workspaceOn } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

type Args = Record<string, unknown>;
const NONE = 'No matching entries found';
const STRICT = ' (Set strict=false to allow legacy escape sequences like \\" which fail under the Unicode "u" flag.)';
const files = (count: number, content = 'needle\n'): TreeLayout =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index).padStart(3, '0')}`, content]));

interface Options {
  search?: SearchConfiguration;
  file?: FileConfiguration;
  skipDirs?: string[];
}

function on(layout: TreeLayout, { search, file, skipDirs }: Options = {}): { dir: string; tool: SearchEntriesTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new SearchEntriesTool(workspaceOn(dir, false, skipDirs), search, file) };
}

/** The lines of a search's answer with the tree's own path taken away; none for no match. */
async function found(layout: TreeLayout, args: Args, options?: Options): Promise<string[]> {
  const { dir, tool } = on(layout, options);
  const text = await success(tool, args);
  return text === NONE ? [] : text.split('\n').map((line) => (line.startsWith(`${dir}/`) ? line.slice(dir.length + 1) : line));
}

const TREE: TreeLayout = {
  'readme.md': 'First line\nsecond needle\nthird\nFourth Needle here\n',
  src: { 'index.ts': 'const needle = 1;\n', 'README.txt': 'nothing\n', lib: { 'util.ts': '' } },
  other: {},
};

describe('search_entries', () => {
  it('finds names, ignoring case, directories with a slash', async () => {
    expect(await found(TREE, { name_pattern: 'readme' })).toEqual(['readme.md', 'src/README.txt']);
    expect(await found(TREE, { name_pattern: 'LIB|src' })).toEqual(['src/', 'src/lib/']);
    expect(await found(TREE, { name_pattern: '\\.ts$', path: 'src' })).toEqual(['src/index.ts', 'src/lib/util.ts']);
    expect(await found(TREE, { name_pattern: ' readme ', path: ' . ' })).toEqual(['readme.md', 'src/README.txt']);
  });

  it('finds content, ignoring case, with line numbers and trimmed lines', async () => {
    expect(await found(TREE, { content_pattern: 'NEEDLE' })).toEqual([
      'readme.md:2: second needle', 'readme.md:4: Fourth Needle here', 'src/index.ts:1: const needle = 1;',
    ]);
    expect(await found({ a: '  \tindented x  \n' }, { content_pattern: 'x' })).toEqual(['a:1: indented x']);
    expect(await found({ a: `x${' y'.repeat(200)}` }, { content_pattern: 'x' })).toEqual([`a:1: ${`x${' y'.repeat(200)}`.slice(0, 200)}`]);
  });

  it('finds an empty last line, and no line of an empty file but that one', async () => {
    expect(await found({ a: 'x\n', b: 'x', c: '' }, { content_pattern: '^$' })).toEqual(['a:2: ', 'c:1: ']);
  });

  it('demands both patterns when both are given', async () => {
    expect(await found(TREE, { name_pattern: '\\.ts$', content_pattern: 'needle' })).toEqual(['src/index.ts:1: const needle = 1;']);
    expect(await found(TREE, { name_pattern: 'md$', content_pattern: 'const' })).toEqual([]);
  });

  it('keeps to the type', async () => {
    expect(await found(TREE, { name_pattern: 'r', type: 'file' })).toEqual(['readme.md', 'src/README.txt']);
    expect(await found(TREE, { name_pattern: 'r', type: 'directory' })).toEqual(['other/', 'src/']);
    expect(await found(TREE, { name_pattern: 'r', type: 'both' })).toEqual(['other/', 'readme.md', 'src/', 'src/README.txt']);
    expect(await found(TREE, { name_pattern: 'r', type: null })).toHaveLength(4);
  });

  it('refuses any other type', async () => {
    for (const type of ['File', '', 'dir', 5, true]) {
      expect(await failure(on(TREE).tool, { type })).toBe('Invalid type parameter. Accepted values: "file", "directory", "both".');
    }
  });

  it('lists files when there is no pattern', async () => {
    expect(await found(TREE, { type: 'file' })).toEqual(['readme.md', 'src/README.txt', 'src/index.ts', 'src/lib/util.ts']);
    expect(await found(TREE, { type: 'file', name_pattern: '   ', content_pattern: 7 })).toHaveLength(4);
  });

  it('leaves out links, broken ones too, and skipped directories', async () => {
    expect(await found({ 'a.txt': '', 'a.link': link('a.txt'), 'a.broken': link('x') }, { name_pattern: 'a' })).toEqual(['a.txt']);
    expect(await found({ node_modules: { 'a.txt': 'x' } }, { content_pattern: 'x' }, { skipDirs: ['node_modules'] })).toEqual([]);
    expect(await found({ node_modules: { 'a.txt': 'x' } }, { name_pattern: 'a' }, { skipDirs: ['node_modules'] })).toEqual([]);
  });

  it('says when nothing matches, or only binary files would', async () => {
    const { tool } = on({ a: 'x', bin: Uint8Array.of(0, 1, 2, 255, 110, 101) });
    expect(await success(tool, { content_pattern: 'nowhere' })).toBe(NONE);
    expect(await success(tool, { content_pattern: 'ne' })).toBe(NONE);
    expect(await success(tool, { name_pattern: 'nowhere' })).toBe(NONE);
  });
});

describe('patterns', () => {
  it.each(['name_pattern', 'content_pattern'])('%s: is strict unless told otherwise', async (name) => {
    const { tool } = on({ "it's": "it's\n" });
    const text = await failure(tool, { [name]: "\\'" });
    expect(text).toBe(`Invalid ${name} regex: Invalid regular expression: /\\'/iu: Invalid escape${STRICT}`);
    expect(await success(tool, { [name]: "\\'", strict: false })).toContain("it's");
    expect(await failure(tool, { [name]: "\\'", strict: 'false' })).toContain('strict=false');
  });

  it.each(['[invalid', '(', '*', 'a**', '(?<n>a)(?<n>b)', '\\', 'x{2,1}'])('words an invalid one as V8 does: %j', async (pattern) => {
    const { tool } = on({});
    for (const [strict, flags, hint] of [[true, 'iu', STRICT], [false, 'i', '']] as const) {
      let reason = '';
      try {
        new RegExp(pattern, flags);
      } catch (error) {
        reason = (error as Error).message;
      }
      expect(reason).not.toBe('');
      expect(await failure(tool, { content_pattern: pattern, strict })).toBe(`Invalid content_pattern regex: ${reason}${hint}`);
      expect(await failure(tool, { name_pattern: pattern, strict })).toBe(`Invalid name_pattern regex: ${reason}${hint}`);
    }
  });

  it('knows Unicode escapes, properties, lookarounds and back-references', async () => {
    const content = 'snow ☃\nnaïve\nfoo(bar)\naa\nlonſ\n😀\n';
    const lines = async (pattern: string, strict = true): Promise<string[]> =>
      (await found({ a: content }, { content_pattern: pattern, strict })).map((line) => line.replace(/^a:\d+: /, ''));
    expect(await lines('\\u2603')).toEqual(['snow ☃']);
    expect(await lines('\\p{Script=Latin}{5}')).toEqual(['naïve']);
    expect(await lines('foo(?=\\()')).toEqual(['foo(bar)']);
    expect(await lines('(?<!f)oo')).toEqual([]);
    expect(await lines('(\\w)\\1')).toEqual(['foo(bar)', 'aa']);
    expect(await lines('lons')).toEqual(['lonſ']);
    expect(await lines('lons', false)).toEqual([]);
    expect(await lines('^.$')).toEqual(['😀']);
    expect(await lines('^..$', false)).toEqual(['aa', '😀']);
  });

  it('stay inside one line', async () => {
    expect(await found({ a: 'one\ntwo\n' }, { content_pattern: 'one\\ntwo' })).toEqual([]);
    expect(await found({ a: 'one\ntwo\n' }, { content_pattern: '[^]two' })).toEqual([]);
    expect(await found({ a: 'one\ntwo\n' }, { content_pattern: '^two$' })).toEqual(['a:2: two']);
  });

  it('faults Q10: line ends are no part of a line', async () => {
    expect(await found({ a: 'foo\r\nbar\r\n' }, { content_pattern: 'foo$' })).toEqual(['a:1: foo']);
    expect(await found({ a: 'foo\r\nbar\r\n' }, { content_pattern: '\\r' })).toEqual([]);
  });

  it('faults Q11: the snippet contains the match', async () => {
    const [line = ''] = await found({ a: `${'x'.repeat(500)} needle ${'y'.repeat(500)}\n` }, { content_pattern: 'needle' });
    expect(line).toMatch(/^a:1: .*needle/);
    expect(line.length).toBeLessThanOrEqual('a:1: '.length + 202);
  });

  it('faults Q11: the snippet splits no character', async () => {
    const [line = ''] = await found({ a: `x${'😀'.repeat(300)}` }, { content_pattern: '^x' });
    expect(/[\ud800-\udfff]/u.test(line)).toBe(false);
  });

  it('faults Q1: a pattern that backtracks without end is answered at once', { timeout: 5000 }, async () => {
    // A backtracking engine tries 2^27 ways through this line, and nothing can stop it on the event loop.
    const { tool } = on({ a: `${'a'.repeat(27)}!\n`, b: 'aaa' });
    expect(await success(tool, { content_pattern: '^(a|a)*$' })).toMatch(/\/b:1: aaa$|timed out/);
  });
});

describe('limits', () => {
  it('stops at max_results, of the configuration or the call, also inside one file', async () => {
    const search = new SearchConfiguration(2);
    expect(await found(files(5), { name_pattern: 'f' }, { search })).toEqual(['f000', 'f001']);
    expect(await found(files(5), { content_pattern: 'needle' }, { search })).toHaveLength(2);
    expect(await found(files(5), { content_pattern: 'needle', max_results: 3 }, { search })).toHaveLength(3);
    expect(await found({ a: 'x\nx\nx\nx\n', b: 'x' }, { content_pattern: 'x', max_results: 2 })).toEqual(['a:1: x', 'a:2: x']);
    expect(await found(files(5), { name_pattern: 'f', max_results: 0 })).toEqual(['f000']);
    expect(await found(files(5), { name_pattern: 'f', max_results: '1' })).toHaveLength(5);
  });

  it('sums up when there are more matches than are to be displayed', async () => {
    const { tool } = on(files(5), { search: new SearchConfiguration(undefined, 3) });
    expect(await success(tool, { content_pattern: 'needle' })).toMatch(/^Searched \d+ entries, found 5 matches$/);
    expect(await success(tool, { name_pattern: 'f' })).toBe('Searched 5 entries, found 5 matches');
  });

  it('faults Q2: many visited entries do not hide few results', async () => {
    expect(await found({ ...files(5), needle: '' }, { name_pattern: 'needle' }, { search: new SearchConfiguration(undefined, 3) })).toEqual(['needle']);
    expect(await found(files(5), { name_pattern: 'nothing' }, { search: new SearchConfiguration(undefined, 3) })).toEqual([]);
  });

  it('gives up at the total limit', async () => {
    const { tool } = on(files(20), { search: new SearchConfiguration(undefined, undefined, 5) });
    expect(await failure(tool, { name_pattern: 'nothing' })).toBe('Searched too many entries (5), aborting. Found 0 matches.');
    expect(await failure(tool, { name_pattern: 'f' })).toMatch(/^Searched too many entries \(5\), aborting\. Found 4 matches\./);
    expect(await failure(on(files(5), { search: new SearchConfiguration(undefined, undefined, 5) }).tool, { name_pattern: 'x' })).toMatch(/^Searched too many entries/);
  });

  it('faults Q3: the total limit keeps the matches found so far', async () => {
    const { dir, tool } = on(files(20), { search: new SearchConfiguration(undefined, undefined, 5) });
    const [first, ...lines] = (await failure(tool, { name_pattern: 'f' })).split('\n').filter((line) => line !== '');
    expect(first).toBe('Searched too many entries (5), aborting. Found 4 matches.');
    expect(lines).toEqual(['f000', 'f001', 'f002', 'f003'].map((name) => `${dir}/${name}`));
  });

  it('times out at once when the time is none', async () => {
    const { tool } = on(files(50), { search: new SearchConfiguration(undefined, undefined, undefined, -1) });
    expect(await success(tool, { content_pattern: 'needle' })).toMatch(/^Search timed out after 0 entries, found 0 matches/);
  });

  it('faults timeout 0: times out at once, fast or slow', async () => {
    const { tool } = on(files(1), { search: new SearchConfiguration(undefined, undefined, undefined, 0) });
    expect(await success(tool, { name_pattern: 'f' })).toMatch(/^Search timed out after \d+ entries, found \d+ matches/);
  });

  it('reads the limits live', async () => {
    const search = new SearchConfiguration(1);
    const { tool } = on(files(3), { search });
    expect((await success(tool, { name_pattern: 'f' })).split('\n')).toHaveLength(1);
    search.maxSearchResults = 2;
    expect((await success(tool, { name_pattern: 'f' })).split('\n')).toHaveLength(2);
  });

  it('max_size filters what is searched, and may lie above the configured size', async () => {
    const layout = { big: `needle ${'x'.repeat(100)}`, small: 'needle' };
    expect(await found(layout, { content_pattern: 'needle', max_size: 50 })).toEqual(['small:1: needle']);
    expect(await found(layout, { content_pattern: 'needle', max_size: 500 }, { file: new FileConfiguration(undefined, 200) })).toHaveLength(2);
    expect(await found(layout, { name_pattern: '.', max_size: 50 })).toHaveLength(2);
  });

  it('faults Q5: files above the configured size are skipped, and said so', async () => {
    const { dir, tool } = on({ big: 'needle'.repeat(50), small: 'needle' }, { file: new FileConfiguration(undefined, 100) });
    const text = await success(tool, { content_pattern: 'needle' });
    expect(text).toMatch(/^\(Warning: could not read .*, results may be incomplete\)\n\n/);
    expect(text.endsWith(`\n\n${dir}/small:1: needle`)).toBe(true);
  });

  it('faults Q6: a file is searched beyond maxCharsPerFile', async () => {
    expect(await found({ a: `${'x\n'.repeat(100)}needle` }, { content_pattern: 'needle' }, { file: new FileConfiguration(50) })).toEqual(['a:101: needle']);
  });
});

describe('roots', () => {
  it('are refused outside', async () => {
    const { tool } = on({});
    expect(await failure(tool, { path: '..' })).toBe('Invalid or inaccessible path');
    expect(await failure(tool, { path: '/etc' })).toBe('Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)');
  });

  it('are the current directory when blank', async () => {
    for (const at of [undefined, null, '', '  ', 5]) expect(await found({ a: '' }, { path: at, type: 'file' })).toEqual(['a']);
  });

  it('must be there and be directories', async () => {
    const { dir, tool } = on({ 'a.txt': '', loop: link('loop') });
    expect(await failure(tool, { path: 'missing' })).toBe(`Path not found: 'missing' (resolved to '${dir}/missing'). Check the spelling, or use entry_info to verify the path.`);
    expect(await failure(tool, { path: ' a.txt ' })).toBe(
      `Invalid path 'a.txt': '${dir}/a.txt' is a file, not a directory. Use read_file to inspect this file, or pass its containing directory '${dir}' to search_entries.`,
    );
    expect(await failure(tool, { path: 'a.txt/x' })).toBe(`Invalid path 'a.txt/x': cannot access '${dir}/a.txt/x': ENOTDIR: not a directory, stat '${dir}/a.txt/x'`);
    expect(await failure(tool, { path: 'loop' })).toBe(`Invalid path 'loop': cannot access '${dir}/loop': ELOOP: too many symbolic links encountered, stat '${dir}/loop'`);
  });

  it('faults S14: a current directory outside every grant is refused', async () => {
    const dir = temporaryTree({ inside: {}, outside: { 'a.txt': 'x' } });
    const workspace = workspaceOn(path.join(dir, 'inside'));
    workspace.currentPath = path.join(dir, 'outside');
    expect(await failure(new SearchEntriesTool(workspace), {})).toMatch(/^Invalid or inaccessible path/);
  });
});

describe('a root with a line break in its name', () => {
  it('is quoted, and its directory is quoted only if need be', async () => {
    const { dir, tool } = on({ 'a\nb': 'x', 'c\nd': { e: 'x' } });
    expect(await failure(tool, { path: 'a\nb' })).toContain(`its containing directory '${dir}' to`);
    expect(await failure(tool, { path: 'c\nd/e' })).toContain(`its containing directory '"${dir}/c\\nd"' to`);
  });
});

describe('dates', () => {
  const names = ['created_after', 'created_before', 'modified_after', 'modified_before'];

  it.each(names)('%s must be one', async (name) => {
    expect(await failure(on({}).tool, { [name]: 'yesterday' })).toBe(`Invalid ${name} date`);
    expect(await failure(on({}).tool, { [name]: '' })).toBe(`Invalid ${name} date`);
  });

  it.each([['created_after', '2999-01-01'], ['created_before', '1980-01-01'], ['modified_after', '2999-01-01'], ['modified_before', '1980-01-01']])('%s %s excludes everything', async (name, date) => {
    expect(await found({ 'a.txt': 'x' }, { [name]: date })).toEqual([]);
  });

  it('filter files, and show both times', async () => {
    const { dir, tool } = on({ 'old.txt': 'x', 'new.txt': 'x' });
    fs.utimesSync(path.join(dir, 'old.txt'), 1_000_000_000, 1_000_000_000);
    const times = (name: string): string => {
      const { birthtime, mtime } = fs.statSync(path.join(dir, name));
      return `  (created: ${birthtime.toISOString()}, modified: ${mtime.toISOString()})`;
    };
    expect(await success(tool, { modified_before: '2005-01-01' })).toBe(`${dir}/old.txt${times('old.txt')}`);
    expect(await success(tool, { modified_after: '2005-01-01', content_pattern: 'x' })).toBe(`${dir}/new.txt:1: x${times('new.txt')}`);
    expect(await success(tool, { modified_before: '2001-09-09T01:46:40.000Z', name_pattern: 'txt' })).toContain('old.txt');
    expect(await success(tool, { modified_after: '2001-09-09T01:46:40.001Z', modified_before: '2002' })).toBe(NONE);
    expect(await success(tool, { created_after: '1980', name_pattern: 'old' })).toBe(`${dir}/old.txt${times('old.txt')}`);
  });
});

describe('directories', () => {
  it('faults Q7: are listed when there is no pattern', async () => {
    expect(await found(TREE, {})).toEqual(['other/', 'readme.md', 'src/', 'src/README.txt', 'src/index.ts', 'src/lib/', 'src/lib/util.ts']);
    expect(await found(TREE, { type: 'directory' })).toEqual(['other/', 'src/', 'src/lib/']);
  });

  it('faults Q8: never match content, and obey date filters', async () => {
    expect(await found(TREE, { name_pattern: 'src|index', content_pattern: 'needle' })).toEqual(['src/index.ts:1: const needle = 1;']);
    expect(await found(TREE, { name_pattern: 'src', modified_after: '2999-01-01' })).toEqual([]);
  });
});

describe('what cannot be read', () => {
  it.skipIf(!canRunUnprivileged)('directories are counted in a warning, before matches and summaries alike', () => {
    const dir = openToAll(temporaryTree({ 'a.txt': 'x', one: { locked: {} }, two: { locked: {}, shut: {} } }));
    for (const name of ['one/locked', 'two/locked', 'two/shut']) fs.chmodSync(path.join(dir, name), 0);
    const results = unprivileged<string[]>(
      `${TOOLS}
      const search = async (args, display) => {
        const [{ result }] = await new api.SearchEntriesTool(workspace, new api.SearchConfiguration(undefined, display)).execute(args);
        return result;
      };
      return [
        await search({ path: 'one', name_pattern: 'nothing' }),
        await search({ path: 'two', name_pattern: 'locked' }),
        await search({ path: 'two', name_pattern: '.' }, 1),
      ];`,
      { dir },
    );
    expect(results).toEqual([
      `(Warning: could not read 1 directory, results may be incomplete)\n\n${NONE}`,
      `(Warning: could not read 2 directories, results may be incomplete)\n\n${dir}/two/locked/`,
      '(Warning: could not read 2 directories, results may be incomplete)\n\nSearched 2 entries, found 2 matches',
    ]);
  });

  it.skipIf(!canRunUnprivileged)('faults Q16: files are counted in the warning too', () => {
    const dir = openToAll(temporaryTree({ 'a.txt': 'needle', 'b.txt': 'needle' }));
    fs.chmodSync(path.join(dir, 'a.txt'), 0);
    const [text = ''] = unprivileged<string[]>(`${TOOLS} return tool('search_entries', { content_pattern: 'needle' });`, { dir });
    expect(text).toMatch(/^success: \(Warning: could not read .*, results may be incomplete\)\n\n/);
    expect(text.endsWith(`\n\n${dir}/b.txt:1: needle`)).toBe(true);
  });

  it('faults R5: UTF-16 is searched as text', async () => {
    expect(await found({ a: Buffer.from('\ufeffone\nneedle é\n', 'utf16le') }, { content_pattern: '^needle é$' })).toEqual(['a:2: needle é']);
    expect(await found({ a: '\ufeffneedle' }, { content_pattern: '^needle' })).toEqual(['a:1: needle']);
  });

  it('one odd file does not spoil the rest', async () => {
    const layout = { a: `${'x'.repeat(3_000_000)}\n`, b: Buffer.from(`caf\u00e9 ${'plain words '.repeat(20)}\nneedle\n`, 'latin1'), c: 'needle' };
    expect(await found(layout, { content_pattern: 'needle' })).toEqual(['b:2: needle', 'c:1: needle']);
  });

  it('faults names: a match in a file with a newline in its name is one line', async () => {
    const { tool } = on({ 'a\nb': 'needle\n' });
    expect((await success(tool, { content_pattern: 'needle' })).split('\n')).toHaveLength(1);
  });
});
