import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileConfiguration, FileToolPackage, type Durability, type HardLinks, type Workspace } from '../index.js';
import { answer, success, workspaceOn } from './support/tools.js';
import { names, read, temporaryTree } from './support/tree.js';

/** A file with a second name. */
function twoNames(content = 'one\ntwo\n'): { dir: string; workspace: Workspace } {
  const dir = temporaryTree({ 'a.txt': content });
  fs.linkSync(path.join(dir, 'a.txt'), path.join(dir, 'b.txt'));
  return { dir, workspace: workspaceOn(dir) };
}

/** Calls of the tools that write, each on `a.txt`. */
const WRITES: [tool: string, args: Record<string, unknown>, content: string][] = [
  ['write_file', { path: 'a.txt', content: 'new\n' }, 'new\n'],
  ['replace_file_lines', { path: 'a.txt', start_line: 1, end_line: 1, content: 'new' }, 'new\ntwo\n'],
  ['insert_file_content', { path: 'a.txt', line: 1, content: 'new' }, 'new\none\ntwo\n'],
  ['replace_file_content', { paths: ['a.txt'], old_content: 'one', new_content: 'new' }, 'new\ntwo\n'],
];

describe('how FileConfiguration says that files are written', () => {
  it('holds for every tool that writes, from the next call', async () => {
    for (const [name, args, content] of WRITES) {
      const { dir, workspace } = twoNames();
      const configuration = new FileConfiguration();
      configuration.requireReadBeforeWrite = false;
      expect([configuration.durability, configuration.hardLinks]).toEqual(['data', 'replace']);
      const tool = new FileToolPackage(workspace, undefined, configuration).tools().find((one) => one.name === name)!;
      configuration.hardLinks = 'keep';
      configuration.durability = 'full';
      await success(tool, args);
      expect([read(dir, 'a.txt'), read(dir, 'b.txt')], name).toEqual([content, content]);
      configuration.hardLinks = 'replace';
      configuration.durability = 'none';
      fs.writeFileSync(path.join(dir, 'a.txt'), 'one\ntwo\n');
      await success(tool, args);
      expect([read(dir, 'a.txt'), read(dir, 'b.txt')], name).toEqual([content, 'one\ntwo\n']);
      expect(names(dir)).toEqual(['a.txt', 'b.txt']);
    }
  });

  it('is refused where there is no such way, and nothing is written', async () => {
    for (const [name, args] of WRITES) {
      const { dir, workspace } = twoNames();
      const configuration = new FileConfiguration(undefined, undefined, false, 'safe' as Durability);
      const tool = new FileToolPackage(workspace, undefined, configuration).tools().find((one) => one.name === name)!;
      expect(await answer(tool, args)).toMatchObject({ status: 'error', result: expect.stringContaining("'none', 'data', 'full'") as string });
      expect(read(dir, 'a.txt')).toBe('one\ntwo\n');
    }
  });

  it('holds for the engine, unless the call says otherwise', async () => {
    const { dir, workspace } = twoNames();
    const limits = new FileConfiguration(undefined, undefined, undefined, 'none', 'keep');
    expect(await workspace.writeText('a.txt', 'kept\n', { limits })).toMatchObject({ atomic: false });
    expect(await workspace.edit('a.txt', { kind: 'insert', content: 'more' }, { limits: { hardLinks: 'keep' } })).toMatchObject({ atomic: false });
    expect(read(dir, 'b.txt')).toBe('kept\nmore\n');
    expect(await workspace.edit('a.txt', { kind: 'insert', content: 'own' }, { limits, hardLinks: 'replace' })).toMatchObject({ atomic: true });
    expect([read(dir, 'a.txt'), read(dir, 'b.txt')]).toEqual(['kept\nmore\nown\n', 'kept\nmore\n']);
  });

  it('is refused by the engine where there is no such way', async () => {
    const { dir, workspace } = twoNames();
    const refused = { code: 'ERR_INVALID_ARG_VALUE' };
    const hardLinks = 'cut' as HardLinks;
    await expect(workspace.writeText('a.txt', 'x', { hardLinks })).rejects.toMatchObject(refused);
    await expect(workspace.edit('a.txt', { kind: 'insert', content: 'x' }, { limits: { hardLinks } })).rejects.toMatchObject(refused);
    expect(read(dir, 'a.txt')).toBe('one\ntwo\n');
  });
});

describe('what an edit tells', () => {
  it('is a unified diff on request, the same for a dry run, which changes nothing', async () => {
    const dir = temporaryTree({ 'a.txt': 'one\r\ntwo\r\nthree\r\n' });
    const workspace = workspaceOn(dir);
    const edits = [
      { kind: 'replaceLines', startLine: 2, content: '2' },
      { kind: 'insert', content: 'four' },
    ] as const;
    const told = await workspace.edit('a.txt', edits, { dryRun: true, diff: true });
    expect(told.diff).toBe(
      `--- ${dir}/a.txt\n+++ ${dir}/a.txt\n@@ -1,3 +1,4 @@\n one\r\n-two\r\n+2\r\n three\r\n+four\r\n`,
    );
    expect(told).toMatchObject({ atomic: true, applied: [{ startLine: 2, endLine: 2 }, { startLine: 4, endLine: 4 }] });
    expect(read(dir, 'a.txt')).toBe('one\r\ntwo\r\nthree\r\n');
    expect(await workspace.edit('a.txt', edits, { diff: true })).toEqual(told);
    expect(read(dir, 'a.txt')).toBe('one\r\n2\r\nthree\r\nfour\r\n');
    expect(await workspace.edit('a.txt', { kind: 'replaceLines', startLine: 1, content: 'one' })).not.toHaveProperty('diff');
  });

  it('is empty where nothing changes, and names a path that could mislead in quotes', async () => {
    const dir = temporaryTree({ 'a\nb': 'x\n' });
    const workspace = workspaceOn(dir);
    const edit = (content: string): Promise<{ diff?: string }> => workspace.edit('a\nb', { kind: 'replaceLines', startLine: 1, content }, { diff: true });
    expect((await edit('x')).diff).toBe('');
    expect((await edit('y')).diff).toContain(`--- "${dir}/a\\nb"\n`);
  });
});
