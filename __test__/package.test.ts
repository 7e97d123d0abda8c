import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AccessType, DirectoryConfiguration, FileConfiguration, FilePool, FileToolPackage, ReadFileTool, SearchConfiguration, Workspace } from '../index.js';
import { read, temporaryTree } from './support/tree.js';
import { answers, failure, success, workspaceOn } from './support/tools.js';

const NAMES = [
  'search_entries', 'list_directory', 'read_file', 'write_file', 'replace_file_lines', 'insert_file_content', 'replace_file_content', 'entry_info',
  'delete_file', 'create_folder', 'move_file', 'file_access_info', 'switch_workspace',
];

const find = (bundle: FileToolPackage, name: string): ReturnType<FileToolPackage['tools']>[number] => {
  const tool = bundle.tools().find((each) => each.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
};

describe('FileToolPackage', () => {
  it('has thirteen tools in order', () => {
    expect(new FileToolPackage(workspaceOn(temporaryTree({}))).tools().map((tool) => tool.name)).toEqual(NAMES);
  });

  it('has tools that answer even without arguments', async () => {
    for (const tool of new FileToolPackage(workspaceOn(temporaryTree({}))).tools()) {
      const results = await tool.execute({});
      expect(results.length, tool.name).toBeGreaterThan(0);
      for (const { tool: name, result, status } of results) {
        expect(name).toBe(tool.name);
        expect(typeof result).toBe('string');
        expect(['success', 'error']).toContain(status);
      }
    }
  });

  it('has a tutorial that explains paths, and the guard while it is on', () => {
    const file = new FileConfiguration(undefined, undefined, true);
    const bundle = new FileToolPackage(workspaceOn(temporaryTree({})), undefined, file);
    for (const part of ['Path resolution', 'filesystem root', 'workspace root', 'Read before write']) expect(bundle.tutorial()).toContain(part);
    file.requireReadBeforeWrite = false;
    expect(bundle.tutorial()).not.toContain('Read before write');
    expect(bundle.tutorial()).toContain('Path resolution');
  });

  it('hands the configurations to its tools', async () => {
    const workspace = workspaceOn(temporaryTree({ a: '', b: '' }));
    const bundle = new FileToolPackage(workspace, new SearchConfiguration(1), new FileConfiguration(77));
    expect(await success(find(bundle, 'file_access_info'), {})).toContain('max chars per file: 77');
    expect((await success(find(bundle, 'search_entries'), { type: 'file' })).split('\n')).toHaveLength(1);
    expect(await failure(find(bundle, 'write_file'), { path: 'c', content: 'x'.repeat(78) })).toContain('exceeds max length of 77');
  });

  it('makes one pool for all its tools, or takes one', async () => {
    const workspace = workspaceOn(temporaryTree({ 'a.txt': 'x' }));
    const file = new FileConfiguration(undefined, undefined, true);
    const pool = new FilePool(file);
    const [one, two] = [new FileToolPackage(workspace, undefined, file, pool), new FileToolPackage(workspace, undefined, file, pool)];
    const apart = new FileToolPackage(workspace, undefined, file);
    await success(find(one, 'read_file'), { paths: ['a.txt'] });
    expect(await failure(find(apart, 'write_file'), { path: 'a.txt', content: 'y' })).toContain('must be read');
    await success(find(two, 'write_file'), { path: 'a.txt', content: 'y' });
    expect(await failure(find(apart, 'replace_file_content'), { paths: ['a.txt'], old_content: 'y', new_content: 'z' })).toContain('must be read');
  });

  it('follows a switch in the tools that come after it', async () => {
    const dir = temporaryTree({ sub: { 'a.txt': 'inner' }, 'a.txt': 'outer' });
    const bundle = new FileToolPackage(workspaceOn(dir));
    await success(find(bundle, 'switch_workspace'), { path: `${dir}/sub` });
    expect(await success(find(bundle, 'read_file'), { paths: ['a.txt'] })).toContain('\ninner');
  });

  it('faults C12: follows a switch that was called in the same tick', async () => {
    const dir = temporaryTree({ sub: { 'a.txt': 'inner' }, 'a.txt': 'outer' });
    const bundle = new FileToolPackage(workspaceOn(dir));
    const [, result] = await Promise.all([
      success(find(bundle, 'switch_workspace'), { path: `${dir}/sub` }),
      success(find(bundle, 'read_file'), { paths: ['a.txt'] }),
    ]);
    expect(result).toContain('\ninner');
  });
});

describe('a workspace with overrides', () => {
  class NoSecrets extends Workspace {
    override canRead(at: string): boolean {
      return !at.includes('.env') && super.canRead(at);
    }

    override canWrite(at: string): boolean {
      return !at.includes('.env') && super.canWrite(at);
    }
  }

  const make = (): { dir: string; bundle: FileToolPackage } => {
    const dir = temporaryTree({ '.env': 'needle', 'a.txt': 'needle', d: { '.env': 'needle' } });
    const workspace = new NoSecrets(workspaceOn(dir).getConfiguration());
    return { dir, bundle: new FileToolPackage(workspace, undefined, new FileConfiguration(undefined, undefined, false)) };
  };

  it('refuses paths in every tool', async () => {
    const { dir, bundle } = make();
    const calls: [string, Record<string, unknown>][] = [
      ['read_file', { paths: ['.env'] }],
      ['write_file', { path: '.env', content: 'x' }],
      ['replace_file_lines', { path: '.env', content: 'x', start_line: 1 }],
      ['insert_file_content', { path: '.env', content: 'x' }],
      ['replace_file_content', { paths: ['.env'], old_content: 'needle', new_content: 'x' }],
      ['entry_info', { paths: ['.env'] }],
      ['delete_file', { paths: ['.env'] }],
      ['create_folder', { paths: ['.env.d'] }],
      ['move_file', { source: '.env', destination: 'b' }],
      ['move_file', { source: 'a.txt', destination: '.env2' }],
      ['list_directory', { path: '.env' }],
      ['search_entries', { path: '.env' }],
    ];
    for (const [name, args] of calls) expect(await failure(find(bundle, name), args), name).toMatch(/^Invalid or inaccessible/);
    expect(read(dir, '.env')).toBe('needle');
  });

  it('overrides count: listing, searching and recursive deletes ask for every entry', async () => {
    const { dir, bundle } = make();
    expect(await success(find(bundle, 'list_directory'), { path: '.', recursive: true })).toBe(`${dir}/a.txt\n${dir}/d/`);
    expect(await success(find(bundle, 'list_directory'), { path: '.' })).toBe(`${dir}/a.txt\n${dir}/d/`);
    expect(await success(find(bundle, 'search_entries'), { content_pattern: 'needle' })).toBe(`${dir}/a.txt:1: needle`);
    const [deleted] = await answers(find(bundle, 'delete_file'), { paths: ['d'], recursive: true });
    expect(deleted?.status).toBe('error');
    const [moved] = await answers(find(bundle, 'move_file'), { source: 'd', destination: 'e' });
    expect(moved?.result).toMatch(/^Invalid or inaccessible source path/);
    expect(read(dir, 'd/.env')).toBe('needle');
  });

  it('overrides count: a promise is no leave', async () => {
    class Late extends Workspace {
      override canRead(): boolean {
        return Promise.resolve(false) as unknown as boolean;
      }
    }
    const dir = temporaryTree({ 'a.txt': 'needle' });
    const late = new Late(new DirectoryConfiguration([{ type: AccessType.Write, path: dir }]));
    expect(await failure(new ReadFileTool(late), { paths: ['a.txt'] })).toMatch(/^Invalid or inaccessible path/);
  });

  it('overrides count: a check that fails is no leave, in any tool', async () => {
    class Failing extends Workspace {
      override canRead(): boolean {
        throw new Error('the rules could not be loaded');
      }

      override canWrite(): boolean {
        throw new Error('the rules could not be loaded');
      }
    }
    const dir = temporaryTree({ 'a.txt': 'needle', d: { 'b.txt': 'needle' } });
    const bundle = new FileToolPackage(
      new Failing(new DirectoryConfiguration([{ type: AccessType.Write, path: dir }])),
      undefined,
      new FileConfiguration(undefined, undefined, false),
    );
    const calls: [string, Record<string, unknown>][] = [
      ['read_file', { paths: ['a.txt'] }],
      ['write_file', { path: 'a.txt', content: 'x' }],
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['replace_file_lines', { path: 'a.txt', content: 'x', start_line: 1 }],
      ['insert_file_content', { path: 'a.txt', content: 'x' }],
      ['replace_file_content', { paths: ['a.txt'], old_content: 'needle', new_content: 'x' }],
      ['entry_info', { paths: ['a.txt'] }],
      ['delete_file', { paths: ['d'], recursive: true }],
      ['create_folder', { paths: ['e'] }],
      ['move_file', { source: 'a.txt', destination: 'b.txt' }],
      ['list_directory', { path: '.' }],
      ['search_entries', { content_pattern: 'needle' }],
      ['switch_workspace', { path: `${dir}/d` }],
    ];
    for (const [name, args] of calls) {
      const told = (await answers(find(bundle, name), args)).map((answer) => `${answer.status}: ${answer.result}`);
      expect(told.join('\n'), name).toMatch(/^error/);
      expect(told.join('\n'), name).not.toContain('needle');
    }
    expect([read(dir, 'a.txt'), read(dir, 'd/b.txt'), readdirSync(dir).sort()]).toEqual(['needle', 'needle', ['a.txt', 'd']]);
  });

  it('overrides count: a workspace that is none is refused by the tools’ constructors', () => {
    const duck = { currentPath: '/', normalize: (at: string) => at, canRead: () => true, canWrite: () => true } as unknown as Workspace;
    expect(() => new ReadFileTool(duck)).toThrow(TypeError);
    expect(() => new FileToolPackage(duck)).toThrow(TypeError);
  });
});
