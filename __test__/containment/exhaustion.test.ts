import * as fs from 'node:fs';
import * as path from 'node:path';
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { FileConfiguration, FileToolPackage, SearchConfiguration } from '../../index.js';
import { answers, workspaceOn } from '../support/tools.js';
import { fifo, temporaryTree } from '../support/tree.js';

it('C02: 64 writes to FIFOs at once are refused, and files beside them are read meanwhile', async () => {
  const names = Array.from({ length: 64 }, (_, index) => `fifo-${index}`);
  const dir = temporaryTree({ ...Object.fromEntries(names.map((name) => [name, fifo()])), 'beside.txt': 'beside' });
  const limits = new FileConfiguration(undefined, undefined, false);
  const tools = new FileToolPackage(workspaceOn(dir), undefined, limits).tools();
  const write = tools.find(({ name }) => name === 'write_file')!;
  const writes = names.map((name) => answers(write, { path: name, content: 'x' }));
  expect(await fs.promises.readFile(path.join(dir, 'beside.txt'), 'utf8')).toBe('beside');
  for (const results of await Promise.all(writes)) expect(results).toMatchObject([{ status: 'error' }]);
});

it('C05: a file of procfs has no size, and limits hold for what is read', async () => {
  const workspace = workspaceOn('/proc/self');
  await expect(workspace.readText('smaps', { limits: { maxFileSize: 1000 } })).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' });
  expect((await workspace.readText('comm')).text).not.toBe('');
});

it('C07: a sparse file of a terabyte is refused by its size, and skipped by a search', async () => {
  const dir = temporaryTree({ 'small.txt': 'needle' });
  const file = fs.openSync(path.join(dir, 'sparse'), 'w');
  fs.ftruncateSync(file, 2 ** 40);
  fs.closeSync(file);
  const workspace = workspaceOn(dir);
  await expect(workspace.readText('sparse')).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' });
  await expect(workspace.edit('sparse', { kind: 'insert', content: 'x' })).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' });
  const found = await workspace.search({ content: 'needle' });
  expect(found.results).toHaveLength(1);
  expect(found.skipped.oversized).toBe(1);
});

it('C08: one call that names a large file 400 times has one budget', { timeout: 60_000 }, () => {
  const dir = temporaryTree({});
  fs.writeFileSync(path.join(dir, 'large.txt'), 'a line of a large file\n'.repeat(400_000));
  const program = path.join(import.meta.dirname, '../process/programs/many-paths.mjs');
  const { status, rise } = JSON.parse(execFileSync(process.execPath, [program, dir], { encoding: 'utf8' })) as { status: string[]; rise: number };
  expect(status).toHaveLength(400);
  expect(rise).toBeLessThan(200e6);
});

it('C09: a directory of many entries stops at the limit', async () => {
  const dir = temporaryTree({ many: {} });
  for (let index = 0; index < 20_000; index += 1) fs.writeFileSync(path.join(dir, 'many', String(index)), '');
  const limits = new SearchConfiguration(10, 100, 500, 10_000);
  const workspace = workspaceOn(dir);
  expect(await workspace.list('many', { limits })).toMatchObject({ complete: false });
  expect(await workspace.search({ dir: 'many', name: '.' }, { limits })).toMatchObject({ complete: false });
});

it('C10: a tree that is 3,000 directories deep is walked, searched and removed', { timeout: 60_000 }, async () => {
  const dir = temporaryTree({ top: {} });
  // Deeper than a path may be long: made step by step.
  execFileSync('sh', ['-c', 'cd top && for i in $(seq 3000); do mkdir d && cd -P d || exit 1; done; echo needle > leaf'], { cwd: dir });
  const workspace = workspaceOn(dir);
  let count = 0;
  for await (const entry of workspace.walk('.')) count += entry.filePath === '' ? 0 : 1;
  expect(count).toBe(3002);
  const found = await workspace.search({ content: 'needle' }, { limits: { maxTotalEntries: 10_000 } });
  expect(found.results).toHaveLength(1);
  await workspace.remove('top', { recursive: true });
  expect(fs.readdirSync(dir)).toEqual([]);
});

it('C13: calls that fail leave no descriptor open', async () => {
  const workspace = workspaceOn(temporaryTree({ 'a.txt': 'a' }), true);
  const count = (): number => fs.readdirSync('/proc/self/fd').length;
  const fail = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) {
      await Promise.all([
        expect(workspace.readText(`missing-${index}`)).rejects.toThrow(),
        expect(workspace.writeText('a.txt/below', 'x')).rejects.toThrow(),
        expect(workspace.list('a.txt')).rejects.toThrow(),
      ]);
    }
  };
  await fail(50);
  const before = count();
  await fail(500);
  expect(count()).toBeLessThanOrEqual(before);
});
