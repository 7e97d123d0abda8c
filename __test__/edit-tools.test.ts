import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, FilePool, InsertFileContentTool, ReplaceFileContentTool, ReplaceFileLinesTool } from '../index.js';
import { fifo, link, read, temporaryTree, withMode } from './support/tree.js';
import { answers, failure, success, toolsOn, workspaceOn, workspaceWith } from './support/tools.js';

type Args = Record<string, unknown>;

/** Edits a file with this content and gives the text of the result, `<p>` for its path, and what the file became. */
async function edited(tool: string, content: string | Uint8Array, args: Args, file?: FileConfiguration): Promise<[string, string]> {
  const dir = temporaryTree({ 'a.txt': content });
  const target = tool === 'replace_file_content' ? { paths: ['a.txt'] } : { path: 'a.txt' };
  const configuration = file === undefined ? {} : { file };
  const [result] = await answers(toolsOn(workspaceOn(dir), configuration)(tool), { ...target, ...args });
  return [`${result?.status ?? ''}: ${(result?.result ?? '').replaceAll(path.join(dir, 'a.txt'), '<p>')}`, read(dir, 'a.txt')];
}

/** Edits a file that must stay as it was, and gives the text of the error. */
async function refused(tool: string, content: string | Uint8Array, args: Args, file?: FileConfiguration): Promise<string> {
  const [result, after] = await edited(tool, content, args, file);
  expect(after).toBe(Buffer.from(content as string).toString());
  expect(result).toMatch(/^error: /);
  return result.slice('error: '.length);
}

describe('replace_file_lines', () => {
  it.each<[string, Args, string, string]>([
    ['one\ntwo\nthree', { content: 'X', start_line: 2 }, 'one\nX\nthree', '2-2'],
    ['one\ntwo\nthree', { content: 'X', start_line: 1 }, 'X\ntwo\nthree', '1-1'],
    ['one\ntwo\nthree', { content: 'X', start_line: 3 }, 'one\ntwo\nX', '3-3'],
    ['one\ntwo\nthree', { content: 'X\nY', start_line: 1, end_line: 2 }, 'X\nY\nthree', '1-2'],
    ['one\ntwo\nthree', { content: '', start_line: 2 }, 'one\nthree', '2-2'],
    ['one\ntwo\nthree', { content: '', start_line: 1, end_line: 2 }, 'three', '1-2'],
    ['one\ntwo\nthree', { content: '', start_line: 1, end_line: 3 }, '', '1-3'],
    ['one\ntwo\nthree', { content: 'X', start_line: 2, end_line: 'x' }, 'one\nX\nthree', '2-2'],
    ['one\ntwo\nthree', { content: 'X', start_line: 2.9, end_line: 3.5 }, 'one\nX', '2-3'],
    ['one\ntwo\n', { content: 'X', start_line: 2 }, 'one\nX\n', '2-2'],
    ['one\ntwo\n', { content: 'X', start_line: 3 }, 'one\ntwo\nX', '3-3'],
    ['one\ntwo\n', { content: 'X\n', start_line: 2 }, 'one\nX\n\n', '2-2'],
    ['', { content: 'X', start_line: 1 }, 'X', '1-1'],
    ['$&', { content: '$& $1 $$', start_line: 1 }, '$& $1 $$', '1-1'],
  ])('%j with %j gives %j', async (before, args, after, range) => {
    expect(await edited('replace_file_lines', before, args)).toEqual([`success: Replaced lines ${range} in <p>`, after]);
  });

  it.each<[Args, string]>([
    [{ content: 'X', start_line: 5 }, 'start_line (5) exceeds file length (3 lines)'],
    [{ content: 'X', start_line: 2, end_line: 9 }, 'end_line (9) exceeds file length (3 lines)'],
    [{ content: 'X', start_line: 2, end_line: 1 }, 'end_line must be >= start_line'],
    [{ content: 'X', start_line: 0 }, 'start_line must be >= 1'],
    [{ content: 'X', start_line: -4 }, 'start_line must be >= 1'],
    [{ content: 'X', start_line: '2' }, 'start_line must be a number'],
    [{ content: 'X' }, 'start_line must be a number'],
    [{ content: 5, start_line: 1 }, 'content must be a string'],
    [{ start_line: 1 }, 'content must be a string'],
  ])('refuses %j', async (args, expected) => {
    expect(await refused('replace_file_lines', 'one\ntwo\nthree', args)).toBe(expected);
  });
});

