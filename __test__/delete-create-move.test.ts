import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CreateFolderTool, DeleteFileTool, MoveFileTool } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, names, openToAll, present, read, temporaryDirectory, temporaryTree } from './support/tree.js';
import { answers, failure, success, workspaceOn, workspaceWith } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

const HINT = ' (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)';
const OUTSIDE = 'Invalid or inaccessible path (must be within writable directory)';

/** What every tool with `paths` says to arguments that are none. */
const BAD_PATHS: [Record<string, unknown>, string][] = [
  [{}, '"paths" must be an array of strings'],
  [{ paths: 'a' }, '"paths" must be an array of strings'],
  [{ path: 'a' }, '"paths" must be an array of strings'],
  [{ paths: [] }, '"paths" must be a non-empty array'],
  [{ paths: [' '] }, 'Path must be a non-empty string'],
  [{ paths: [5] }, 'Path must be a non-empty string'],
  [{ paths: [null] }, 'Path must be a non-empty string'],
  [{ paths: ['../a'] }, OUTSIDE],
  [{ paths: ['/etc/a'] }, OUTSIDE + HINT],
];

describe('delete_file', () => {
  const on = (layout: TreeLayout): { dir: string; tool: DeleteFileTool } => {
    const dir = temporaryTree(layout);
    return { dir, tool: new DeleteFileTool(workspaceOn(dir)) };
  };

  it('deletes files, empty directories, and says which', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', 'b.txt': 'y', d: {}, keep: '', pipe: fifo() });
    expect(await answers(tool, { paths: ['a.txt', path.join(dir, 'b.txt'), 'd', 'pipe'] })).toEqual([
      { result: `Deleted file: ${dir}/a.txt`, status: 'success' },
      { result: `Deleted file: ${dir}/b.txt`, status: 'success' },
      { result: `Deleted directory: ${dir}/d`, status: 'success' },
      { result: `Deleted file: ${dir}/pipe`, status: 'success' },
    ]);
    expect(names(dir)).toEqual(['keep']);
  });

  it('deletes trees when asked to', async () => {
    const { dir, tool } = on({ d: { 'a.txt': '', e: { f: { g: { 'b.txt': '' } } } }, hollow: { x: { y: {} }, z: {} } });
    expect(await success(tool, { paths: ['d'], recursive: true })).toBe(`Deleted directory: ${dir}/d`);
    expect(await success(tool, { paths: ['hollow/'], recursive: true })).toBe(`Deleted directory: ${dir}/hollow`);
    expect(names(dir)).toEqual([]);
  });

  it('deletes a deep tree', async () => {
    const { dir, tool } = on({});
    fs.mkdirSync(path.join(dir, 'd/'.repeat(500)), { recursive: true });
    await success(tool, { paths: ['d'], recursive: true });
    expect(names(dir)).toEqual([]);
  });

  it('deletes links in a tree, never what they lead to', async () => {
    const dir = temporaryTree({ inside: { d: { out: link('../../outside'), file: link('../../outside/a.txt') } }, outside: { 'a.txt': 'x' } });
    await success(new DeleteFileTool(workspaceOn(path.join(dir, 'inside'))), { paths: ['d'], recursive: true });
    expect(names(dir)).toEqual(['inside', 'outside', 'outside/a.txt']);
  });

  it.each([[{}], [{ recursive: false }], [{ recursive: 'true' }], [{ recursive: 1 }]])('keeps a directory that is not empty with %j', async (flag) => {
    const { dir, tool } = on({ d: { 'a.txt': '' } });
    expect(await failure(tool, { paths: ['d'], ...flag })).toBe(
      `Directory not empty: '${dir}/d'. Use recursive=true to delete directories and their contents.`,
    );
    expect(names(dir)).toEqual(['d', 'd/a.txt']);
  });

  it.each(BAD_PATHS)('refuses %j', async (args, expected) => {
    expect(await failure(on({ a: '' }).tool, args)).toBe(expected);
  });

  it('goes on after an error', async () => {
    const { dir, tool } = on({ a: '', b: '' });
    const results = await answers(tool, { paths: ['a', 'missing', 'a/x', 'a\0', 'b'] });
    expect(results.map(({ result }) => result)).toEqual([
      `Deleted file: ${dir}/a`, 'Path does not exist', 'Path does not exist', 'Path does not exist', `Deleted file: ${dir}/b`,
    ]);
  });

  it('deletes nothing where only reading is granted', async () => {
    const dir = temporaryTree({ r: { a: '' }, w: {} });
    const tool = new DeleteFileTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await failure(tool, { paths: [path.join(dir, 'r/a')] })).toBe(OUTSIDE);
    expect(present(dir, 'r/a')).toBe(true);
  });

  it('deletes a link to a file, and keeps the file', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', link: link('a.txt') });
    expect(await success(tool, { paths: ['link'] })).toBe(`Deleted file: ${dir}/link`);
    expect(names(dir)).toEqual(['a.txt']);
  });

  it.skipIf(!canRunUnprivileged)('gives the error of a directory that may not be changed', () => {
    const dir = openToAll(temporaryTree({ locked: { 'a.txt': '' } }));
    fs.chmodSync(path.join(dir, 'locked'), 0o555);
    const results = unprivileged<string[][]>(
      `${TOOLS} return [await tool('delete_file', { paths: ['locked/a.txt'] }), await tool('delete_file', { paths: ['locked'], recursive: true })];`,
      { dir },
    ).flat();
    expect(results[0]).toMatch(/^error: Error deleting file: EACCES: permission denied, /);
    expect(results[1]).toMatch(/^error: Error deleting directory: E/);
    expect(results[1]).not.toContain('Directory not empty:');
    expect(names(dir)).toEqual(['locked', 'locked/a.txt']);
  });

  it('faults F5: a dangling link can be deleted', async () => {
    const { dir, tool } = on({ link: link('nowhere'), loop: link('loop') });
    expect((await answers(tool, { paths: ['link', 'loop'] })).map(({ status }) => status)).toEqual(['success', 'success']);
    expect(names(dir)).toEqual([]);
  });

  it('faults F5: a link to a directory is deleted like a file', async () => {
    const { dir, tool } = on({ d: { 'a.txt': '' }, link: link('d') });
    await success(tool, { paths: ['link'] });
    expect(names(dir)).toEqual(['d', 'd/a.txt']);
  });

  it('faults S6: with links resolved, the link goes and its target stays', async () => {
    const dir = temporaryTree({ inside: { d: { 'a.txt': '' }, link: link('d'), out: link('../outside') }, outside: { 'b.txt': '' } });
    const tool = new DeleteFileTool(workspaceOn(path.join(dir, 'inside'), true));
    await success(tool, { paths: ['link'], recursive: true });
    await success(tool, { paths: ['out'] });
    expect(names(dir)).toEqual(['inside', 'inside/d', 'inside/d/a.txt', 'outside', 'outside/b.txt']);
  });

  it.each(['.', '', '..'])('faults F1: a granted root and what contains it stay (%j)', async (suffix) => {
    const dir = temporaryTree({ w: { inner: { 'a.txt': '' } } });
    const tool = new DeleteFileTool(workspaceWith([], [dir, path.join(dir, 'w/inner')]));
    await failure(tool, { paths: [path.join(dir, 'w/inner', suffix)], recursive: true });
    await failure(tool, { paths: ['.'], recursive: true });
    expect(names(dir)).toEqual(['w', 'w/inner', 'w/inner/a.txt']);
  });

  it('faults F1: an empty granted root stays', async () => {
    const { dir, tool } = on({});
    await failure(tool, { paths: ['.'] });
    expect(present(dir)).toBe(true);
  });
});

