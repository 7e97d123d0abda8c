import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALLS, METHODS, SECRET, world, type Call, type World } from './world.js';

/** Paths that no tool may touch, whatever is done with links. */
const LEXICAL: [id: string, paths: (base: string) => string[]][] = [
  ['A01 up and out', () => ['../outside/secret.txt', 'sub/../../outside/secret.txt', './../outside', 'ghost/../../outside/secret.txt']],
  ['A02 absolute', (base) => [`${base}/outside/secret.txt`, '/etc/passwd', `${base}/outside/made`]],
  ['A03 the prefix of a name', (base) => ['../grant_evil/secret.txt', `${base}/grant_evil/secret.txt`, `${base}/grant_evil`]],
  ['A04 absolute and up', (base) => [`${base}/grant/../outside/secret.txt`, `${base}/grant/sub/../../outside/dir/secret.txt`]],
  ['A06 NUL', () => ['ok.txt\0.png', '../outside/secret.txt\0', '\0', 'sub\0/ok.txt']],
  ['A08 blanks and quotes', () => [' ../outside/secret.txt', '"../outside/secret.txt"', '\u00a0../outside/secret.txt\t', '"\\u002e./outside/secret.txt"']],
  ['A09 too long', () => ['x'.repeat(300), `${'d/'.repeat(3000)}x`, `${'y'.repeat(250)}/`.repeat(20)]],
  ['A10 the root and what is above', () => ['/', '//', '..', '../', '../..', '/..']],
  ['A12 half characters', () => ['a\ud800', '\udc00/b']],
];

/** Paths through links that lead out; with links resolved, no tool may follow them. */
const LINKS: [id: string, paths: string[]][] = [
  ['B01 to a file', ['lf', 'lf-absolute', 'up']],
  ['B02 to a directory', ['ld', 'ld/secret.txt', 'ld/dir', 'ld/dir/secret.txt', 'ld-slash/secret.txt']],
  ['B03 to what is not there yet', ['ld/new.txt', 'ld/sub/deep/new.txt', 'ld-slash/new']],
  ['B04 dangling', ['dangling', 'chain', 'dangling/below', 'chain/below']],
  ['A11 with slashes behind', ['ld/', 'ld//', 'ld/.', 'ld/./', 'ld-slash/']],
  ['B16 through procfs', ['through-proc', 'to-root', 'to-root/etc/passwd', 'to-cwd', 'to-cwd/package.json']],
  ['B17 in a circle', ['loop', 'loop/x']],
  ['C03 devices', ['stdin', 'zero']],
];

/** Links that a tool may take for what they are: these are its own names. */
const NAMES = new Set(['lf', 'lf-absolute', 'up', 'ld', 'dangling', 'chain', 'through-proc', 'to-root', 'to-cwd', 'loop', 'stdin', 'zero', 'ld/', 'ld//', 'ld/.', 'ld/./', 'ld-slash/']);

