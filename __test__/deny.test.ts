import * as fs from 'node:fs';
import * as path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AccessType,
  DirectoryConfiguration,
  FileConfiguration,
  FilePool,
  FileToolPackage,
  ReadTool,
  SearchConfiguration,
  Workspace,
} from '../index.js';
import * as published from '@johannes.latzel/llm-chat-file';
import * as publishedWorkspace from '@johannes.latzel/llm-chat-workspace';
import { answers } from './support/tools.js';
import { link, temporaryTree } from './support/tree.js';
import { SnapshotTaker, type Snapshot } from './support/snapshot.js';

const SECRET = 'TOPSECRET';

/** What is denied: names at any depth, an anchored directory, what a directory holds, one name taken out again. */
const RULES = ['.env', '*.pem', '!public.pem', '/private', 'vault/**', 'once.txt'];

const snapshot = (dir: string): Snapshot => new SnapshotTaker(dir).take();

interface Place {
  dir: string;
  workspace: Workspace;
}

function place(resolveSymlinks: boolean, rules = RULES): Place {
  const dir = temporaryTree({
    '.env': SECRET,
    'key.pem': SECRET,
    'public.pem': 'public',
    'plain.txt': 'plain',
    private: { 'a.txt': SECRET, deep: { 'b.txt': SECRET } },
    vault: { 'c.txt': SECRET, deep: { 'd.txt': SECRET } },
    sub: { '.env': SECRET, private: { 'open.txt': 'open' }, 'e.txt': 'e' },
    clean: { 'f.txt': 'f' },
    'to-env': link('.env'),
    'to-private': link('private'),
    'to-missing': link('once.txt'),
    'to-plain': link('plain.txt'),
  });
  const accesses = [{ type: AccessType.Write, path: dir }];
  return { dir, workspace: new Workspace(new DirectoryConfiguration(accesses, [], resolveSymlinks, undefined, undefined, rules)) };
}

/** Paths that lead to what is denied, in every spelling. */
const DENIED = [
  '.env', './.env', 'sub/../.env', 'sub/.env', 'key.pem', 'private', 'private/', 'private/a.txt', 'private/deep', 'private/deep/b.txt',
  'vault/c.txt', 'vault/deep', 'vault/deep/d.txt', 'private/new.txt', 'sub/new.pem', 'once.txt', 'once.txt/below', '".env"', ' .env ',
  'to-env', 'to-private', 'to-private/a.txt', 'to-private/new.txt', 'to-missing', 'to-private/deep/../a.txt',
];

/** Links themselves may be removed, moved and looked at. */
const LINKS = new Set(['to-env', 'to-private', 'to-missing']);

/** Calls with a path, by tool; `own` says that the tool acts on a link itself. */
const CALLS: [name: string, args: (target: string) => Record<string, unknown>, own?: boolean][] = [
  ['read_file', (target) => ({ paths: [target] })],
  ['read', (target) => ({ path: target })],
  ['list_directory', (target) => ({ path: target })],
  ['list_directory', (target) => ({ path: target, recursive: true })],
  ['search_entries', (target) => ({ path: target, content_pattern: '.' })],
  ['search_entries', (target) => ({ path: target })],
  ['entry_info', (target) => ({ paths: [target] }), true],
  ['write_file', (target) => ({ path: target, content: 'x' })],
  ['insert_file_content', (target) => ({ path: target, content: 'x' })],
  ['replace_file_lines', (target) => ({ path: target, start_line: 1, end_line: 1, content: 'x' })],
  ['replace_file_content', (target) => ({ paths: [target], old_content: 'T', new_content: 'x' })],
  ['create_folder', (target) => ({ paths: [target] })],
  ['delete_file', (target) => ({ paths: [target], recursive: true }), true],
  ['move_file', (target) => ({ source: target, destination: 'moved' }), true],
  ['move_file', (target) => ({ source: 'plain.txt', destination: target }), true],
  ['switch_workspace', (target) => ({ path: target })],
];

function toolOf({ workspace }: Place, name: string): ReadTool | ReturnType<FileToolPackage['tools']>[number] {
  const configuration = new FileConfiguration();
  configuration.requireReadBeforeWrite = false;
  const pool = new FilePool(configuration);
  if (name === 'read') return new ReadTool(workspace, pool);
  return new FileToolPackage(workspace, new SearchConfiguration(), configuration, pool).tools().find((tool) => tool.name === name)!;
}

