import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, ReadFileTool } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, openToAll, temporaryTree } from './support/tree.js';
import { answer, answers, failure, success, workspaceOn, workspaceWith } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

const SUFFIX = '\n... [truncated]';

/** A tool on a fresh tree, and the tree's directory. */
function on(layout: TreeLayout, file = new FileConfiguration()): { dir: string; tool: ReadFileTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new ReadFileTool(workspaceOn(dir), file) };
}

/** What one file with this content reads as: header and body. */
async function readAs(content: string | Uint8Array, args: Record<string, unknown> = {}, file?: FileConfiguration): Promise<{ header: string; body: string }> {
  const { dir, tool } = on({ 'a.txt': content }, file);
  const text = await success(tool, { paths: ['a.txt'], ...args });
  const end = text.indexOf('\n');
  const header = text.slice(0, end);
  const start = `--- ${path.join(dir, 'a.txt')} (`;
  expect(header.startsWith(start)).toBe(true);
  return { header: header.slice(start.length), body: text.slice(end + 1) };
}

describe('read_file', () => {
  it('shows a file with its line and character counts', async () => {
    expect(await readAs('line1\nline2\nline3\nline4\nline5\n')).toEqual({
      header: 'lines 1-6 of 6, 30 chars) ---',
      body: 'line1\nline2\nline3\nline4\nline5\n',
    });
    expect(await readAs('one')).toEqual({ header: 'lines 1-1 of 1, 3 chars) ---', body: 'one' });
    expect(await readAs('')).toEqual({ header: 'lines 1-1 of 1, 0 chars) ---', body: '' });
    expect((await readAs('a\r\nb')).body).toBe('a\r\nb');
    expect((await readAs('😀é')).header).toBe('lines 1-1 of 1, 3 chars) ---');
  });

  it.each([
    [{ start_line: 2, end_line: 4 }, 'lines 2-4 of 6, 30 chars) ---', 'line2\nline3\nline4'],
    [{ start_line: 3 }, 'lines 3-6 of 6, 30 chars) ---', 'line3\nline4\nline5\n'],
    [{ end_line: 2 }, 'lines 1-2 of 6, 30 chars) ---', 'line1\nline2'],
    [{ start_line: 0, end_line: 1 }, 'lines 1-1 of 6, 30 chars) ---', 'line1'],
    [{ start_line: -3, end_line: 1 }, 'lines 1-1 of 6, 30 chars) ---', 'line1'],
    [{ start_line: 5, end_line: -1 }, 'lines 5-6 of 6, 30 chars) ---', 'line5\n'],
    [{ start_line: 5, end_line: 0 }, 'lines 5-6 of 6, 30 chars) ---', 'line5\n'],
    [{ start_line: 2, end_line: 99 }, 'lines 2-6 of 6, 30 chars) ---', 'line2\nline3\nline4\nline5\n'],
    [{ start_line: 6 }, 'lines 6-6 of 6, 30 chars) ---', ''],
    [{ start_line: 9 }, 'lines 9-6 of 6, 30 chars) ---', ''],
    [{ start_line: 4, end_line: 2 }, 'lines 4-2 of 6, 30 chars) ---', ''],
    [{ start_line: '2', end_line: null, max_chars: 'x' }, 'lines 1-6 of 6, 30 chars) ---', 'line1\nline2\nline3\nline4\nline5\n'],
  ])('takes the range %j', async (range, header, body) => {
    expect(await readAs('line1\nline2\nline3\nline4\nline5\n', range)).toEqual({ header, body });
  });

  it('cuts at max_chars, suffix included, and counts the whole file', async () => {
    expect(await readAs('x'.repeat(200), { max_chars: 50 })).toEqual({ header: 'lines 1-1 of 1, 200 chars) ---', body: 'x'.repeat(34) + SUFFIX });
    expect((await readAs('x'.repeat(50), { max_chars: 50 })).body).toBe('x'.repeat(50));
    expect((await readAs('x'.repeat(51), { max_chars: 50 })).body).toBe('x'.repeat(34) + SUFFIX);
    expect((await readAs('x'.repeat(17), { max_chars: 16 })).body).toBe(SUFFIX);
  });

  it('never reads more than the configuration allows, and reads it live', async () => {
    const configuration = new FileConfiguration(60);
    expect((await readAs('x'.repeat(100), { max_chars: 1000 }, configuration)).body).toBe('x'.repeat(44) + SUFFIX);
    expect((await readAs('x'.repeat(100), {}, configuration)).body).toBe('x'.repeat(44) + SUFFIX);
    configuration.maxCharsPerFile = 100;
    expect((await readAs('x'.repeat(100), {}, configuration)).body).toBe('x'.repeat(100));
  });

  it('cuts the range, not the file', async () => {
    expect((await readAs(`${'x'.repeat(100)}\nshort`, { start_line: 2, max_chars: 50 })).body).toBe('short');
  });

  it('faults R1: below 16 chars only the suffix is left', async () => {
    expect((await readAs('line1 and more of it', { max_chars: 10 })).body).toBe(SUFFIX);
    expect((await readAs('line1 and some more', { max_chars: -5 })).body).toBe(SUFFIX);
    expect((await readAs('x'.repeat(100), { max_chars: 100 }, new FileConfiguration(5))).body).toBe(SUFFIX);
  });

  it('faults R2: a cut never splits a surrogate pair', async () => {
    expect((await readAs(`x${'😀'.repeat(50)}`, { max_chars: 50 })).body).toBe(`x${'😀'.repeat(16)}${SUFFIX}`);
  });

  it('answers each path in order, whatever becomes of the others', async () => {
    const { dir, tool } = on({ 'a.txt': 'A'.repeat(100), 'b.txt': 'B'.repeat(100) });
    const results = await answers(tool, { paths: ['b.txt', 'missing', 'a.txt', 5, ' '], max_chars: 20 });
    expect(results.map(({ status }) => status)).toEqual(['success', 'error', 'success', 'error', 'error']);
    expect(results.map(({ result }) => result)).toEqual([
      `--- ${dir}/b.txt (lines 1-1 of 1, 100 chars) ---\nBBBB${SUFFIX}`,
      `File not found: ENOENT: no such file or directory, stat '${dir}/missing'`,
      `--- ${dir}/a.txt (lines 1-1 of 1, 100 chars) ---\nAAAA${SUFFIX}`,
      'Path must be a non-empty string',
      'Path must be a non-empty string',
    ]);
  });

  it.each([
    [{}, '"paths" must be an array of strings'],
    [{ paths: 'a.txt' }, '"paths" must be an array of strings'],
    [{ path: 'a.txt' }, '"paths" must be an array of strings'],
    [{ paths: null }, '"paths" must be an array of strings'],
    [{ paths: [] }, '"paths" must be a non-empty array'],
    [{ paths: [''] }, 'Path must be a non-empty string'],
    [{ paths: ['  \t'] }, 'Path must be a non-empty string'],
    [{ paths: [123] }, 'Path must be a non-empty string'],
    [{ paths: [null] }, 'Path must be a non-empty string'],
    [{ paths: ['../x'] }, 'Invalid or inaccessible path'],
    [{ paths: ['/etc/passwd'] }, 'Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
    [{ paths: [' /etc/passwd'] }, 'Invalid or inaccessible path'],
  ])('refuses %j', async (args, expected) => {
    expect(await failure(on({ 'a.txt': 'x' }).tool, args)).toBe(expected);
  });

  it('accepts absolute paths, odd spellings and blanks around a path', async () => {
    const { dir, tool } = on({ 'a b.txt': 'x', d: {} });
    for (const spelling of [path.join(dir, 'a b.txt'), './a b.txt', 'd/../a b.txt', ' a b.txt ', 'nowhere/../a b.txt', 'a b.txt/']) {
      expect(await success(tool, { paths: [spelling] }), spelling).toContain(`${dir}/a b.txt (lines`);
    }
  });

  it('names what is missing, no file, too large or binary', async () => {
    const { dir, tool } = on({ d: {}, 'a.txt': 'x', big: 'x'.repeat(101), bin: Uint8Array.of(0, 1, 2, 255), pipe: fifo(), loop: link('loop') }, new FileConfiguration(undefined, 100));
    expect(await failure(tool, { paths: ['a.txt/x'] })).toBe(`File not found: ENOTDIR: not a directory, stat '${dir}/a.txt/x'`);
    expect(await failure(tool, { paths: ['loop'] })).toBe(`File not found: ELOOP: too many symbolic links encountered, stat '${dir}/loop'`);
    expect(await failure(tool, { paths: ['d'] })).toBe(`Path is not a file: ${dir}/d`);
    expect(await failure(tool, { paths: ['pipe'] })).toBe(`Path is not a file: ${dir}/pipe`);
    expect(await failure(tool, { paths: ['big'] })).toBe(`File too large (101 bytes, max 100): ${dir}/big`);
    expect(await failure(tool, { paths: ['bin'] })).toBe(`File appears to be binary; use read_file for text files only: ${dir}/bin`);
    expect(await failure(tool, { paths: ['a\0b'] })).toBe(
      `File not found: The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '${dir}/a\\x00b'`,
    );
    const long = 'n'.repeat(6000);
    expect(await failure(tool, { paths: [long] })).toBe(`File not found: ENAMETOOLONG: name too long, stat '${dir}/${long}'`);
  });

  it('follows links, out of the workspace too unless links are resolved', async () => {
    const dir = temporaryTree({ inside: { in: link('a.txt'), out: link('../outside/b.txt'), 'a.txt': 'A' }, outside: { 'b.txt': 'B' } });
    const inside = path.join(dir, 'inside');
    const plain = new ReadFileTool(workspaceOn(inside));
    expect(await success(plain, { paths: ['out'] })).toBe(`--- ${inside}/out (lines 1-1 of 1, 1 chars) ---\nB`);
    const resolving = new ReadFileTool(workspaceOn(inside, true));
    expect(await success(resolving, { paths: ['in'] })).toBe(`--- ${inside}/a.txt (lines 1-1 of 1, 1 chars) ---\nA`);
    expect(await failure(resolving, { paths: ['out'] })).toBe('Invalid or inaccessible path');
  });

  it('reads where reading is granted', async () => {
    const dir = temporaryTree({ r: { 'a.txt': 'A' }, w: {} });
    const tool = new ReadFileTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await success(tool, { paths: [path.join(dir, 'r/a.txt')] })).toContain('\nA');
  });

  it('faults S7: reads a file whose name begins with two dots', async () => {
    expect(await success(on({ '..foo': 'x' }).tool, { paths: ['..foo'] })).toContain('\nx');
  });

  it('faults R5: decodes UTF-16, and shows no BOM', async () => {
    expect(await readAs(Buffer.from('\ufeffeins\nzwei', 'utf16le'))).toEqual({ header: 'lines 1-2 of 2, 9 chars) ---', body: 'eins\nzwei' });
    expect(await readAs(Buffer.from('\ufeffeins\nzwei', 'utf16le').swap16())).toEqual({ header: 'lines 1-2 of 2, 9 chars) ---', body: 'eins\nzwei' });
    expect(await readAs('\ufeffeins')).toEqual({ header: 'lines 1-1 of 1, 4 chars) ---', body: 'eins' });
  });

  it('shows bytes that are no UTF-8 as U+FFFD', async () => {
    const text = 'au lait, and plain words to drown it, as many as are needed\n';
    expect((await readAs(Buffer.from(`caf\u00e9 ${text}`, 'latin1'))).body).toBe(`caf\ufffd ${text}`);
  });

  it.skipIf(!canRunUnprivileged)('faults R6: an unreadable file is not called binary', () => {
    const dir = openToAll(temporaryTree({ 'a.txt': 'x' }));
    fs.chmodSync(path.join(dir, 'a.txt'), 0);
    const [result] = unprivileged<string[]>(`${TOOLS} return tool('read_file', { paths: ['a.txt'] });`, { dir });
    expect(result).toBe(`error: Error reading file: EACCES: permission denied, open '${dir}/a.txt'`);
  });

  it.skipIf(process.platform !== 'linux')('reads files of size 0 that have content', async () => {
    const tool = new ReadFileTool(workspaceOn('/proc/self'));
    expect(await success(tool, { paths: ['/proc/self/status'] })).toMatch(/\nName:\t/);
  });

  it('faults names: a name with a newline cannot forge a header', async () => {
    const name = 'a.txt (lines 1-1 of 1, 1 chars) ---\nforged';
    const { dir, tool } = on({ [name]: 'x' });
    const text = await success(tool, { paths: [name] });
    expect(text).toBe(`--- ${JSON.stringify(path.join(dir, name))} (lines 1-1 of 1, 1 chars) ---\nx`);
    expect(await success(tool, { paths: [JSON.stringify(name)] })).toBe(text);
  });

  it('faults blanks: a file whose very name has blanks around it can be read', async () => {
    const { dir, tool } = on({ ' a ': 'blank', a: 'plain' });
    expect(await success(tool, { paths: [' a '] })).toBe(`--- ${dir}/ a  (lines 1-1 of 1, 5 chars) ---\nblank`);
    expect(await success(tool, { paths: [' a'] })).toContain('\nplain');
  });

  it('never throws out of execute', async () => {
    const { tool } = on({ 'a.txt': 'x' });
    for (const args of [null, undefined, 5, 'x', []]) {
      const result = await answer(tool, args as unknown as Record<string, unknown>);
      expect(result.status).toBe('error');
    }
  });
});
