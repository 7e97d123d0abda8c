import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EntryInfoTool } from '../index.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, temporaryTree, withMode } from './support/tree.js';
import { answers, failure, success, workspaceOn, workspaceWith } from './support/tools.js';

function on(layout: TreeLayout): { dir: string; tool: EntryInfoTool } {
  const dir = temporaryTree(layout);
  return { dir, tool: new EntryInfoTool(workspaceOn(dir)) };
}

/** What must be said of an entry, from Node's own lstat. */
function expected(at: string, type: string, permissions: string, target?: string): string {
  const stat = fs.lstatSync(at);
  const lines = [
    `Path: ${at}`, `Type: ${type}`, `Size: ${String(stat.size)} bytes`, `Permissions: ${permissions}`, `Created: ${stat.birthtime.toISOString()}`,
    `Modified (content): ${stat.mtime.toISOString()}`, `Accessed: ${stat.atime.toISOString()}`, `Changed (metadata): ${stat.ctime.toISOString()}`,
  ];
  return [...lines, ...(target === undefined ? [] : [`Symlink target: ${target}`])].join('\n');
}

describe('entry_info', () => {
  it('describes files and directories with Node’s own numbers', async () => {
    const { dir, tool } = on({ 'a.txt': withMode(0o640, 'hello'), d: {}, run: withMode(0o4755), none: withMode(0) });
    fs.chmodSync(path.join(dir, 'd'), 0o1777);
    expect(await success(tool, { paths: ['a.txt'] })).toBe(expected(`${dir}/a.txt`, 'file', 'rw-r-----'));
    expect(await success(tool, { paths: ['d/'] })).toBe(expected(`${dir}/d`, 'directory', 'rwxrwxrwx'));
    expect(await success(tool, { paths: [path.join(dir, 'run')] })).toBe(expected(`${dir}/run`, 'file', 'rwxr-xr-x'));
    expect(await success(tool, { paths: ['none'] })).toBe(expected(`${dir}/none`, 'file', '---------'));
    expect(await success(tool, { paths: ['.'] })).toMatch(/^Path: .*\nType: directory\n/);
  });

  it('rounds times to the millisecond as Node does', async () => {
    const { dir, tool } = on({ a: '', b: '', c: '' });
    for (const [name, seconds] of [['a', 1_000_000_000.2026], ['b', 1_600_000_000.9999], ['c', -5.0004]] as const) {
      fs.utimesSync(path.join(dir, name), seconds, seconds);
      expect(await success(tool, { paths: [name] })).toBe(expected(`${dir}/${name}`, 'file', 'rw-r--r--'));
    }
  });

  it('describes links, dangling ones too, and special files', async () => {
    const { dir, tool } = on({ 'target.txt': 'x', link: link('target.txt'), dangling: link('../no/where'), pipe: fifo(), loop: link('loop') });
    // Reading a link sets its access time, unless that lies behind its other times: between the two looks that are compared it must not move.
    for (const name of ['link', 'dangling']) fs.lutimesSync(path.join(dir, name), new Date('2099-01-01'), new Date('2020-01-01'));
    expect(await success(tool, { paths: ['link'] })).toBe(expected(`${dir}/link`, 'symlink', 'rwxrwxrwx', 'target.txt'));
    expect(await success(tool, { paths: ['dangling'] })).toBe(expected(`${dir}/dangling`, 'symlink', 'rwxrwxrwx', '../no/where'));
    expect(await success(tool, { paths: ['loop'] })).toContain('Symlink target: loop');
    expect(await success(tool, { paths: ['pipe'] })).toContain('Type: FIFO');
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(dir, 'socket'), resolve));
    try {
      expect(await success(tool, { paths: ['socket'] })).toContain('Type: socket');
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it.skipIf(process.platform !== 'linux')('describes devices', async () => {
    const tool = new EntryInfoTool(workspaceWith(['/dev'], []));
    expect(await success(tool, { paths: ['/dev/null'] })).toContain('Type: character device');
  });

  it('answers each path in order', async () => {
    const { dir, tool } = on({ a: '', b: '' });
    const results = await answers(tool, { paths: ['b', 'missing', 'a/x', 5, 'n\0', 'a'] });
    expect(results.map(({ result }) => result.split('\n')[0])).toEqual([
      `Path: ${dir}/b`,
      `Path not found: ENOENT: no such file or directory, lstat '${dir}/missing'`,
      `Path not found: ENOTDIR: not a directory, lstat '${dir}/a/x'`,
      'Path must be a non-empty string',
      `Path not found: The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '${dir}/n\\x00'`,
      `Path: ${dir}/a`,
    ]);
    expect(results.map(({ status }) => status)).toEqual(['success', 'error', 'error', 'error', 'error', 'success']);
  });

  it.each([
    [{}, '"paths" must be an array of strings'],
    [{ paths: 'a' }, '"paths" must be an array of strings'],
    [{ paths: [] }, '"paths" must be a non-empty array'],
    [{ paths: [' '] }, 'Path must be a non-empty string'],
    [{ paths: ['..'] }, 'Invalid or inaccessible path'],
    [{ paths: ['/etc'] }, 'Invalid or inaccessible path (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'],
  ])('refuses %j', async (args, text) => {
    expect(await failure(on({}).tool, args)).toBe(text);
  });

  it('describes what is only readable', async () => {
    const dir = temporaryTree({ r: { a: '' }, w: {} });
    const tool = new EntryInfoTool(workspaceWith([path.join(dir, 'r')], [path.join(dir, 'w')]));
    expect(await success(tool, { paths: [path.join(dir, 'r/a')] })).toContain('Type: file');
  });

  it('faults S6: with links resolved, a link is still a link, wherever it leads', async () => {
    const dir = temporaryTree({ inside: { 'a.txt': '', in: link('a.txt'), out: link('../outside') }, outside: {} });
    const tool = new EntryInfoTool(workspaceOn(path.join(dir, 'inside'), true));
    expect(await success(tool, { paths: ['in'] })).toContain('Type: symlink');
    expect(await success(tool, { paths: ['out'] })).toContain('Symlink target: ../outside');
  });

  it('faults names: a link’s target cannot forge a line', async () => {
    const { tool } = on({ l: link('x\nType: file') });
    expect((await success(tool, { paths: ['l'] })).split('\n').filter((line) => line.startsWith('Type: '))).toEqual(['Type: symlink']);
  });
});
