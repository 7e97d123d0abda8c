import { describe, expect, it } from 'vitest';
import { FileConfiguration, Workspace } from '../index.js';
import { read, temporaryTree } from './support/tree.js';

function on(tree: Parameters<typeof temporaryTree>[0]): { dir: string; workspace: Workspace } {
  const dir = temporaryTree(tree);
  return { dir, workspace: new Workspace({ accesses: [{ type: 'write', path: dir }] }) };
}

describe('engine methods', () => {
  it('read a range, with what there is in all', async () => {
    const { dir, workspace } = on({ 'a.txt': 'one\ntwo\nthree\n' });
    expect(await workspace.readText('a.txt', { startLine: 2, endLine: 3 })).toMatchObject({
      path: `${dir}/a.txt`, text: 'two\nthree', startLine: 2, endLine: 3, totalLines: 4, totalChars: 14, truncated: false,
    });
  });

  it('reject with the codes of Node', async () => {
    const { dir, workspace } = on({ d: {} });
    await expect(workspace.readText('nope')).rejects.toMatchObject({ code: 'ENOENT', syscall: 'stat', path: `${dir}/nope` });
    await expect(workspace.readText('d')).rejects.toMatchObject({ code: 'EISDIR' });
    await expect(workspace.readText('/etc/passwd')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    await expect(workspace.remove('.', { recursive: true })).rejects.toMatchObject({ code: 'ERR_ROOT' });
    await expect(workspace.search({ content: 42 as unknown as string })).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_TYPE' });
    await expect(workspace.search({ content: '(' })).rejects.toBeInstanceOf(SyntaxError);
  });

  it('keep to the limits that they are given', async () => {
    const { dir, workspace } = on({ 'a.txt': 'x' });
    const limits = new FileConfiguration(10, 10, false);
    await expect(workspace.writeText('a.txt', 'x'.repeat(11), { limits })).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' });
    expect(read(dir, 'a.txt')).toBe('x');
    expect(await workspace.writeText('a.txt', 'x'.repeat(10), { limits })).toMatchObject({ created: false, bytes: 10 });
  });

  it('reject with the reason of an aborted signal and change nothing', async () => {
    const { dir, workspace } = on({ 'a.txt': 'x' });
    const signal = AbortSignal.abort('enough');
    await expect(workspace.writeText('a.txt', 'y', { signal })).rejects.toBe('enough');
    await expect(workspace.search({ content: 'x' }, { signal })).rejects.toBe('enough');
    expect(read(dir, 'a.txt')).toBe('x');
  });

  it('tell what a search found and left out', async () => {
    const { dir, workspace } = on({ 'a.txt': 'no\nneedle and more\n', 'b.bin': 'needle\0', sub: { 'c.txt': 'NEEDLE' } });
    const found = await workspace.search({ content: 'needle' });
    expect(found.results.map(({ path, line, text }) => [path, line, text])).toEqual([
      [`${dir}/a.txt`, 2, 'needle and more'],
      [`${dir}/sub/c.txt`, 1, 'NEEDLE'],
    ]);
    expect(found).toMatchObject({ visited: 4, complete: true, stoppedBy: null, skipped: { binary: 1 } });
  });

  it('explain who decides', () => {
    const { dir, workspace } = on({});
    expect(workspace.explain('a', 'write')).toMatchObject({ allowed: true, path: `${dir}/a`, grant: dir, right: 'write' });
    expect(workspace.explain('/etc/passwd', 'read').allowed).toBe(false);
  });
});
