import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReadToolLimits } from '../index.js';
import { AccessType, DirectoryConfiguration, FileConfiguration, FilePool, FileToolPackage, ReadTool, ReplaceFileContentTool, SecureReader, Workspace } from '../index.js';
import { linesOf, randomText } from './support/lines.js';
import { Random } from './support/random.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, read, temporaryTree } from './support/tree.js';
import { answer, failure, success, toolsOn, workspaceOn, workspaceWith } from './support/tools.js';

function on(layout: TreeLayout, limits?: ReadToolLimits): { dir: string; tool: ReadTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new ReadTool(workspaceOn(dir), undefined, limits) };
}

/** What one file with this content reads as, after the header's path. */
async function readAs(content: string | Uint8Array, args: Record<string, unknown> = {}, limits?: ReadToolLimits): Promise<string> {
  const { dir, tool } = on({ 'a.txt': content }, limits);
  const text = await success(tool, { path: 'a.txt', ...args });
  const start = `--- ${dir}/a.txt (`;
  expect(text.startsWith(start)).toBe(true);
  return text.slice(start.length);
}

describe('read', () => {
  it.each<[Record<string, unknown>, string]>([
    [{}, 'lines 1-4 of 4) ---\none\ntwo\nthree\nfour'],
    [{ offset: 3 }, 'lines 3-4 of 4) ---\nthree\nfour'],
    [{ offset: 2, limit: 2 }, 'lines 2-3 of 4) ---\ntwo\nthree\n\n[Showing lines 2-3 of 4. Use offset=4 to continue.]'],
    [{ offset: -1 }, 'lines 4-4 of 4) ---\nfour'],
    [{ offset: -2 }, 'lines 3-4 of 4) ---\nthree\nfour'],
    [{ offset: -4 }, 'lines 1-4 of 4) ---\none\ntwo\nthree\nfour'],
    [{ offset: -5 }, 'lines 1-4 of 4) ---\none\ntwo\nthree\nfour'],
    [{ offset: Number.MIN_SAFE_INTEGER, limit: 1 }, 'lines 1-1 of 4) ---\none\n\n[Showing lines 1-1 of 4. Use offset=2 to continue.]'],
    [{ offset: -3, limit: 1 }, 'lines 2-2 of 4) ---\ntwo\n\n[Showing lines 2-2 of 4. Use offset=3 to continue.]'],
    [{ offset: null, limit: null, line_numbers: null }, 'lines 1-4 of 4) ---\none\ntwo\nthree\nfour'],
    [{ line_numbers: true, offset: -2 }, 'lines 3-4 of 4) ---\n3\tthree\n4\tfour'],
    [{ line_numbers: true, limit: 1 }, 'lines 1-1 of 4) ---\n1\tone\n\n[Showing lines 1-1 of 4. Use offset=2 to continue.]'],
    [{ line_numbers: 'true', limit: 4 }, 'lines 1-4 of 4) ---\none\ntwo\nthree\nfour'],
  ])('takes %j', async (args, expected) => {
    for (const content of ['one\ntwo\nthree\nfour\n', 'one\r\ntwo\r\nthree\r\nfour', Buffer.from('\ufeffone\ntwo\nthree\nfour', 'utf16le')]) {
      expect(await readAs(content, args)).toBe(expected);
    }
  });

  it('shows an empty file as one, from any side', async () => {
    for (const args of [{}, { offset: 1 }, { offset: -1 }, { offset: -9, limit: 3, line_numbers: true }]) expect(await readAs('', args)).toBe('empty) ---\n');
    expect(await readAs('\n', { line_numbers: true })).toBe('lines 1-1 of 1) ---\n1\t');
  });

  it('numbers lines in one width', async () => {
    const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}\n`).join('');
    expect(await readAs(text, { offset: 9, limit: 3, line_numbers: true })).toBe('lines 9-11 of 12) ---\n 9\tline 9\n10\tline 10\n11\tline 11\n\n[Showing lines 9-11 of 12. Use offset=12 to continue.]');
  });

  it('keeps to its limits and says which of them ended the answer', async () => {
    expect(await readAs('x\n'.repeat(2001))).toMatch(/^lines 1-2000 of 2001\) ---\n(?:x\n){2000}\n\[Showing lines 1-2000 of 2001 \(limit of 2000 lines\)\. Use offset=2001 to continue\.\]$/);
    expect(await readAs('aa\nbb\ncc\n', {}, { maxBytes: 5 })).toBe('lines 1-2 of 3) ---\naa\nbb\n\n[Showing lines 1-2 of 3 (limit of 5 bytes). Use offset=3 to continue.]');
    expect(await readAs('aa\nbb\ncc\n', { offset: -3, line_numbers: true }, { maxLines: 1 })).toBe('lines 1-1 of 3) ---\n1\taa\n\n[Showing lines 1-1 of 3 (limit of 1 lines). Use offset=2 to continue.]');
    const { tool } = on({ a: 'aaa\nb' }, { maxBytes: 2 });
    expect(await failure(tool, { path: 'a' })).toBe('Error reading file: Line 1 is too long to be shown (3 bytes, max 2)');
    expect(await success(tool, { path: 'a', offset: -1 })).toContain('\nb');
  });

  it('gives up when its time is over', async () => {
    const { dir, tool } = on({ a: 'text\n'.repeat(4000) }, { timeoutMs: 1 });
    // Takes many seconds to read, and no room.
    fs.truncateSync(path.join(dir, 'a'), 2 ** 36);
    expect(await failure(tool, { path: 'a' })).toBe('Error reading file: The operation timed out');
  });

  it('from the end gives the lines that the same offset from the start gives', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed);
      const text = randomText(random, random.pick([2, 40]));
      const lines = linesOf(text);
      const { tool } = on({ a: text });
      for (let back = 1; back <= lines.length + 1; back++) {
        const limit = random.int(1, 5);
        const offset = Math.max(1, lines.length + 1 - back);
        expect(await success(tool, { path: 'a', offset: -back, limit }), `seed ${seed}`).toBe(await success(tool, { path: 'a', offset, limit }));
      }
    }
  });

  it('shows the end of a large file by its index', async () => {
    const large = path.resolve(import.meta.dirname, '../node_modules/typescript/lib/typescript.js');
    const lines = linesOf(fs.readFileSync(large, 'utf8'));
    const tool = new ReadTool(workspaceWith([path.dirname(large)], [path.dirname(large)]));
    for (const back of [1, 10, 5000, lines.length]) {
      const text = await success(tool, { path: large, offset: -back, limit: 1 });
      expect(text.split('\n')[1]).toBe(lines.at(-back));
    }
  });

  it.each<[Record<string, unknown>, string]>([
    [{ path: 5 }, 'Path must be a non-empty string'],
    [{ path: ' ' }, 'Path must be a non-empty string'],
    [{ path: ['a.txt'] }, 'Path must be a non-empty string'],
    [{ path: 'a.txt', offset: 0 }, 'offset must be an integer: 1 for the first line, -1 for the last'],
    [{ path: 'a.txt', offset: '3' }, 'offset must be an integer: 1 for the first line, -1 for the last'],
    [{ path: 'a.txt', offset: 1.5 }, 'offset must be an integer: 1 for the first line, -1 for the last'],
    [{ path: 'a.txt', offset: Number.NaN }, 'offset must be an integer: 1 for the first line, -1 for the last'],
    [{ path: 'a.txt', limit: 0 }, 'limit must be an integer of at least 1'],
    [{ path: 'a.txt', limit: -1 }, 'limit must be an integer of at least 1'],
    [{ path: 'a.txt', limit: Infinity }, 'limit must be an integer of at least 1'],
    [{ path: 'a.txt', offset: 2 }, 'Error reading file: Offset 2 is beyond the end of the file, which has 1 line'],
    [{ path: '../x' }, 'Invalid or inaccessible path'],
    [{ path: '/etc/passwd' }, 'Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
    [{ path: 'bin' }, 'File appears to be binary: DIR/bin'],
    [{ path: 'd' }, 'Path is not a file: DIR/d'],
    [{ path: 'pipe' }, 'Path is not a file: DIR/pipe'],
    [{ path: 'none' }, "File not found: ENOENT: no such file or directory, stat 'DIR/none'"],
    [{ path: 'a\ud800' }, "File not found: The argument 'path' must be a string without lone surrogates. Received 'a\\ud800'"],
  ])('refuses %j', async (args, expected) => {
    const { dir, tool } = on({ 'a.txt': 'x', bin: Uint8Array.of(0, 1), d: {}, pipe: fifo() });
    expect(await failure(tool, args)).toBe(expected.replace('DIR', dir));
  });

  it('never throws out of execute', async () => {
    const { tool } = on({ 'a.txt': 'x' });
    for (const args of [null, undefined, 5, 'x', [], {}]) {
      expect((await answer(tool, args as unknown as Record<string, unknown>)).status).toBe('error');
    }
  });

  it('refuses limits and workspaces that are none', () => {
    const workspace = workspaceOn(temporaryTree({}));
    for (const limits of [null, 5, { maxLines: 0 }, { maxBytes: '1' }, { timeoutMs: -1 }]) expect(() => new ReadTool(workspace, undefined, limits as ReadToolLimits)).toThrow(TypeError);
    const duck = { currentPath: '/', normalize: (at: string) => at } as unknown as Workspace;
    expect(() => new ReadTool(duck)).toThrow(TypeError);
  });

  it('reads where the workspace grants it, as it is configured at the call', async () => {
    const dir = temporaryTree({ r: { 'a.txt': 'A' }, w: { 'b.txt': 'B', out: link('../o/c.txt') }, o: { 'c.txt': 'C' } });
    const workspace = workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]);
    const tool = new ReadTool(workspace);
    expect(await success(tool, { path: `${dir}/r/a.txt` })).toContain('\nA');
    expect(await success(tool, { path: 'b.txt' })).toContain('\nB');
    expect(await success(tool, { path: 'out' })).toContain('\nC');
    expect(await failure(tool, { path: '../o/c.txt' })).toMatch(/^Invalid or inaccessible path/);
    workspace.setResolveSymlinks(true);
    expect(await failure(tool, { path: 'out' })).toMatch(/^Invalid or inaccessible path/);
    workspace.addAccess(AccessType.Read, path.join(dir, 'o'));
    expect(await success(tool, { path: 'out' })).toBe(`--- ${dir}/o/c.txt (lines 1-1 of 1) ---\nC`);
    await workspace.switchWorkspace(path.join(dir, 'r'));
    expect(await success(tool, { path: 'a.txt' })).toContain('\nA');
  });

  it('overrides count: what the workspace refuses is refused', async () => {
    class NoSecrets extends Workspace {
      override canRead(at: string): boolean {
        return !at.includes('.env') && super.canRead(at);
      }
    }
    const dir = temporaryTree({ '.env': 'secret', 'a.txt': 'x' });
    const tool = new ReadTool(new NoSecrets(new DirectoryConfiguration([{ type: AccessType.Write, path: dir }])));
    expect(await failure(tool, { path: '.env' })).toMatch(/^Invalid or inaccessible path/);
    expect(await failure(tool, { path: ' .env' })).toMatch(/^Invalid or inaccessible path/);
    expect(await success(tool, { path: 'a.txt' })).toContain('\nx');
  });

  it('faults names: a name with a newline cannot forge a header, and its quoted form is taken back', async () => {
    const name = 'a.txt (lines 1-1 of 1) ---\nforged';
    const { dir, tool } = on({ [name]: 'x' });
    const text = await success(tool, { path: name });
    expect(text).toBe(`--- ${JSON.stringify(path.join(dir, name))} (lines 1-1 of 1) ---\nx`);
    expect(await success(tool, { path: JSON.stringify(name) })).toBe(text);
  });
});

describe('read before write', () => {
  const edit = { paths: ['a.txt'], old_content: 'old', new_content: 'new' };

  it.each([{}, { offset: 2, limit: 1 }, { offset: -1 }])('a page read with %j lets the file be changed', async (args) => {
    const dir = temporaryTree({ 'a.txt': 'old\nline\nline\n' });
    const workspace = workspaceOn(dir);
    const pool = new FilePool(new FileConfiguration(undefined, undefined, true));
    const change = new ReplaceFileContentTool(workspace, undefined, pool);
    expect(await failure(change, edit)).toContain('must be read');
    await success(new ReadTool(workspace, pool), { path: 'a.txt', ...args });
    await success(change, edit);
    expect(read(dir, 'a.txt')).toBe('new\nline\nline\n');
  });

  it('a change by others after the page is noticed, and a failed read lets nothing be changed', async () => {
    const dir = temporaryTree({ 'a.txt': 'old\n' });
    const workspace = workspaceOn(dir);
    const pool = new FilePool(new FileConfiguration(undefined, undefined, true));
    const change = new ReplaceFileContentTool(workspace, undefined, pool);
    const tool = new ReadTool(workspace, pool);
    await failure(tool, { path: 'a.txt', offset: 2 });
    expect(await failure(change, edit)).toContain('must be read');
    await success(tool, { path: 'a.txt' });
    fs.writeFileSync(path.join(dir, 'a.txt'), 'old too\n');
    expect(await failure(change, edit)).toContain('changed since last read');
  });

  it('tells a pool of the host’s own', async () => {
    const dir = temporaryTree({ 'a.txt': 'x' });
    const recorded: string[] = [];
    const pool = { recordRead: (at: string) => Promise.resolve(void recorded.push(at)), verifyWrite: () => Promise.resolve(null), recordWrite: () => Promise.resolve() };
    const tool = new ReadTool(workspaceOn(dir), pool);
    await success(tool, { path: './a.txt' });
    await failure(tool, { path: 'none' });
    expect(recorded).toEqual([`${dir}/a.txt`]);
  });
});

describe('beside the published tools', () => {
  it('the tool is no part of the published set, and can be added to it', () => {
    const workspace = workspaceOn(temporaryTree({}));
    expect(new FileToolPackage(workspace).tools().map(({ name }) => name)).not.toContain('read');
    const definition = JSON.parse(JSON.stringify(new ReadTool(workspace).toOpenAI())) as { function: { name: string; parameters: { properties: Record<string, { type: string; description: string }>; required: string[] } } };
    expect(definition.function.name).toBe('read');
    const { properties, required } = definition.function.parameters;
    expect(Object.entries(properties).map(([key, { type }]) => `${key}: ${type}`)).toEqual(['path: string', 'offset: integer', 'limit: integer', 'line_numbers: boolean']);
    expect(required).toEqual(['path']);
    for (const { description } of Object.values(properties)) expect(description).not.toBe('');
  });

  it('shows what SecureReader and read_file show', async () => {
    const { dir, tool } = on({ a: 'one\ntwo\nthree' });
    const [, ...body] = (await success(tool, { path: 'a' })).split('\n');
    expect(body.join('\n')).toBe((await new SecureReader(dir).read('a')).content[0].text);
    expect(await success(toolsOn(workspaceOn(dir))('read_file'), { paths: ['a'] })).toContain(body.join('\n'));
  });
});