describe('create_folder', () => {
  const on = (layout: TreeLayout = {}): { dir: string; tool: CreateFolderTool } => {
    const dir = temporaryTree(layout);
    return { dir, tool: new CreateFolderTool(workspaceOn(dir)) };
  };

  it('creates directories and their parents', async () => {
    const { dir, tool } = on({ there: {} });
    expect(await answers(tool, { paths: ['a', 'b/c/d', path.join(dir, 'e'), 'there', 'f/'] })).toEqual(
      ['a', 'b/c/d', 'e', 'there', 'f'].map((name) => ({ result: `Created directory: ${dir}/${name}/`, status: 'success' })),
    );
    expect(names(dir)).toEqual(['a', 'b', 'b/c', 'b/c/d', 'e', 'f', 'there']);
  });

  it.each(BAD_PATHS)('refuses %j', async (args, expected) => {
    const { dir, tool } = on();
    expect(await failure(tool, args)).toBe(expected);
    expect(names(dir)).toEqual([]);
  });

  it('names what stands in the way', async () => {
    const { dir, tool } = on({ 'a.txt': '' });
    const results = await answers(tool, { paths: ['a.txt', 'a.txt/b', 'a\0b'] });
    expect(results.map(({ result }) => result)).toEqual([
      `Error creating directory: EEXIST: file already exists, mkdir '${dir}/a.txt'`,
      `Error creating directory: ENOTDIR: not a directory, mkdir '${dir}/a.txt/b'`,
      `Error creating directory: The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '${dir}/a\\x00b'`,
    ]);
  });

  it('faults S2: with links resolved, nothing is created behind a link that leads out', async () => {
    const dir = temporaryTree({ inside: { out: link('../outside') }, outside: {} });
    const tool = new CreateFolderTool(workspaceOn(path.join(dir, 'inside'), true));
    expect(await failure(tool, { paths: ['out/new'] })).toBe(OUTSIDE);
    expect(names(path.join(dir, 'outside'))).toEqual([]);
  });

  it('faults S7: creates a directory whose name begins with two dots', async () => {
    const { dir, tool } = on();
    expect(await success(tool, { paths: ['..d'] })).toBe(`Created directory: ${dir}/..d/`);
  });
});