describe('insert_file_content', () => {
  it.each<[string, Args, string, string]>([
    ['line1\nline2', { content: 'X', line: 2 }, 'line1\nX\nline2', 'line 2'],
    ['line1\nline2', { content: 'X', line: 1 }, 'X\nline1\nline2', 'line 1'],
    ['line1\nline2', { content: 'X', line: 3 }, 'line1\nline2\nX', 'line 3'],
    ['line1\nline2', { content: 'X\nY', line: 2 }, 'line1\nX\nY\nline2', 'lines 2-3'],
    ['line1\nline2', { content: 'appended' }, 'line1\nline2\nappended', 'line 3'],
    ['line1\nline2', { content: 'X', line: '2' }, 'line1\nline2\nX', 'line 3'],
    ['line1\nline2', { content: 'X', line: 2.7 }, 'line1\nX\nline2', 'line 2'],
    ['line1\nline2', { content: '', line: 2 }, 'line1\n\nline2', 'line 2'],
    ['line1\nline2', { content: 'X\n', line: 2 }, 'line1\nX\n\nline2', 'lines 2-3'],
    ['line1\nline2\n', { content: 'X', line: 2 }, 'line1\nX\nline2\n', 'line 2'],
    ['line1\nline2\n', { content: 'X', line: 3 }, 'line1\nline2\nX\n', 'line 3'],
    ['', { content: 'X' }, 'X', 'line 1'],
    ['', { content: 'X', line: 1 }, 'X\n', 'line 1'],
  ])('%j with %j gives %j', async (before, args, after, where) => {
    expect(await edited('insert_file_content', before, args)).toEqual([`success: Inserted content at ${where} in <p>`, after]);
  });

  it.each<[Args, string]>([
    [{ content: 'X', line: 4 }, 'line (4) out of range: file has 2 lines, must be between 1 and 3'],
    [{ content: 'X', line: 0 }, 'line (0) out of range: file has 2 lines, must be between 1 and 3'],
    [{ content: 'X', line: -1 }, 'line (-1) out of range: file has 2 lines, must be between 1 and 3'],
    [{ content: 5 }, 'content must be a string'],
    [{}, 'content must be a string'],
  ])('refuses %j', async (args, expected) => {
    expect(await refused('insert_file_content', 'line1\nline2', args)).toBe(expected);
  });

  it.each<[string, Args, string, string]>([
    ['a\nb\n', { content: 'X' }, 'a\nb\nX\n', 'line 3'],
    ['a\nb\n', { content: 'X', line: 4 }, 'a\nb\nX\n', 'line 3'],
    ['a\nb\n', { content: 'X\n' }, 'a\nb\nX\n', 'line 3'],
    ['a\nb\n', { content: 'X\nY' }, 'a\nb\nX\nY\n', 'lines 3-4'],
    ['a\nb\n', { content: 'X\n\n' }, 'a\nb\nX\n\n', 'lines 3-4'],
    ['\n', { content: 'X' }, '\nX\n', 'line 2'],
    ['a\r\nb\r\n', { content: 'X' }, 'a\r\nb\r\nX\r\n', 'line 3'],
  ])('faults E1: appending to %j, which ends in a newline, %j', async (before, args, after, where) => {
    expect(await edited('insert_file_content', before, args)).toEqual([`success: Inserted content at ${where} in <p>`, after]);
  });
});

