import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../index.js';
import { fifo, link, openToAll, temporaryDirectory, temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';
import { TOOLS, canRunUnprivileged, unprivileged } from './support/unprivileged.js';

/** Everything a walk yields, as paths relative to `dir`, directories with a slash. */
async function walked(workspace: Workspace, dir: string, errors: [string, unknown][] = []): Promise<string[]> {
  const found: string[] = [];
  for await (const { filePath, dirent } of workspace.walk(dir, (at, error) => errors.push([at, error]))) {
    expect(dirent).toBeInstanceOf(fs.Dirent);
    expect(path.join(dirent.parentPath, dirent.name)).toBe(filePath);
    expect(dirent.isFile()).toBe(!dirent.isDirectory());
    found.push(path.relative(workspace.currentPath, filePath) + (dirent.isDirectory() ? '/' : ''));
  }
  return found;
}

describe('walk', () => {
  it('yields directories before their children, names sorted by bytes', async () => {
    const dir = temporaryTree({ b: { 'x.txt': '', c: { 'y.txt': '' } }, 'a.txt': '', '.z': '', '10': '', '9': '', B: '', _: '', é: '', empty: {} });
    expect(await walked(workspaceOn(dir), dir)).toEqual([
      '.z', '10', '9', 'B', '_', 'a.txt', 'b/', 'b/c/', 'b/c/y.txt', 'b/x.txt', 'empty/', 'é',
    ]);
  });

  it('yields what the published order of Node’s readdir is', async () => {
    const dir = temporaryTree(Object.fromEntries(['ü', 'z', 'Z', '-', '~', ' ', '\u{1F600}', '\uFF5E', 'aa', 'a', 'a.b', 'a-b', '0'].map((name) => [name, ''])));
    expect(await walked(workspaceOn(dir), dir)).toEqual(fs.readdirSync(dir).sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))));
  });

  it('skips links, pipes and sockets', async () => {
    const dir = temporaryTree({ 'only.txt': '', link: link('only.txt'), dangling: link('nowhere'), up: link('..'), pipe: fifo() });
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(path.join(dir, 'socket'), resolve));
    try {
      expect(await walked(workspaceOn(dir), dir)).toEqual(['only.txt']);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('leaves out directories of the skip list by exact name, but never the root', async () => {
    const dir = temporaryTree({ skip: { 'a.txt': '', skip: {} }, skipped: { skip: {}, 'b.txt': '' }, 'c.txt': '', deep: { skip: { 'd.txt': '' } } });
    const workspace = workspaceOn(dir, false, ['skip', 'c.txt']);
    expect(await walked(workspace, dir)).toEqual(['c.txt', 'deep/', 'skipped/', 'skipped/b.txt']);
    expect(await walked(workspace, path.join(dir, 'skip'))).toEqual(['skip/a.txt']);
  });

  it('takes relative roots from the current directory, and a linked root as given', async () => {
    const dir = temporaryTree({ real: { 'a.txt': '' }, link: link('real') });
    expect(await walked(workspaceOn(dir), 'real')).toEqual(['real/a.txt']);
    expect(await walked(workspaceOn(dir), 'link')).toEqual(['link/a.txt']);
    expect(await walked(workspaceOn(dir, true), 'link')).toEqual(['real/a.txt']);
  });

  it('yields nothing for a root outside the accesses, without an error', async () => {
    const dir = temporaryTree({ inside: {}, outside: { 'a.txt': '' } });
    const errors: [string, unknown][] = [];
    const workspace = workspaceOn(path.join(dir, 'inside'));
    expect(await walked(workspace, path.join(dir, 'outside'), errors)).toEqual([]);
    expect(await walked(workspace, '/nonexistent', errors)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('rejects for a missing root, each time, with the cause', async () => {
    const dir = temporaryDirectory();
    const workspace = workspaceOn(dir);
    const root = path.join(dir, 'missing');
    for (let time = 0; time < 2; time += 1) {
      const error = await walked(workspace, root).then(() => undefined, (reason: unknown) => reason as Error);
      expect(error?.message).toBe(`Cannot walk '${root}': the path does not exist`);
      expect((error?.cause as NodeJS.ErrnoException).code).toBe('ENOENT');
    }
  });

  it('rejects for a file as root, and for a root below a file', async () => {
    const dir = temporaryTree({ 'a.txt': '' });
    const workspace = workspaceOn(dir);
    const file = path.join(dir, 'a.txt');
    await expect(walked(workspace, file)).rejects.toThrow(`Cannot walk '${file}': it is a file, not a directory`);
    await expect(walked(workspace, `${file}/x`)).rejects.toThrow(`Cannot walk '${file}/x': ENOTDIR: not a directory, stat '${file}/x'`);
  });

  it('is lazy: nothing is asked before the first step, and a loop may stop early', async () => {
    const dir = temporaryTree({ a: { 'x.txt': '' }, b: {} });
    const workspace = workspaceOn(dir);
    const unused = workspace.walk(path.join(dir, 'missing'));
    expect(typeof unused.next).toBe('function');
    await unused.return(undefined);
    for await (const { filePath } of workspace.walk(dir)) {
      expect(filePath).toBe(path.join(dir, 'a'));
      break;
    }
    const walk = workspace.walk(dir);
    expect((await walk.next()).done).toBe(false);
    expect(await walk.return(undefined)).toEqual({ done: true, value: undefined });
    expect((await walk.next()).done).toBe(true);
  });

  it.skipIf(!canRunUnprivileged)('reports an unreadable directory once and goes on', () => {
    const dir = openToAll(temporaryTree({ locked: { 'a.txt': '' }, z: { 'b.txt': '' } }));
    fs.chmodSync(path.join(dir, 'locked'), 0);
    const found = unprivileged<{ seen: string[]; errors: unknown[] }>(
      `${TOOLS}
      const seen = [];
      const errors = [];
      for await (const entry of workspace.walk(input.dir, (at, error) => errors.push([at, error instanceof Error, error.code]))) seen.push(entry.filePath);
      return { seen, errors };`,
      { dir },
    );
    expect(found).toEqual({
      seen: ['locked', 'z', 'z/b.txt'].map((name) => path.join(dir, name)),
      errors: [[path.join(dir, 'locked'), true, 'EACCES']],
    });
  });

  it('survives a directory that vanishes under way', async () => {
    const dir = temporaryTree({ a: { 'x.txt': '' }, b: { 'y.txt': '' } });
    const seen: string[] = [];
    const errors: string[] = [];
    for await (const { filePath } of workspaceOn(dir).walk(dir, (at) => errors.push(at))) {
      if (seen.length === 0) fs.rmSync(path.join(dir, 'b'), { recursive: true });
      seen.push(path.relative(dir, filePath));
    }
    expect(seen.slice(0, 2)).toEqual(['a', 'a/x.txt']);
  });

  it('goes 700 directories deep', async () => {
    const dir = temporaryDirectory();
    fs.mkdirSync(path.join(dir, 'd/'.repeat(700)), { recursive: true });
    expect(await walked(workspaceOn(dir), dir)).toHaveLength(700);
  });

  it('faults native crash: goes deeper than a path can be long', { timeout: 120_000 }, async () => {
    const dir = temporaryDirectory();
    // Such a tree can be made only step by step from inside, and vitest forbids to change this process's directory.
    const script = 'process.chdir(process.argv[1]); for (let at = 0; at < 3000; at++) { fs.mkdirSync("d"); process.chdir("d"); }';
    execFileSync(process.execPath, ['-e', script, dir]);
    const errors: [string, unknown][] = [];
    expect(await walked(workspaceOn(dir), dir, errors)).toHaveLength(3000);
    expect(errors).toEqual([]);
  });
});