describe('move_file', () => {
  const on = (layout: TreeLayout): { dir: string; tool: MoveFileTool } => {
    const dir = temporaryTree(layout);
    return { dir, tool: new MoveFileTool(workspaceOn(dir)) };
  };

  it('moves files and directories, making parents', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', d: { 'b.txt': 'y' } });
    expect(await success(tool, { source: 'a.txt', destination: 'new/sub/c.txt' })).toBe(`Moved: ${dir}/a.txt -> ${dir}/new/sub/c.txt`);
    expect(await success(tool, { source: path.join(dir, 'd'), destination: path.join(dir, 'e') })).toBe(`Moved: ${dir}/d -> ${dir}/e`);
    expect(names(dir)).toEqual(['e', 'e/b.txt', 'new', 'new/sub', 'new/sub/c.txt']);
    expect(read(dir, 'new/sub/c.txt')).toBe('x');
  });

  it.each([
    [{ destination: 'b' }, 'Invalid or inaccessible source path (must be within writable directory)'],
    [{ source: ' ', destination: 'b' }, 'Invalid or inaccessible source path (must be within writable directory)'],
    [{ source: '../a', destination: 'b' }, 'Invalid or inaccessible source path (must be within writable directory)'],
    [{ source: ' /etc/a ', destination: 'b' }, `Invalid or inaccessible source path (must be within writable directory)${HINT}`],
    [{ source: 'a.txt' }, 'Invalid or inaccessible destination path (must be within writable directory)'],
    [{ source: 'a.txt', destination: 5 }, 'Invalid or inaccessible destination path (must be within writable directory)'],
    [{ source: 'a.txt', destination: '../b' }, 'Invalid or inaccessible destination path (must be within writable directory)'],
    [{ source: 'a.txt', destination: '/etc/b' }, `Invalid or inaccessible destination path (must be within writable directory)${HINT}`],
    [{ source: 'pipe', destination: 'b' }, 'Source is not a file or directory'],
  ])('refuses %j', async (args, expected) => {
    const { dir, tool } = on({ 'a.txt': 'x', pipe: fifo() });
    expect(await failure(tool, args)).toBe(expected);
    expect(names(dir)).toEqual(['a.txt', 'pipe']);
  });

  it('names what is missing or in the way', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', d: { e: {} } });
    expect(await failure(tool, { source: 'missing', destination: 'b' })).toBe(`Source not found: ENOENT: no such file or directory, stat '${dir}/missing'`);
    expect(await failure(tool, { source: 'd', destination: 'd/e/f' })).toBe(`Error moving: EINVAL: invalid argument, rename '${dir}/d' -> '${dir}/d/e/f'`);
  });

  it('moves a link as a link', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', link: link('a.txt') });
    await success(tool, { source: 'link', destination: 'moved' });
    expect(fs.readlinkSync(path.join(dir, 'moved'))).toBe('a.txt');
    expect(names(dir)).toEqual(['a.txt', 'moved']);
  });

  it('takes a move onto itself for done', async () => {
    const { dir, tool } = on({ 'a.txt': 'x', d: { 'b.txt': '' } });
    expect(await success(tool, { source: 'a.txt', destination: './d/../a.txt' })).toBe(`Moved: ${dir}/a.txt -> ${dir}/a.txt`);
    expect(await success(tool, { source: 'd', destination: 'd/' })).toBe(`Moved: ${dir}/d -> ${dir}/d`);
    expect(names(dir)).toEqual(['a.txt', 'd', 'd/b.txt']);
  });

  it('needs write access at both ends', async () => {
    const dir = temporaryTree({ r: { 'a.txt': 'x' }, w: { 'b.txt': 'y' } });
    const tool = new MoveFileTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await failure(tool, { source: path.join(dir, 'r/a.txt'), destination: 'a.txt' })).toContain('source');
    expect(await failure(tool, { source: 'b.txt', destination: path.join(dir, 'r/b.txt') })).toContain('destination');
    expect(names(dir)).toEqual(['r', 'r/a.txt', 'w', 'w/b.txt']);
  });

  it.each(['b.txt', 'empty', 'full', 'link', 'dangling', 'pipe'])('faults F2: move_file refuses an existing destination (%s)', async (destination) => {
    const layout = { 'a.txt': 'x', 'b.txt': 'y', empty: {}, full: { c: '' }, link: link('b.txt'), dangling: link('nowhere'), pipe: fifo() };
    const { dir, tool } = on(layout);
    const before = names(dir);
    expect(await failure(tool, { source: 'a.txt', destination })).toBe(`Destination already exists: ${dir}/${destination}`);
    expect(names(dir)).toEqual(before);
    expect(read(dir, 'a.txt')).toBe('x');
    expect(read(dir, 'b.txt')).toBe('y');
  });

  it('faults F2: a directory does not replace an empty one', async () => {
    const { dir, tool } = on({ d: { a: '' }, empty: {} });
    expect(await failure(tool, { source: 'd', destination: 'empty' })).toBe(`Destination already exists: ${dir}/empty`);
    expect(names(dir)).toEqual(['d', 'd/a', 'empty']);
  });

  it('faults F4: a move that fails leaves no parents behind', async () => {
    const { dir, tool } = on({ d: {}, 'a.txt': '' });
    await failure(tool, { source: 'd', destination: 'd/new/sub' });
    await failure(tool, { source: 'a.txt', destination: `x/y/${'n'.repeat(300)}` });
    expect(names(dir)).toEqual(['a.txt', 'd']);
  });

  it.skipIf(!fs.existsSync('/dev/shm'))('faults F4: moves across devices, with mode and times', async () => {
    const there = fs.mkdtempSync('/dev/shm/lcfn-');
    try {
      const dir = temporaryTree({ d: { 'a.txt': 'x', link: link('a.txt') } });
      fs.chmodSync(path.join(dir, 'd/a.txt'), 0o640);
      fs.utimesSync(path.join(dir, 'd/a.txt'), 1_000_000_000, 1_000_000_000);
      if (fs.statSync(dir).dev === fs.statSync(there).dev) return;
      const tool = new MoveFileTool(workspaceWith([], [dir, there]));
      await success(tool, { source: 'd', destination: `${there}/new/d` });
      expect(names(dir)).toEqual([]);
      expect(names(there)).toEqual(['new', 'new/d', 'new/d/a.txt', 'new/d/link']);
      const { mode, mtimeMs } = fs.statSync(path.join(there, 'new/d/a.txt'));
      expect([mode & 0o777, mtimeMs]).toEqual([0o640, 1_000_000_000_000]);
    } finally {
      fs.rmSync(there, { recursive: true });
    }
  });

  it('faults F3: a granted root and what contains it are not moved', async () => {
    const dir = temporaryTree({ w: { inner: { 'a.txt': '' } } });
    const tool = new MoveFileTool(workspaceWith([], [dir, path.join(dir, 'w/inner')]));
    await failure(tool, { source: 'w/inner', destination: 'x' });
    await failure(tool, { source: 'w', destination: 'x' });
    expect(names(dir)).toEqual(['w', 'w/inner', 'w/inner/a.txt']);
  });

  it('faults F5: a dangling link can be moved', async () => {
    const { dir, tool } = on({ link: link('nowhere') });
    await success(tool, { source: 'link', destination: 'moved' });
    expect(fs.readlinkSync(path.join(dir, 'moved'))).toBe('nowhere');
    expect(names(dir)).toEqual(['moved']);
  });

  it('faults S6: with links resolved, the link is moved and its target stays', async () => {
    const dir = temporaryTree({ 'a.txt': 'x', link: link('a.txt') });
    await success(new MoveFileTool(workspaceOn(dir, true)), { source: 'link', destination: 'moved' });
    expect(names(dir)).toEqual(['a.txt', 'moved']);
    expect(read(dir, 'a.txt')).toBe('x');
  });
});