/** A switch takes quotes as they are, and may go where nothing can be found (yet), as published. */
function isUnread({ name }: Call, target: string): boolean {
  return name === 'switch_workspace' && (/^("|loop|x{300}$)/.test(target) || target.length > 4096);
}

async function expectRefused(place: World, { name, args }: Call, target: unknown): Promise<void> {
  const before = place.outside();
  const results = await place.call(name, args(target));
  const what = `${name} ${JSON.stringify(args(target))}`;
  expect(results, what).toHaveLength(1);
  expect(results[0], what).toMatchObject({ status: 'error' });
  expect(results[0]!.result, what).not.toContain(SECRET);
  expect(results[0]!.result.length, what).toBeLessThan(20_000);
  expect(place.outside(), what).toEqual(before);
  expect(place.workspace.currentPath, what).toBe(place.grant);
}

describe.each([true, false])('with resolveSymlinks %s', (resolveSymlinks) => {
  it.each(LEXICAL)('%s is refused by every tool', async (_, paths) => {
    const place = await world(resolveSymlinks);
    for (const call of CALLS) {
      for (const target of paths(place.base)) {
        if (isUnread(call, target)) continue;
        await expectRefused(place, call, target);
      }
    }
  });

  it.each(LEXICAL)('%s is refused by every method', async (_, paths) => {
    const place = await world(resolveSymlinks);
    const before = place.outside();
    for (const [name, call] of METHODS) {
      for (const target of paths(place.base)) {
        const failure: unknown = await call(place.workspace, target).then((value) => value, (error: unknown) => error);
        expect(failure, `${name} ${JSON.stringify(target)}`).toBeInstanceOf(Error);
        expect((failure as Error).message).not.toContain(SECRET);
      }
    }
    expect(place.outside()).toEqual(before);
  });

  it('A12: what is no path is refused by every tool', async () => {
    const place = await world(resolveSymlinks);
    for (const call of CALLS) {
      for (const target of [7, null, true, {}, ['ok.txt'], { toString: () => '../outside/secret.txt' }, '', ' ', undefined]) {
        // What lists and searches begin in the current directory unless told.
        if (target === undefined && /^(list_directory|search_entries)$/.test(call.name)) continue;
        if (target === null && call.name === 'search_entries') continue;
        const before = place.outside();
        const results = await place.call(call.name, call.args(target));
        for (const { result } of results) expect(result, `${call.name} ${JSON.stringify(target)}`).not.toContain(SECRET);
        expect(place.outside()).toEqual(before);
      }
    }
  });

  it('A13: what other programs take for separators, variables, homes and addresses are names', async () => {
    const place = await world(resolveSymlinks);
    const before = place.outside();
    const spellings = [
      '%2e%2e/outside/secret.txt', '..%2foutside%2fsecret.txt', '..%252foutside', '..\\outside\\secret.txt', '..;/outside/secret.txt',
      '\uff0e\uff0e/outside/secret.txt', '..\u2215outside', '..\u2044outside\u2044secret.txt', '\u2024\u2024/outside/secret.txt',
      '~/secret.txt', '$HOME/secret.txt', '${PWD}/outside', '%USERPROFILE%', 'C:\\Windows\\win.ini', 'C:secret.txt',
      '\\\\?\\C:\\x', 'ok.txt::$DATA', 'ok.txt:evil', 'OK.TXT', 'NUL', 'COM1', 'outside*', '{outside,grant_evil}/secret.txt', '[o]utside',
      `file:${place.base}/outside/secret.txt`, `file://${place.base}/outside/secret.txt`, '-rf', '--help',
    ];
    for (const call of CALLS.filter(({ name }) => name !== 'switch_workspace')) {
      for (const target of spellings) {
        for (const { result } of await place.call(call.name, call.args(target))) {
          expect(result.replaceAll(`'${SECRET}'`, ''), `${call.name} ${target}`).not.toContain(SECRET);
        }
        expect(place.outside(), `${call.name} ${target}`).toEqual(before);
      }
    }
    for (const target of spellings) {
      expect(await place.call('write_file', { path: target, content: 'inside' }), target).toMatchObject([{ status: 'success' }]);
      expect(fs.readFileSync(path.join(place.grant, target.replace(/^file:\/\//, 'file:/')), 'utf8')).toBe('inside');
    }
    expect(place.outside()).toEqual(before);
  });

  it('C01 C02 C04: what is neither file nor directory is refused at once', async () => {
    const place = await world(resolveSymlinks);
    for (const call of CALLS.filter(({ own }) => !own)) {
      for (const target of ['fifo', 'socket', ...(call.reads ? [] : ['fifo/x', 'socket/x'])]) await expectRefused(place, call, target);
    }
    for (const target of ['fifo', 'socket']) {
      const [moved] = await place.call('move_file', { source: target, destination: 'moved' });
      expect(moved).toMatchObject({ status: 'error' });
    }
  });
});

describe('with links resolved', () => {
  it.each(LINKS)('%s is refused by every tool', async (_, paths) => {
    const place = await world(true);
    for (const call of CALLS) {
      for (const target of paths) {
        if ((call.own && NAMES.has(target)) || isUnread(call, target)) continue;
        await expectRefused(place, call, target);
        if (call.name !== 'switch_workspace') await expectRefused(place, call, path.join(place.grant, target));
      }
    }
  });

  it.each(LINKS)('%s is refused by every method', async (_, paths) => {
    const place = await world(true);
    const before = place.outside();
    for (const [name, call, own] of METHODS) {
      for (const target of paths.filter((one) => !own || !NAMES.has(one))) {
        const failure: unknown = await call(place.workspace, target).then((value) => value, (error: unknown) => error);
        expect(failure, `${name} ${target}`).toBeInstanceOf(Error);
        expect(place.outside(), `${name} ${target}`).toEqual(before);
      }
    }
  });

  it('G07: a path is cut short before links are looked at, as everywhere in Node', async () => {
    const place = await world(true);
    const before = place.outside();
    expect(await place.call('write_file', { path: 'ld/../outside/secret.txt', content: 'inside' })).toMatchObject([{ status: 'success' }]);
    expect(await place.call('read_file', { paths: [path.join(place.grant, 'outside/secret.txt')] })).toMatchObject([{ status: 'success' }]);
    expect(place.outside()).toEqual(before);
  });

  it('B05: a link to a grant for reading gives no right to write, not even to a time stamp', async () => {
    const place = await world(true);
    const before = fs.statSync(path.join(place.base, 'ro/ro.txt'), { bigint: true });
    const stamps = [before.ino, before.nlink, before.mtimeNs, before.ctimeNs];
    for (const call of CALLS.filter(({ reads }) => !reads)) {
      for (const target of ['rolink/new', 'rolink/ro.txt', '../ro/ro.txt', '../ro/new']) await expectRefused(place, call, target);
    }
    const after = fs.statSync(path.join(place.base, 'ro/ro.txt'), { bigint: true });
    expect([after.ino, after.nlink, after.mtimeNs, after.ctimeNs]).toEqual(stamps);
    const [read] = await place.call('read_file', { paths: ['rolink/ro.txt'] });
    expect(read).toMatchObject({ status: 'success', result: expect.stringContaining('read only') as string });
  });

  it('B07: an answer does not tell whether something is there', async () => {
    const place = await world(true);
    fs.symlinkSync('../outside/secret.txt', path.join(place.grant, 'to-there'));
    fs.symlinkSync('../outside/nothing', path.join(place.grant, 'to-gone'));
    for (const { name, args } of CALLS.filter(({ own }) => !own)) {
      const ask = async (target: string): Promise<string> => {
        const [{ result } = { result: '' }] = await place.call(name, args(target));
        return result.replaceAll(target, 'NAME');
      };
      expect(await ask('to-there'), name).toBe(await ask('to-gone'));
      expect(await ask('ld/secret.txt'), name).toBe((await ask('ld/nothing')).replaceAll('ld/nothing', 'NAME'));
    }
  });

  it('B08 B09: a link itself can be looked at, moved and deleted', async () => {
    for (const target of ['lf', 'ld', 'dangling', 'loop', 'to-root', 'zero']) {
      const place = await world(true);
      const before = place.outside();
      for (const [name, args] of [
        ['entry_info', { paths: [target] }],
        ['move_file', { source: target, destination: 'moved' }],
        ['delete_file', { paths: ['moved'], recursive: true }],
      ] as const) {
        const results = await place.call(name, args);
        expect(results, `${name} ${target}`).toMatchObject([{ status: 'success' }]);
        expect(results[0]!.result).not.toContain(SECRET);
      }
      expect(place.outside()).toEqual(before);
    }
  });
});