describe('replace_file_content', () => {
  it.each<[string, Args, string, string]>([
    ['foo bar foo', { old_content: 'foo', new_content: 'X' }, 'X bar foo', '1 occurrence'],
    ['foo bar foo', { old_content: 'foo', new_content: 'X', replace_all: true }, 'X bar X', '2 occurrences'],
    ['foo bar', { old_content: 'bar', new_content: 'X', replace_all: true }, 'foo X', '1 occurrence'],
    ['foo bar foo', { old_content: 'foo', new_content: 'X', replace_all: 'true' }, 'X bar foo', '1 occurrence'],
    ['foo bar', { old_content: ' bar', new_content: '' }, 'foo', '1 occurrence'],
    ['foo bar', { old_content: 'foo bar', new_content: '' }, '', '1 occurrence'],
    ['aaa', { old_content: 'aa', new_content: 'b', replace_all: true }, 'ba', '1 occurrence'],
    ['a\nb\nc', { old_content: 'a\nb', new_content: 'X' }, 'X\nc', '1 occurrence'],
    ['x.y', { old_content: '.', new_content: '$& $1 $$' }, 'x$& $1 $$y', '1 occurrence'],
    ['😀😀', { old_content: '😀', new_content: 'é' }, 'é😀', '1 occurrence'],
    ['foo', { old_content: 'foo', new_content: 'foo' }, 'foo', '1 occurrence'],
  ])('%j with %j gives %j', async (before, args, after, count) => {
    expect(await edited('replace_file_content', before, args)).toEqual([`success: Replaced ${count} in <p>`, after]);
  });

  it.each<[Args, string]>([
    [{ old_content: 'nope', new_content: 'X' }, 'old_content not found in file'],
    [{ old_content: 'nope', new_content: 'X', replace_all: true }, 'old_content not found in file'],
    [{ old_content: 'FOO', new_content: 'X' }, 'old_content not found in file'],
    [{ old_content: 5, new_content: 'X' }, 'old_content must be a string'],
    [{ new_content: 'X' }, 'old_content must be a string'],
    [{ old_content: 'foo', new_content: null }, 'new_content must be a string'],
    [{ old_content: 'foo' }, 'new_content must be a string'],
    [{ paths: 'a.txt', old_content: 'foo', new_content: 'X' }, '"paths" must be an array of strings'],
    [{ paths: [] }, '"paths" must be a non-empty array'],
  ])('refuses %j', async (args, expected) => {
    expect(await refused('replace_file_content', 'foo bar', args)).toBe(expected);
  });

  it('checks the contents once for the whole call, then goes path by path', async () => {
    const dir = temporaryTree({ a: 'foo 1', b: 'bar', c: 'foo 2' });
    const tool = new ReplaceFileContentTool(workspaceOn(dir));
    expect(await answers(tool, { paths: ['a', 'b'], old_content: 1, new_content: '' })).toHaveLength(1);
    const results = await answers(tool, { paths: ['a', 'b', ' ', 7, 'c', 'd'], old_content: 'foo', new_content: 'X' });
    expect(results.map(({ result }) => result)).toEqual([
      `Replaced 1 occurrence in ${dir}/a`,
      'old_content not found in file',
      'Path must be a non-empty string',
      'Path must be a non-empty string',
      `Replaced 1 occurrence in ${dir}/c`,
      `File not found: ENOENT: no such file or directory, stat '${dir}/d'`,
    ]);
    expect([read(dir, 'a'), read(dir, 'b'), read(dir, 'c')]).toEqual(['X 1', 'bar', 'X 2']);
  });

  it.each([['', false], ['', true], ['\ud83d', false], ['\ude00', true]])('faults E4 E5: refuses old_content %j', async (old, all) => {
    await refused('replace_file_content', 'ab 😀', { old_content: old, new_content: 'X', replace_all: all });
  });
});

/** The least that each tool needs besides its path. */
const EDITS: [string, Args][] = [
  ['replace_file_lines', { content: 'X', start_line: 1 }],
  ['insert_file_content', { content: 'X', line: 1 }],
  ['replace_file_content', { old_content: 'one', new_content: 'X' }],
];

