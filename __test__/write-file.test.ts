import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, FilePool, InsertFileContentTool, WriteFileTool } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, names, openToAll, present, read, temporaryTree, withMode } from './support/tree.js';
import { failure, success, workspaceOn, workspaceWith } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

/** A tool without a pool on a fresh tree. */
function on(layout: TreeLayout = {}, file?: FileConfiguration): { dir: string; tool: WriteFileTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new WriteFileTool(workspaceOn(dir), file) };
}

describe('write_file', () => {
  it('creates a file, and overwrites one', async () => {
    const { dir, tool } = on({ 'old.txt': 'much longer than what follows' });
    expect(await success(tool, { path: 'new.txt', content: 'one\n' })).toBe(`Written: ${dir}/new.txt`);
    expect(await success(tool, { path: path.join(dir, 'old.txt'), content: 'short' })).toBe(`Written: ${dir}/old.txt`);
    expect(await success(tool, { path: 'empty', content: '' })).toBe(`Written: ${dir}/empty`);
    expect(read(dir, 'new.txt')).toBe('one\n');
    expect(read(dir, 'old.txt')).toBe('short');
    expect(read(dir, 'empty')).toBe('');
  });

  it('writes text as UTF-8, line ends as given', async () => {
    const { dir, tool } = on();
    await success(tool, { path: 'a', content: 'é 😀\r\n\ufeff\0x' });
    expect(fs.readFileSync(path.join(dir, 'a'))).toEqual(Buffer.from('é 😀\r\n\ufeff\0x'));
  });

  it('answers on the root of a grant, or a link to it, as on any directory', async () => {
    const dir = temporaryTree({ d: { up: link('..') } });
    for (const name of ['.', 'd/up', 'd']) {
      const real = name === 'd' ? path.join(dir, 'd') : dir;
      const pool = new FilePool(new FileConfiguration());
      expect(await failure(new WriteFileTool(workspaceOn(dir, true), undefined, pool), { path: name, content: 'x' })).toBe(
        `File must be read before writing: ${real}`,
      );
      expect(await failure(new WriteFileTool(workspaceOn(dir, true)), { path: name, content: 'x' })).toBe(
        `Error writing file: EISDIR: illegal operation on a directory, open '${real}'`,
      );
      expect(await failure(new InsertFileContentTool(workspaceOn(dir, true)), { path: name, content: 'x' })).toBe('Path is not a file');
    }
  });

  it('creates parents', async () => {
    const { dir, tool } = on();
    await success(tool, { path: 'a/b/c.txt', content: 'x' });
    expect(read(dir, 'a/b/c.txt')).toBe('x');
  });

  it('makes files with the process’s default mode', async () => {
    const { dir, tool } = on();
    fs.writeFileSync(path.join(dir, 'reference'), '');
    await success(tool, { path: 'a', content: 'x' });
    expect(fs.statSync(path.join(dir, 'a')).mode).toBe(fs.statSync(path.join(dir, 'reference')).mode);
  });

  it.each([
    [{ content: 'x' }, 'Invalid or inaccessible path'],
    [{ path: '', content: 'x' }, 'Invalid or inaccessible path'],
    [{ path: '  ', content: 'x' }, 'Invalid or inaccessible path'],
    [{ path: 5, content: 'x' }, 'Invalid or inaccessible path'],
    [{ path: 'a' }, 'content must be a string'],
    [{ path: 'a', content: 5 }, 'content must be a string'],
    [{ path: 'a', content: null }, 'content must be a string'],
    [{ path: '../a', content: 'x' }, 'Invalid or inaccessible path (must be within writable directory)'],
    [{ path: '../a' }, 'Invalid or inaccessible path (must be within writable directory)'],
    [{ path: '/etc/a', content: 'x' }, 'Invalid or inaccessible path (must be within writable directory) (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
  ])('refuses %j', async (args, expected) => {
    const { dir, tool } = on();
    expect(await failure(tool, args)).toBe(expected);
    expect(names(dir)).toEqual([]);
  });

  it('refuses more characters than configured, counted in UTF-16 units', async () => {
    const { dir, tool } = on({}, new FileConfiguration(10));
    expect(await failure(tool, { path: 'a', content: 'x'.repeat(11) })).toBe('Content argument is 11 chars, exceeds max length of 10');
    expect(await failure(tool, { path: 'a', content: '😀'.repeat(6) })).toBe('Content argument is 12 chars, exceeds max length of 10');
    await success(tool, { path: 'a', content: '😀'.repeat(5) });
    expect(names(dir)).toEqual(['a']);
  });

  it('is bound by write access', async () => {
    const dir = temporaryTree({ r: { 'a.txt': 'A' }, w: {} });
    const tool = new WriteFileTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await failure(tool, { path: path.join(dir, 'r/a.txt'), content: 'x' })).toBe('Invalid or inaccessible path (must be within writable directory)');
    expect(read(dir, 'r/a.txt')).toBe('A');
  });

  it('names what stands in the way', async () => {
    const { dir, tool } = on({ d: {}, 'a.txt': 'x', loop: link('loop') });
    expect(await failure(tool, { path: 'd', content: 'x' })).toBe(`Error writing file: EISDIR: illegal operation on a directory, open '${dir}/d'`);
    expect(await failure(tool, { path: 'a.txt/b', content: 'x' })).toBe(`Error writing file: EEXIST: file already exists, mkdir '${dir}/a.txt'`);
    expect(await failure(tool, { path: 'loop', content: 'x' })).toBe(`Error writing file: ELOOP: too many symbolic links encountered, open '${dir}/loop'`);
    expect(names(dir)).toEqual(['a.txt', 'd', 'loop']);
  });

  it('writes through a link and keeps the link', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', link: link('a.txt') });
    await success(tool, { path: 'link', content: 'new' });
    expect(read(dir, 'a.txt')).toBe('new');
    expect(fs.readlinkSync(path.join(dir, 'link'))).toBe('a.txt');
  });

  it('keeps the mode of what it overwrites', async () => {
    const { dir, tool } = on({ 'run.sh': withMode(0o751, 'old') });
    await success(tool, { path: 'run.sh', content: 'new' });
    expect(fs.statSync(path.join(dir, 'run.sh')).mode & 0o7777).toBe(0o751);
  });

  it('leaves no other file behind', async () => {
    const { dir, tool } = on({ 'a.txt': 'x' });
    for (let time = 0; time < 5; time += 1) await success(tool, { path: 'a.txt', content: String(time) });
    expect(names(dir)).toEqual(['a.txt']);
  });

  it('with a pool: asks for a read of what exists, not of what is new', async () => {
    const dir = temporaryTree({ 'a.txt': 'x' });
    const file = new FileConfiguration();
    const pool = new FilePool(file);
    const tool = new WriteFileTool(workspaceOn(dir), file, pool);
    expect(await failure(tool, { path: 'a.txt', content: 'y' })).toBe(`File must be read before writing: ${dir}/a.txt`);
    expect(await success(tool, { path: 'new.txt', content: 'y' })).toBe(`Written: ${dir}/new.txt`);
    await pool.recordRead(path.join(dir, 'a.txt'));
    await success(tool, { path: 'a.txt', content: 'y' });
    await success(tool, { path: 'a.txt', content: 'z' });
    fs.rmSync(path.join(dir, 'a.txt'));
    await success(tool, { path: 'a.txt', content: 'again' });
    expect(read(dir, 'a.txt')).toBe('again');
  });

  it('without a pool: asks for nothing, whatever the flag says', async () => {
    const { dir, tool } = on({ 'a.txt': 'x' }, new FileConfiguration(undefined, undefined, true));
    await success(tool, { path: 'a.txt', content: 'y' });
    expect(read(dir, 'a.txt')).toBe('y');
  });

  it('faults half done: a write that fails leaves no parents behind', async () => {
    const { dir, tool } = on();
    const long = 'n'.repeat(300);
    expect(await failure(tool, { path: `a/b/${long}`, content: 'x' })).toBe(`Error writing file: ENAMETOOLONG: name too long, open '${dir}/a/b/${long}'`);
    expect(names(dir)).toEqual([]);
  });

  it('faults FIFO: a pipe is refused at once', async () => {
    const { dir, tool } = on({ pipe: fifo() });
    // The published tool waits for a reader, so this test gives it one; here nothing may reach the reader.
    const reader = fs.openSync(path.join(dir, 'pipe'), fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      expect(await failure(tool, { path: 'pipe', content: 'x' })).toContain('pipe');
    } finally {
      fs.closeSync(reader);
    }
  });

  it('faults hard links: the other names keep the old bytes', async () => {
    const dir = temporaryTree({ inside: {}, outside: { 'a.txt': 'old' } });
    fs.linkSync(path.join(dir, 'outside/a.txt'), path.join(dir, 'inside/a.txt'));
    await success(new WriteFileTool(workspaceOn(path.join(dir, 'inside'))), { path: 'a.txt', content: 'new' });
    expect(read(dir, 'inside/a.txt')).toBe('new');
    expect(read(dir, 'outside/a.txt')).toBe('old');
  });

  it.each([
    ['UTF-8 with BOM', Buffer.from('\ufeffold'), Buffer.from('\ufeffnew é')],
    ['UTF-16LE', Buffer.from('\ufeffold', 'utf16le'), Buffer.from('\ufeffnew é', 'utf16le')],
    ['UTF-16BE', Buffer.from('\ufeffold', 'utf16le').swap16(), Buffer.from('\ufeffnew é', 'utf16le').swap16()],
  ])('faults R5: overwriting keeps %s', async (_, before, after) => {
    const { dir, tool } = on({ 'a.txt': before });
    await success(tool, { path: 'a.txt', content: 'new é' });
    expect(fs.readFileSync(path.join(dir, 'a.txt'))).toEqual(after);
  });

  it('faults S2: with links resolved, nothing is written behind a link that leads out', async () => {
    const dir = temporaryTree({ inside: { out: link('../outside'), dangling: link('../outside/new.txt') }, outside: {} });
    const tool = new WriteFileTool(workspaceOn(path.join(dir, 'inside'), true));
    expect(await failure(tool, { path: 'out/a.txt', content: 'x' })).toBe('Invalid or inaccessible path (must be within writable directory)');
    expect(await failure(tool, { path: 'out/sub/a.txt', content: 'x' })).toBe('Invalid or inaccessible path (must be within writable directory)');
    expect(await failure(tool, { path: 'dangling', content: 'x' })).toBe('Invalid or inaccessible path (must be within writable directory)');
    expect(names(path.join(dir, 'outside'))).toEqual([]);
  });

  it('faults S7: writes a file whose name begins with two dots', async () => {
    const { dir, tool } = on();
    await success(tool, { path: '..foo', content: 'x' });
    expect(read(dir, '..foo')).toBe('x');
  });

  it.skipIf(!canRunUnprivileged)('is bound by permission bits: 0444 is refused, a read-only directory is not', () => {
    const dir = openToAll(temporaryTree({ 'a.txt': withMode(0o444, 'old'), locked: { 'b.txt': withMode(0o666, 'old') } }));
    fs.chmodSync(path.join(dir, 'a.txt'), 0o444);
    fs.chmodSync(path.join(dir, 'locked'), 0o555);
    const results = unprivileged<string[][]>(
      `${TOOLS} return [
        await tool('write_file', { path: 'a.txt', content: 'x' }),
        await tool('write_file', { path: 'locked/b.txt', content: 'x' }),
        await tool('write_file', { path: 'locked/new.txt', content: 'x' }),
      ];`,
      { dir },
    );
    expect(results).toEqual([
      [`error: Error writing file: EACCES: permission denied, open '${dir}/a.txt'`],
      [`success: Written: ${dir}/locked/b.txt`],
      [`error: Error writing file: EACCES: permission denied, open '${dir}/locked/new.txt'`],
    ]);
    expect(read(dir, 'a.txt')).toBe('old');
    expect(read(dir, 'locked/b.txt')).toBe('x');
    expect(present(dir, 'locked/new.txt')).toBe(false);
  });
});