describe.each([false, true])('deny rules hold with resolveSymlinks %s', (resolveSymlinks) => {
  describe.each(CALLS)('%s', (name, args, own = false) => {
    it.each([false, true])('refuses every spelling, absolute: %s', async (absolute) => {
      const at = place(resolveSymlinks);
      const before = snapshot(at.dir);
      for (const target of DENIED) {
        if (own && LINKS.has(target)) continue;
        // A path in quotes or with blanks around it is relative, and a switch takes quotes as they are.
        if (/^[" ]/.test(target) && (absolute || name === 'switch_workspace')) continue;
        const spelled = absolute ? path.join(at.dir, target) : target;
        const results = await answers(toolOf(at, name), args(spelled));
        expect(results.map(({ status }) => status), `${spelled}: ${results[0]!.result}`).toEqual(['error']);
        expect(results[0]!.result).not.toContain(SECRET);
        expect(snapshot(at.dir), spelled).toEqual(before);
        expect(at.workspace.currentPath).toBe(at.dir);
      }
    });
  });

  it('answers the same whether or not something is there', async () => {
    for (const [name, args] of CALLS) {
      const at = place(resolveSymlinks);
      const ask = async (target: string): Promise<string> => {
        const [{ result } = { result: '' }] = await answers(toolOf(at, name), args(target));
        return result.replaceAll(target, 'NAME');
      };
      expect(await ask('private/a.txt'), name).toBe(await ask('private/nothing'));
      fs.symlinkSync('private/nothing', path.join(at.dir, 'to-nothing'));
      fs.symlinkSync('private/a.txt', path.join(at.dir, 'to-something'));
      if (!['entry_info', 'delete_file', 'move_file'].includes(name)) {
        expect((await ask('to-something')), name).toBe(await ask('to-nothing'));
      }
    }
  });

  it('shows nothing of it in listings, walks and searches', async () => {
    const { dir, workspace } = place(resolveSymlinks);
    const shown = ['clean', 'clean/f.txt', 'plain.txt', 'public.pem', 'sub', 'sub/e.txt', 'sub/private', 'sub/private/open.txt', 'vault'];
    const walked: string[] = [];
    for await (const { filePath } of workspace.walk('.')) walked.push(path.relative(dir, filePath));
    expect(walked).toEqual(shown);
    const relative = (entries: { path: string }[]): string[] => entries.map((entry) => path.relative(dir, entry.path).replace(/\/$/, ''));
    const listed = await workspace.list('.', { recursive: true });
    expect(relative(listed.entries).filter((entry) => !entry.startsWith('to-'))).toEqual(shown);
    expect(listed.skipped).toBe(0);
    expect(relative((await workspace.list('.')).entries)).not.toContain('.env');
    const found = await workspace.search({ name: '.' });
    expect(relative(found.results).filter((entry) => !entry.startsWith('to-'))).toEqual(shown);
    const contents = await workspace.search({ content: `${SECRET}|plain` });
    expect(relative(contents.results)).toEqual(['plain.txt']);
    expect(contents.complete).toBe(true);
    expect((await workspace.search({ dir: 'vault', content: SECRET })).results).toEqual([]);
    expect((await workspace.list('vault')).entries).toEqual([]);
  });

  it('keeps directories that hold what is denied', async () => {
    const at = place(resolveSymlinks);
    const before = snapshot(at.dir);
    for (const target of ['sub', 'vault']) {
      const removed = await answers(toolOf(at, 'delete_file'), { paths: [target], recursive: true });
      const moved = await answers(toolOf(at, 'move_file'), { source: target, destination: 'elsewhere' });
      for (const { status, result } of [...removed, ...moved]) {
        expect(status, result).toBe('error');
        expect(result).not.toContain('.env');
        expect(result).not.toContain('c.txt');
      }
      await expect(at.workspace.remove(target, { recursive: true })).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
      await expect(at.workspace.rename(target, 'elsewhere')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    }
    expect(snapshot(at.dir)).toEqual(before);
    await at.workspace.remove('clean', { recursive: true });
    expect(fs.existsSync(path.join(at.dir, 'clean'))).toBe(false);
  });

  it('refuses a move that would bring something to a denied place', async () => {
    const { dir, workspace } = place(resolveSymlinks, ['/new/hidden.txt']);
    fs.writeFileSync(path.join(dir, 'clean/hidden.txt'), '');
    await expect(workspace.rename('clean', 'new')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    expect(fs.existsSync(path.join(dir, 'clean/hidden.txt'))).toBe(true);
    await workspace.rename('clean', 'other');
  });

  it('does not tell where a link leads, but lets links go', async () => {
    const at = place(resolveSymlinks);
    expect(await at.workspace.info('to-env')).not.toMatchObject({ target: expect.anything() as unknown });
    const [{ result } = { result: '' }] = await answers(toolOf(at, 'entry_info'), { paths: ['to-env'] });
    expect(result.replaceAll('to-env', '')).not.toContain('.env');
    await at.workspace.remove('to-env');
    expect(fs.readFileSync(path.join(at.dir, '.env'), 'utf8')).toBe(SECRET);
    await at.workspace.rename('to-private', 'kept-link');
    expect(fs.readlinkSync(path.join(at.dir, 'kept-link'))).toBe('private');
  });

  it('holds for engine methods', async () => {
    const { workspace } = place(resolveSymlinks);
    const refused = { code: 'ERR_NOT_GRANTED' };
    for (const target of DENIED) {
      await expect(workspace.readText(target), target).rejects.toMatchObject(refused);
      await expect(workspace.writeText(target, 'x'), target).rejects.toMatchObject(refused);
      await expect(workspace.edit(target, { kind: 'insert', content: 'x' }), target).rejects.toMatchObject(refused);
      await expect(workspace.list(target), target).rejects.toMatchObject(refused);
      await expect(workspace.search({ dir: target, content: 'x' }), target).rejects.toMatchObject(refused);
      await expect(workspace.createDirectory(target), target).rejects.toMatchObject(refused);
      if (LINKS.has(target)) continue;
      await expect(workspace.info(target), target).rejects.toMatchObject(refused);
      await expect(workspace.remove(target, { recursive: true }), target).rejects.toMatchObject(refused);
      await expect(workspace.rename(target, 'moved'), target).rejects.toMatchObject(refused);
      await expect(workspace.rename('plain.txt', target), target).rejects.toMatchObject(refused);
    }
  });

  it('lets the rest be', async () => {
    const { dir, workspace } = place(resolveSymlinks);
    expect((await workspace.readText('public.pem')).text).toBe('public');
    expect((await workspace.readText('to-plain')).text).toBe('plain');
    expect((await workspace.readText('sub/private/open.txt')).text).toBe('open');
    await workspace.writeText('sub/new/private/x.txt', 'x');
    await workspace.writeText('.env.example', 'x');
    expect(fs.existsSync(path.join(dir, 'sub/new/private/x.txt'))).toBe(true);
    await workspace.switchWorkspace('sub');
    await expect(workspace.readText('.env')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    await expect(workspace.switchWorkspace('../private')).rejects.toThrow('not within any configured directory');
  });

  it('is explained', () => {
    const { dir, workspace } = place(resolveSymlinks);
    for (const [target, rule] of [['.env', '.env'], ['sub/x.pem', '*.pem'], ['private/a.txt', '/private'], ['to-env', '.env']]) {
      for (const right of ['read', 'write'] as const) {
        const explained = workspace.explain(target!, right);
        expect(explained, target).toMatchObject({ allowed: false, reason: expect.stringContaining(`'${rule!}'`) as string });
        expect(workspace.canRead(target!) || workspace.canWrite(target!), target).toBe(false);
      }
    }
    expect(workspace.explain('public.pem', 'write')).toMatchObject({ allowed: true, grant: dir });
  });

  it('holds for the published tools on a native workspace', async () => {
    const { workspace } = place(resolveSymlinks);
    const theirs = new published.FileToolPackage(workspace as never).tools();
    for (const [name, args] of CALLS) {
      const tool = theirs.find((one) => one.name === name);
      if (!tool) continue;
      for (const target of ['.env', 'private/a.txt', 'to-env', 'to-private/a.txt']) {
        const results = await tool.execute(args(target) as never);
        for (const { result } of results) expect(result, `${name} ${target}`).not.toContain(SECRET);
      }
    }
    const [found] = await theirs.find(({ name }) => name === 'search_entries')!.execute({ path: '.', content_pattern: SECRET });
    expect(found!.result).not.toContain('.env');
  });
});

describe('deny rules', () => {
  beforeEach(() => {
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  it('live: changes in place hold from the next call', async () => {
    const { workspace } = place(false, []);
    expect((await workspace.readText('.env')).text).toBe(SECRET);
    workspace.config.deny.push('.env');
    await expect(workspace.readText('.env')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    workspace.config.deny = ['*', '!.env'];
    expect((await workspace.readText('.env')).text).toBe(SECRET);
    await expect(workspace.readText('plain.txt')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    workspace.config.deny.length = 0;
    expect((await workspace.readText('plain.txt')).text).toBe('plain');
  });

  it('are kept by deduplicate and getConfiguration, and may come as a plain object', () => {
    const { dir, workspace } = place(false);
    expect(workspace.getConfiguration().deny).toEqual(RULES);
    expect(workspace.getConfiguration().deny).not.toBe(workspace.config.deny);
    workspace.config.deduplicate();
    expect(workspace.config.deny).toEqual(RULES);
    const plain = new Workspace({ accesses: [{ type: 'read', path: dir }], deny: ['.env'] });
    expect([plain.canRead('.env'), plain.canRead('plain.txt')]).toEqual([false, true]);
    expect(new DirectoryConfiguration([]).deny).toEqual([]);
  });

  it('come from the environment, unless given', () => {
    vi.stubEnv('LLM_CHAT_WORKSPACE_DENY', ' .env, secrets/** ,,');
    expect(new DirectoryConfiguration().deny).toEqual(['.env', 'secrets/**']);
    expect(new DirectoryConfiguration(undefined, undefined, undefined, undefined, undefined, ['x']).deny).toEqual(['x']);
    expect(new DirectoryConfiguration([]).deny).toEqual([]);
  });

  it.each([['a['], ['a\0'], ['a\nb'], ['\ud800'], ['!'], ['/'], ['./.env'], ['../x'], [7], new Array<string>(1), '.env'])('are refused where they are none: %j', (...deny) => {
    const accesses = [{ type: AccessType.Read, path: '/' }];
    const rules = (deny.length === 1 && deny[0] === '.env' ? '.env' : deny) as string[];
    const make = (): Workspace => new Workspace(new DirectoryConfiguration(accesses, [], false, undefined, undefined, rules));
    expect(make).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }) as Error);
  });

  it('hold for names with braces, which mean nothing else', async () => {
    const { dir, workspace } = place(false, ['{slug}.txt', '{plain,public}.*']);
    fs.writeFileSync(path.join(dir, '{slug}.txt'), SECRET);
    await expect(workspace.readText('{slug}.txt')).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    expect(workspace.explain('{slug}.txt', 'read').reason).toContain("'{slug}.txt'");
    expect((await workspace.readText('plain.txt')).text).toBe('plain');
  });

  it('are none in a configuration of the published class', () => {
    const { dir } = place(false);
    const workspace = new Workspace(new publishedWorkspace.DirectoryConfiguration([{ type: publishedWorkspace.AccessType.Write, path: dir }]) as never);
    expect(workspace.getConfiguration().deny).toEqual([]);
    expect(workspace.canRead('.env')).toBe(true);
  });

  it('of one access hold beneath another that lies within it', async () => {
    const { dir } = place(false);
    const accesses = ['', 'sub'].map((name) => ({ type: AccessType.Write, path: path.join(dir, name) }));
    const workspace = new Workspace(new DirectoryConfiguration(accesses, [], true, undefined, undefined, ['/private', 'sub/e.txt']));
    for (const target of ['private/a.txt', 'sub/private/open.txt', 'sub/e.txt']) {
      await expect(workspace.readText(target), target).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
    }
    expect((await workspace.list('sub')).entries.map((entry) => path.basename(entry.path))).toEqual(['.env']);
  });

  it('hold by both spellings of an access that is a link', async () => {
    const { dir } = place(false);
    const alias = path.join(temporaryTree({ alias: link(dir) }), 'alias');
    for (const resolveSymlinks of [false, true]) {
      const workspace = new Workspace(new DirectoryConfiguration([{ type: AccessType.Read, path: alias }], [], resolveSymlinks, undefined, undefined, ['/private']));
      await expect(workspace.readText(path.join(alias, 'private/a.txt'))).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
      await expect(workspace.readText(path.join(dir, 'private/a.txt'))).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
      await expect(workspace.readText(path.join(alias, 'to-private/a.txt'))).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
      expect((await workspace.readText(path.join(alias, 'plain.txt'))).text).toBe('plain');
    }
  });
});