describe.each(EDITS)('%s, like every edit', (name, args) => {
  const target = (at: unknown): Args => (name === 'replace_file_content' ? { paths: [at], ...args } : { path: at, ...args });

  it('refuses blanks, the outside, and what is no text file within the limits', async () => {
    const dir = temporaryTree({ d: {}, big: 'x'.repeat(101), bin: Uint8Array.of(0, 1, 2, 255), pipe: fifo() });
    const tool = toolsOn(workspaceOn(dir), { file: new FileConfiguration(undefined, 100, false) })(name);
    const texts: [unknown, string][] = [
      ['', 'Path must be a non-empty string'],
      [' \n', 'Path must be a non-empty string'],
      [5, 'Path must be a non-empty string'],
      ['../x', 'Invalid or inaccessible path (must be within writable directory)'],
      ['/etc/passwd', 'Invalid or inaccessible path (must be within writable directory) (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
      ['missing', `File not found: ENOENT: no such file or directory, stat '${dir}/missing'`],
      ['big/x', `File not found: ENOTDIR: not a directory, stat '${dir}/big/x'`],
      ['d', 'Path is not a file'],
      ['pipe', 'Path is not a file'],
      ['big', 'File too large (101 bytes, max 100)'],
      ['bin', 'File appears to be binary; this tool works with text files only'],
    ];
    for (const [at, expected] of texts) expect(await failure(tool, target(at)), String(at)).toBe(expected);
  });

  it('refuses a file that is only readable', async () => {
    const dir = temporaryTree({ r: { 'a.txt': 'one' }, w: {} });
    const tool = toolsOn(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]))(name);
    expect(await failure(tool, target(path.join(dir, 'r/a.txt')))).toBe('Invalid or inaccessible path (must be within writable directory)');
  });

  it('refuses a result that is longer than the limit', async () => {
    const content = 'one\ntwo';
    const length = { replace_file_lines: 5, insert_file_content: 9, replace_file_content: 5 }[name] ?? 0;
    const limit = length - 1;
    expect(await refused(name, content, args, new FileConfiguration(limit, undefined, false))).toBe(
      `Resulting file would be ${String(length)} chars, exceeds max length of ${String(limit)}`,
    );
    expect((await edited(name, content, args, new FileConfiguration(length, undefined, false)))[0]).toMatch(/^success/);
  });

  it('edits an unread file without a pool, also with the default configuration', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\ntwo' });
    const tools = { replace_file_lines: ReplaceFileLinesTool, insert_file_content: InsertFileContentTool, replace_file_content: ReplaceFileContentTool };
    const Tool = tools[name as keyof typeof tools];
    expect(await success(new Tool(workspaceOn(dir)), target('a.txt'))).toContain(`${dir}/a.txt`);
    expect(read(dir, 'a.txt')).toMatch(/^X/);
  });

  it('asks for a read when it has a pool', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\ntwo' });
    const file = new FileConfiguration();
    const pool = new FilePool(file);
    const tools = { replace_file_lines: ReplaceFileLinesTool, insert_file_content: InsertFileContentTool, replace_file_content: ReplaceFileContentTool };
    const tool = new tools[name as keyof typeof tools](workspaceOn(dir), file, pool);
    expect(await failure(tool, target('a.txt'))).toBe(`File must be read before writing: ${dir}/a.txt`);
    await pool.recordRead(path.join(dir, 'a.txt'));
    await success(tool, target('a.txt'));
    await success(tool, name === 'replace_file_content' ? { ...target('a.txt'), old_content: 'X' } : target('a.txt'));
  });

  it('edits through a link, keeps the link and the mode', async () => {
    const dir = temporaryTree({ 'run.sh': withMode(0o751, 'one\ntwo'), link: link('run.sh') });
    await success(toolsOn(workspaceOn(dir))(name), target('link'));
    expect(read(dir, 'run.sh')).toMatch(/^X/);
    expect(fs.readlinkSync(path.join(dir, 'link'))).toBe('run.sh');
    expect(fs.statSync(path.join(dir, 'run.sh')).mode & 0o7777).toBe(0o751);
    expect(fs.readdirSync(dir).sort()).toEqual(['link', 'run.sh']);
  });

  it('faults R5: keeps a UTF-8 BOM, which is no part of the first line', async () => {
    const [result, after] = await edited(name, '\ufeffone\ntwo', args);
    expect(result).toMatch(/^success/);
    expect(after.startsWith('\ufeffX')).toBe(true);
    expect(after.lastIndexOf('\ufeff')).toBe(0);
  });
});