describe('names that cannot be', () => {
  const on = (): { dir: string; tool: MoveFileTool } => {
    const dir = temporaryTree({ 'a.txt': 'x', loop: link('loop') });
    return { dir, tool: new MoveFileTool(workspaceOn(dir)) };
  };
  const nul = (argument: string, received: string): string =>
    `The argument '${argument}' must be a string, Uint8Array, or URL without null bytes. Received '${received}'`;

  it('looks at the source before it complains of the destination', async () => {
    const { dir, tool } = on();
    expect(await failure(tool, { source: 'gone', destination: 'a\0b' })).toMatch(/^Source not found: ENOENT/);
    expect(await failure(tool, { source: 'a.txt', destination: 'a\0b' })).toBe(`Error moving: ${nul('newPath', `${dir}/a\\x00b`)}`);
    expect(await failure(tool, { source: 'a.txt', destination: 'a\0b/c' })).toBe(`Error moving: ${nul('path', `${dir}/a\\x00b`)}`);
    expect(await failure(tool, { source: 'a\0b', destination: 'c' })).toBe(`Source not found: ${nul('path', `${dir}/a\\x00b`)}`);
    expect(await failure(tool, { source: 'a\0b', destination: '../c' })).toContain('inaccessible destination path');
  });

  it('names both paths when the destination is too long', async () => {
    const { dir, tool } = on();
    const long = 'q'.repeat(6000);
    expect(await failure(tool, { source: 'a.txt', destination: long })).toBe(
      `Error moving: ENAMETOOLONG: name too long, rename '${dir}/a.txt' -> '${dir}/${long}'`,
    );
  });

  it('refuses a loop that may not be written, links resolved or not', async () => {
    const { dir } = on();
    for (const resolves of [false, true]) {
      const tool = new DeleteFileTool(workspaceWith([dir], [path.join(dir, 'w')], resolves));
      expect(await failure(tool, { paths: [`${dir}/loop/x`] })).toBe(OUTSIDE);
    }
  });
});

describe('deleting and moving under way', () => {
  it('fails in words when the tree is gone', async () => {
    const dir = temporaryDirectory();
    const gone = path.join(dir, 'gone');
    const workspace = workspaceOn(gone);
    expect(await failure(new DeleteFileTool(workspace), { paths: ['a'] })).toBe('Path does not exist');
    expect(await failure(new MoveFileTool(workspace), { source: 'a', destination: 'b' })).toMatch(/^Source not found: ENOENT/);
  });
});
