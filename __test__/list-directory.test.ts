import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ListDirectoryTool, SearchConfiguration } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, openToAll, temporaryTree } from './support/tree.js';
import { failure, success, workspaceOn, workspaceWith } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

const files = (count: number): TreeLayout => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${String(index)}`, '']));

function on(layout: TreeLayout, search?: SearchConfiguration, skipDirs: string[] = []): { dir: string; tool: ListDirectoryTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new ListDirectoryTool(workspaceOn(dir, false, skipDirs), search) };
}

describe('list_directory', () => {
  it('lists one directory, or all below it, sorted, directories with a slash', async () => {
    const { dir, tool } = on({ 'b.txt': '', 'a.txt': '', subdir: { 'file3.txt': '', deep: {} }, B: {}, '.h': '' });
    const at = (...names: string[]): string => names.map((name) => `${dir}/${name}`).join('\n');
    expect(await success(tool, { path: '.' })).toBe(at('.h', 'B/', 'a.txt', 'b.txt', 'subdir/'));
    expect(await success(tool, { path: dir, recursive: true })).toBe(at('.h', 'B/', 'a.txt', 'b.txt', 'subdir/', 'subdir/deep/', 'subdir/file3.txt'));
    expect(await success(tool, { path: ' subdir ', recursive: 'true' })).toBe(at('subdir/deep/', 'subdir/file3.txt'));
  });

  it('shows links and special files flat, not recursively', async () => {
    const { dir, tool } = on({ d: {}, 'a.txt': '', dir: link('d'), dangling: link('x'), pipe: fifo() });
    expect(await success(tool, { path: '.' })).toBe(['a.txt', 'd/', 'dangling', 'dir', 'pipe'].map((name) => `${dir}/${name}`).join('\n'));
    expect(await success(tool, { path: '.', recursive: true })).toBe(['a.txt', 'd/'].map((name) => `${dir}/${name}`).join('\n'));
  });

  it('says when there is nothing', async () => {
    const { tool } = on({ d: {}, skipped: { node_modules: {} }, links: { a: link('x') } }, undefined, ['node_modules']);
    expect(await success(tool, { path: 'd' })).toBe('(empty directory)');
    expect(await success(tool, { path: 'd', recursive: true })).toBe('(empty directory)');
    expect(await success(tool, { path: 'skipped' })).toBe('(empty directory)');
    expect(await success(tool, { path: 'links', recursive: true })).toBe('(empty directory)');
  });

  it('leaves out directories of the skip list, flat and recursively, not files of that name', async () => {
    const { dir, tool } = on({ skip: { 'a.txt': '' }, d: { skip: { 'b.txt': '' }, 'c.txt': '' }, e: { skip: 'a file' } }, undefined, ['skip']);
    expect(await success(tool, { path: '.' })).toBe(`${dir}/d/\n${dir}/e/`);
    expect(await success(tool, { path: '.', recursive: true })).toBe(['d/', 'd/c.txt', 'e/', 'e/skip'].map((name) => `${dir}/${name}`).join('\n'));
    expect(await success(tool, { path: 'skip' })).toBe(`${dir}/skip/a.txt`);
  });

  it.each([
    [{}, 'Invalid or inaccessible path'],
    [{ path: '' }, 'Invalid or inaccessible path'],
    [{ path: '  ' }, 'Invalid or inaccessible path'],
    [{ path: 5 }, 'Invalid or inaccessible path'],
    [{ path: '..' }, 'Invalid or inaccessible path'],
    [{ path: ' /etc ' }, 'Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
  ])('refuses %j', async (args, expected) => {
    expect(await failure(on({}).tool, args)).toBe(expected);
  });

  it('names what is missing or no directory', async () => {
    const { dir, tool } = on({ 'a.txt': '' });
    expect(await failure(tool, { path: 'missing' })).toBe(`Path not found: ENOENT: no such file or directory, stat '${dir}/missing'`);
    expect(await failure(tool, { path: 'a.txt/x' })).toBe(`Path not found: ENOTDIR: not a directory, stat '${dir}/a.txt/x'`);
    expect(await failure(tool, { path: 'a.txt', recursive: true })).toBe(`Path is not a directory: '${dir}/a.txt'. It is a file - use read_file to inspect its contents.`);
  });

  it('sums up more entries than are to be displayed', async () => {
    const search = new SearchConfiguration(undefined, 2);
    expect(await success(on(files(5), search).tool, { path: '.' })).toBe('Found 5 files and 0 directories');
    expect(await success(on({ d: files(2), e: {} }, search).tool, { path: '.', recursive: true })).toBe('Found 2 files and 2 directories');
    expect(await success(on({ d: {}, e: {} }, search).tool, { path: '.' })).not.toContain('Found');
  });

  it.each([[{}], [{ recursive: true }]])('refuses to list as many entries as the total limit, %j', async (recursive) => {
    const search = (limit: number): SearchConfiguration => new SearchConfiguration(undefined, undefined, limit);
    expect(await failure(on(files(5), search(5)).tool, { path: '.', ...recursive })).toBe('Directory contains too many entries (5), refusing to list');
    expect((await success(on(files(5), search(6)).tool, { path: '.', ...recursive })).split('\n')).toHaveLength(5);
  });

  it('counts all entries of a flat directory, and only as far as the limit of a tree', async () => {
    const search = new SearchConfiguration(undefined, undefined, 4);
    expect(await failure(on(files(9), search).tool, { path: '.' })).toBe('Directory contains too many entries (9), refusing to list');
    expect(await failure(on(files(9), search).tool, { path: '.', recursive: true })).toBe('Directory contains too many entries (4), refusing to list');
  });

  it('reads the limits live', async () => {
    const search = new SearchConfiguration(undefined, 2);
    const { tool } = on(files(5), search);
    expect(await success(tool, { path: '.' })).toContain('Found');
    search.maxDisplayEntries = 5;
    expect(await success(tool, { path: '.' })).not.toContain('Found');
  });

  it('lists where reading is granted', async () => {
    const dir = temporaryTree({ r: { a: '' }, w: {} });
    const tool = new ListDirectoryTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await success(tool, { path: path.join(dir, 'r') })).toBe(`${dir}/r/a`);
  });

  it.skipIf(!canRunUnprivileged)('warns of directories that cannot be read', () => {
    const dir = openToAll(temporaryTree({ one: { locked: { a: '' }, b: '' }, two: { locked: {}, shut: {} } }));
    for (const name of ['one/locked', 'two/locked', 'two/shut']) fs.chmodSync(path.join(dir, name), 0);
    const results = unprivileged<string[]>(
      `${TOOLS}
      const lists = [];
      const run = async (path, display, total) => {
        const list = new api.ListDirectoryTool(workspace, new api.SearchConfiguration(undefined, display, total));
        const [{ result, status }] = await list.execute({ path, recursive: true });
        lists.push(status + ': ' + result);
      };
      await run('one'); await run('two'); await run('two', 1); await run('.', undefined, 7); await run('one/locked');
      lists.push((await tool('list_directory', { path: 'one/locked' }))[0]);
      return lists;`,
      { dir },
    );
    const one = '(Warning: could not read 1 directory, listing may be incomplete)\n\n';
    const two = '(Warning: could not read 2 directories, listing may be incomplete)\n\n';
    expect(results).toEqual([
      `success: ${one}${dir}/one/b\n${dir}/one/locked/`,
      `success: ${two}${dir}/two/locked/\n${dir}/two/shut/`,
      `success: ${two}Found 0 files and 2 directories`,
      // Six entries in all: below the limit, with every unreadable directory counted.
      `success: (Warning: could not read 3 directories, listing may be incomplete)\n\n${['one/', 'one/b', 'one/locked/', 'two/', 'two/locked/', 'two/shut/'].map((name) => `${dir}/${name}`).join('\n')}`,
      `success: ${one}(empty directory)`,
      `error: Error listing directory: EACCES: permission denied, scandir '${dir}/one/locked'`,
    ]);
  });

  it('faults Q13: links and special files are not counted as directories', async () => {
    const { tool } = on({ d: {}, 'a.txt': '', l1: link('d'), l2: link('x'), pipe: fifo() }, new SearchConfiguration(undefined, 2));
    expect(await success(tool, { path: '.' })).toMatch(/^Found 1 files and 1 directories/);
  });

  it('faults names: an entry is one line, and the line can be passed back', async () => {
    const { dir, tool } = on({ 'x\netc shadow': {}, 'tab\there': '', '\u202eevil': '' });
    const lines = (await success(tool, { path: '.' })).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.every((line) => line.startsWith('"'))).toBe(true);
    expect(lines.map((line) => JSON.parse(line.replace(/\/$/, '')) as string).map((name) => name.replace(/\/$/, ''))).toEqual(
      ['tab\there', 'x\netc shadow', '\u202eevil'].map((name) => `${dir}/${name}`),
    );
    const directory = lines.find((line) => line.includes('shadow')) ?? '';
    expect(await success(tool, { path: directory.replace(/\/$/, '') })).toBe('(empty directory)');
  });
});
