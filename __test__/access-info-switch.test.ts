import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccessType, DirectoryConfiguration, FileAccessInfoTool, FileConfiguration, SwitchWorkspaceTool, Workspace } from '../index.js';
import { temporaryTree } from './support/tree.js';
import { failure, success, workspaceOn, workspaceWith } from './support/tools.js';

describe('file_access_info', () => {
  it('lists every access, marks the current one, and names the limit', async () => {
    const tool = new FileAccessInfoTool(workspaceWith(['/data', '/a/'], ['/home/project']), new FileConfiguration(1234));
    expect(await success(tool, {})).toBe(
      [
        'Configured file system access:',
        `  ${'/data'.padEnd(60)} read`,
        `  ${'/a'.padEnd(60)} read`,
        `  ${'/home/project'.padEnd(60)} write  (current workspace)`,
        'max chars per file: 1234',
      ].join('\n'),
    );
  });

  it('marks only an access that is the current directory itself', async () => {
    const workspace = workspaceWith([], ['/a', '/b']);
    const tool = new FileAccessInfoTool(workspace, new FileConfiguration());
    const marked = async (): Promise<string[]> => (await success(tool, {})).split('\n').filter((line) => line.includes('(current workspace)'));
    expect(await marked()).toHaveLength(1);
    await workspace.switchWorkspace('/a/sub');
    expect(await marked()).toEqual([]);
    await workspace.switchWorkspace('/b');
    expect(await marked()).toEqual([`  ${'/b'.padEnd(60)} write  (current workspace)`]);
  });

  it('does not cut long paths', async () => {
    const long = `/${'x'.repeat(80)}`;
    expect(await success(new FileAccessInfoTool(workspaceWith([long], ['/a']), new FileConfiguration()), {})).toContain(`  ${long} read\n`);
  });

  it('ignores arguments and reads everything live', async () => {
    const file = new FileConfiguration();
    const workspace = workspaceWith([], ['/a']);
    const tool = new FileAccessInfoTool(workspace, file);
    const before = await success(tool, { path: '/etc', anything: null });
    expect(before).toMatch(/max chars per file: 100000$/);
    file.maxCharsPerFile = 7;
    workspace.addAccess(AccessType.Read, '/b');
    const after = await success(tool, {});
    expect(after).toMatch(/max chars per file: 7$/);
    expect(after).toContain(`  ${'/b'.padEnd(60)} read\n`);
  });
});

describe('switch_workspace', () => {
  it('switches, and says where', async () => {
    const workspace = workspaceWith([], ['/tmp']);
    const tool = new SwitchWorkspaceTool(workspace);
    expect(await success(tool, { path: '/tmp/subdir' })).toBe('Switched workspace to: /tmp/subdir');
    expect(workspace.currentPath).toBe('/tmp/subdir');
    expect(await success(tool, { path: ' /tmp/./x/.. ' })).toBe('Switched workspace to: /tmp');
  });

  it.each([[{}], [{ path: 123 }], [{ path: '' }], [{ path: ' \t' }], [{ path: null }], [{ path: ['/tmp'] }]])('refuses %j', async (args) => {
    expect(await failure(new SwitchWorkspaceTool(workspaceWith([], ['/tmp'])), args)).toBe('path must be a non-empty string');
  });

  it('refuses the outside with the trimmed target', async () => {
    const workspace = workspaceWith([], ['/tmp']);
    expect(await failure(new SwitchWorkspaceTool(workspace), { path: ' /etc ' })).toBe('Path is not within any configured directory: /etc');
    expect(workspace.currentPath).toBe('/tmp');
  });

  it('awaits the hook, and answers with its error', async () => {
    const seen: string[] = [];
    const workspace = new Workspace(new DirectoryConfiguration([{ type: AccessType.Write, path: '/a' }]), async (at) => {
      await new Promise(setImmediate);
      seen.push(at);
      if (at === '/a/bad') throw new Error('hook says no');
    });
    const tool = new SwitchWorkspaceTool(workspace);
    await success(tool, { path: '/a/good' });
    expect(seen).toEqual(['/a/good']);
    expect(await failure(tool, { path: '/a/bad' })).toBe('hook says no');
  });

  it('faults S13: takes a relative path from the current directory', async () => {
    const dir = temporaryTree({ a: { b: {} } });
    const tool = new SwitchWorkspaceTool(workspaceOn(dir));
    expect(await success(tool, { path: 'a' })).toBe(`Switched workspace to: ${path.join(dir, 'a')}`);
    expect(await success(tool, { path: './b' })).toBe(`Switched workspace to: ${path.join(dir, 'a/b')}`);
    expect(await failure(tool, { path: '../../..' })).toBe('Path is not within any configured directory: ../../..');
  });

  it('faults K01: refuses a file', async () => {
    const dir = temporaryTree({ 'a.txt': '' });
    const workspace = workspaceOn(dir);
    expect(await failure(new SwitchWorkspaceTool(workspace), { path: ` ${dir}/a.txt` })).toBe(`Path is not a directory: ${dir}/a.txt`);
    expect(workspace.currentPath).toBe(dir);
  });
});
