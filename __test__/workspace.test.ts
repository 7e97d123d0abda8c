import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { AccessPrecedence, AccessType, DirectoryConfiguration, Workspace } from '../index.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

const { Read, Write } = AccessType;
const TIP = ' (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)';

/** A workspace on paths that do not exist; `r:/a` is readable, any other path writable. */
function on(grants: string[], options: { workspacePath?: string; precedence?: AccessPrecedence; skipDirs?: string[] } = {}): Workspace {
  const accesses = grants.map((grant) =>
    grant.startsWith('r:') ? { type: Read, path: grant.slice(2) } : { type: Write, path: grant },
  );
  return new Workspace(new DirectoryConfiguration(accesses, options.skipDirs, false, options.workspacePath, options.precedence));
}

/** The accesses in the notation of `on`. */
const grantsOf = (workspace: Workspace): string[] => workspace.getAccesses().map(({ type, path: at }) => (type === Read ? `r:${at}` : at));

describe('Workspace construction', () => {
  it('needs an access', () => {
    expect(() => on([])).toThrow('At least one access directory is required');
  });

  it('deduplicates the caller’s configuration and keeps that very object', () => {
    const configuration = new DirectoryConfiguration([{ type: Read, path: '/a' }, { type: Write, path: '/a' }]);
    const workspace = new Workspace(configuration);
    expect(workspace.config).toBe(configuration);
    expect(configuration.accesses).toEqual([{ type: Write, path: '/a' }]);
  });

  it('plain object: is taken as a configuration', () => {
    const workspace = new Workspace({ accesses: [{ type: 'write', path: '/a' }] } as unknown as DirectoryConfiguration);
    expect(workspace.getAccesses()).toEqual([{ type: 'write', path: '/a' }]);
    expect(workspace.config).toBeInstanceOf(DirectoryConfiguration);
    expect(workspace.currentPath).toBe('/a');
  });

  it('starts in workspacePath, even outside every access, else in the first write, else the first access', () => {
    expect(on(['/home/project'], { workspacePath: '/workspace' }).currentPath).toBe('/workspace');
    expect(on(['r:/data', '/home/project', '/other']).currentPath).toBe('/home/project');
    expect(on(['r:/data', 'r:/more']).currentPath).toBe('/data');
    expect(on(['/a/b/../c/']).currentPath).toBe('/a/c');
    expect(on(['/a'], { workspacePath: 'rel' }).currentPath).toBe(path.resolve('rel'));
  });

  it('starts in the real directory when links are resolved', () => {
    const dir = temporaryTree({ real: {} });
    fs.symlinkSync('real', path.join(dir, 'link'));
    const configuration = new DirectoryConfiguration([{ type: Write, path: dir }], [], true, path.join(dir, 'link'));
    expect(new Workspace(configuration).currentPath).toBe(path.join(dir, 'real'));
  });
});

describe('canRead and canWrite', () => {
  const workspace = on(['r:/data', '/home/project']);

  it.each([
    ['/home/project', true, true], ['/home/project/src/deep/file.ts', true, true], ['/data', true, false], ['/data/x', true, false],
    ['/etc/passwd', false, false], ['/home', false, false], ['/', false, false], ['/home/project-other', false, false], ['/home/project/../x', false, false],
    ['/data/../home/project/a', true, true], ['src', true, true], ['.', true, true], ['..', false, false], ['', true, true], ['../../data/x', true, false],
  ])('%j: read %s, write %s', (at, read, write) => {
    expect(workspace.canRead(at)).toBe(read);
    expect(workspace.canWrite(at)).toBe(write);
  });

  it('follow every change of the live configuration', () => {
    const live = on(['/a']);
    live.config.accesses.push({ type: Read, path: '/b' });
    expect(live.canRead('/b/x')).toBe(true);
    const [, second] = live.config.accesses;
    if (second !== undefined) second.type = Write;
    expect(live.canWrite('/b/x')).toBe(true);
    live.config.accesses = [{ type: Write, path: '/c' }];
    expect([live.canRead('/a'), live.canRead('/b'), live.canRead('/c')]).toEqual([false, false, true]);
    live.currentPath = '/c/d';
    expect(live.normalize('x')).toBe('/c/d/x');
    expect(live.canWrite('')).toBe(true);
  });

  it('faults S7: a name that begins with two dots is inside', () => {
    expect(workspace.canRead('/data/..foo')).toBe(true);
    expect(workspace.canWrite('/home/project/...')).toBe(true);
    expect(workspace.canWrite('/home/project/..x/y')).toBe(true);
  });

  it('keep a read grant inside a writable one writable by default', () => {
    expect(on(['/a', 'r:/a/b']).canWrite('/a/b/c')).toBe(true);
  });

  it('faults S8: the longest grant decides with most-specific-wins', () => {
    const specific = on(['/a', 'r:/a/b', '/a/b/c'], { precedence: 'most-specific-wins' as AccessPrecedence });
    expect([specific.canWrite('/a/x'), specific.canWrite('/a/b/x'), specific.canWrite('/a/b/c/x')]).toEqual([true, false, true]);
    expect(specific.canRead('/a/b/x')).toBe(true);
  });
});

describe('normalize', () => {
  it('resolves against the current directory', () => {
    const workspace = on(['/home/project']);
    expect(workspace.normalize('src/file.ts')).toBe('/home/project/src/file.ts');
    expect(workspace.normalize('/etc/passwd')).toBe('/etc/passwd');
    expect(workspace.normalize('')).toBe('/home/project');
    expect(workspace.normalize('a//b/./c/../d/')).toBe('/home/project/a/b/d');
    expect(workspace.normalize('../../../../..')).toBe('/');
    expect(workspace.normalize(' x ')).toBe('/home/project/ x ');
  });

  it('gives the real path when links are resolved, and the plain one of what does not exist', () => {
    const dir = temporaryTree({ real: { 'a.txt': 'x' } });
    fs.symlinkSync('real', path.join(dir, 'link'));
    expect(workspaceOn(dir, true).normalize('link/a.txt')).toBe(path.join(dir, 'real/a.txt'));
    expect(workspaceOn(dir, true).normalize('nonexistent')).toBe(path.join(dir, 'nonexistent'));
    expect(workspaceOn(dir, false).normalize('link/a.txt')).toBe(path.join(dir, 'link/a.txt'));
  });

  it('faults S2: resolves the deepest ancestor of a name that does not exist', () => {
    const dir = temporaryTree({ inside: {}, outside: {} });
    fs.symlinkSync('../outside', path.join(dir, 'inside/link'));
    const workspace = workspaceOn(path.join(dir, 'inside'), true);
    expect(workspace.normalize('link/new.txt')).toBe(path.join(dir, 'outside/new.txt'));
    expect(workspace.canRead('link/new.txt')).toBe(false);
    expect(workspace.canWrite('link/sub/new.txt')).toBe(false);
  });
});

describe('resolveSymlinks', () => {
  function linked(resolveSymlinks: boolean): Workspace {
    const dir = temporaryTree({ inside: { 'plain.txt': 'x' }, outside: { 'secret.txt': 'x' } });
    fs.symlinkSync('../outside', path.join(dir, 'inside/out'));
    fs.symlinkSync('plain.txt', path.join(dir, 'inside/in'));
    return workspaceOn(path.join(dir, 'inside'), resolveSymlinks);
  }

  it('off: a link to an outside directory is readable', () => {
    expect(linked(false).canRead('out')).toBe(true);
    expect(linked(false).canRead('out/secret.txt')).toBe(true);
  });

  it('on: it is not, while links to the inside and plain files are', () => {
    const workspace = linked(true);
    expect(workspace.canRead('out')).toBe(false);
    expect(workspace.canRead('out/secret.txt')).toBe(false);
    expect(workspace.canRead('in')).toBe(true);
    expect(workspace.canRead('plain.txt')).toBe(true);
  });

  it('takes effect at once when it is switched', () => {
    const workspace = linked(false);
    const before = workspace.currentPath;
    workspace.setResolveSymlinks(true);
    expect(workspace.resolveSymlinks).toBe(true);
    expect(workspace.config.resolveSymlinks).toBe(true);
    expect(workspace.currentPath).toBe(before);
    expect(workspace.canRead('out')).toBe(false);
    workspace.config.resolveSymlinks = false;
    expect(workspace.canRead('out')).toBe(true);
  });

  it('faults S5: a grant whose own path goes through a link works by both spellings', () => {
    const dir = temporaryTree({ real: { 'a.txt': 'x' } });
    fs.symlinkSync('real', path.join(dir, 'link'));
    const workspace = workspaceOn(path.join(dir, 'link'), true);
    expect(workspace.canRead(path.join(dir, 'link/a.txt'))).toBe(true);
    expect(workspace.canWrite(path.join(dir, 'real/a.txt'))).toBe(true);
    expect(workspace.canRead(path.join(dir, 'other'))).toBe(false);
  });
});

describe('addAccess', () => {
  it('appends, and is a no-op for the same write', () => {
    const workspace = on(['/a']);
    workspace.addAccess(Read, '/b');
    workspace.addAccess(Write, '/a');
    workspace.addAccess(Write, '/c/');
    expect(grantsOf(workspace)).toEqual(['/a', 'r:/b', '/c']);
    expect(workspace.currentPath).toBe('/a');
  });

  it('turns read into write, and not back', () => {
    const workspace = on(['r:/a', '/b']);
    workspace.addAccess(Write, '/a');
    workspace.addAccess(Read, '/b');
    expect(grantsOf(workspace)).toEqual(['/a', '/b']);
  });

  it('lets the last one win when asked to', async () => {
    const workspace = on(['/a', 'r:/b', '/c'], { precedence: AccessPrecedence.LastAddedWins });
    await workspace.switchWorkspace('/a/sub');
    workspace.addAccess(Read, '/a');
    workspace.addAccess(Write, '/b');
    expect(grantsOf(workspace)).toEqual(['r:/a', '/b', '/c']);
    expect(workspace.currentPath).toBe('/a/sub');
  });

  it('resolves against the process’s directory', () => {
    const workspace = on(['/a']);
    workspace.addAccess(Read, 'relative');
    expect(grantsOf(workspace)).toEqual(['/a', `r:${path.resolve('relative')}`]);
  });
});

describe('removeAccess', () => {
  it('removes every entry of a directory', () => {
    const workspace = on(['/a', 'r:/b']);
    workspace.removeAccess('/b');
    expect(grantsOf(workspace)).toEqual(['/a']);
    workspace.removeAccess('/unknown');
    expect(grantsOf(workspace)).toEqual(['/a']);
  });

  it('refuses to remove the last one and changes nothing', () => {
    const workspace = on(['/a']);
    expect(() => workspace.removeAccess('/a')).toThrow('At least one access directory is required');
    expect(grantsOf(workspace)).toEqual(['/a']);
    expect(workspace.currentPath).toBe('/a');
  });

  it('knows a directory with a trailing slash by its plain name', () => {
    const workspace = on(['/a/', '/b']);
    expect(grantsOf(workspace)).toEqual(['/a', '/b']);
    workspace.removeAccess('/a');
    expect(grantsOf(workspace)).toEqual(['/b']);
  });

  it('falls back to workspacePath, then the first write, then the first access', async () => {
    const first = on(['/a', '/b'], { workspacePath: '/a/ws' });
    await first.switchWorkspace('/b/sub');
    first.removeAccess('/b');
    expect(first.currentPath).toBe('/a/ws');

    const second = on(['r:/r', '/b', '/c']);
    await second.switchWorkspace('/b');
    second.removeAccess('/b');
    expect(second.currentPath).toBe('/c');

    const third = on(['r:/r', '/b', 'r:/s'], { workspacePath: '/outside' });
    await third.switchWorkspace('/b');
    third.removeAccess('/b');
    expect(third.currentPath).toBe('/r');
  });

  it('keeps the current directory while it is inside, and tells no hook', async () => {
    const hook = vi.fn();
    const workspace = new Workspace(new DirectoryConfiguration([{ type: Write, path: '/a' }, { type: Write, path: '/b' }]), hook);
    await workspace.switchWorkspace('/a/sub');
    hook.mockClear();
    workspace.removeAccess('/b');
    expect(workspace.currentPath).toBe('/a/sub');
    workspace.addAccess(Read, '/c');
    workspace.removeAccess('/a');
    expect(workspace.currentPath).toBe('/c');
    expect(hook).not.toHaveBeenCalled();
  });
});

describe('settings', () => {
  it('stores the skip list by reference', () => {
    const workspace = on(['/a'], { skipDirs: ['x'] });
    expect(workspace.skipDirs).toEqual(['x']);
    expect(workspace.skipDirs).toBe(workspace.config.skipDirs);
    const list = ['y'];
    workspace.setSkipDirs(list);
    expect(workspace.skipDirs).toBe(list);
    expect(workspace.config.skipDirs).toBe(list);
  });

  it('sets and clears workspacePath without moving', () => {
    const workspace = on(['/a']);
    expect(workspace.workspacePath).toBeUndefined();
    workspace.setWorkspacePath('/tmp');
    expect(workspace.workspacePath).toBe('/tmp');
    workspace.setWorkspacePath('rel');
    expect(workspace.config.workspacePath).toBe(path.resolve('rel'));
    workspace.setWorkspacePath(undefined);
    expect(workspace.workspacePath).toBeUndefined();
    workspace.setWorkspacePath('/tmp');
    workspace.setWorkspacePath('');
    expect(workspace.workspacePath).toBeUndefined();
    expect(workspace.currentPath).toBe('/a');
  });

  it('gives fresh accesses and a fresh configuration, and the live one', () => {
    const workspace = on(['r:/a/', '/b'], { skipDirs: ['x'], workspacePath: '/b/c', precedence: AccessPrecedence.LastAddedWins });
    expect(workspace.getAccesses()).toEqual([{ type: 'read', path: '/a' }, { type: 'write', path: '/b' }]);
    expect(workspace.getAccesses()).not.toBe(workspace.getAccesses());
    const copy = workspace.getConfiguration();
    expect(copy).toBeInstanceOf(DirectoryConfiguration);
    expect(copy).not.toBe(workspace.config);
    expect({ ...copy }).toMatchObject({
      accesses: [{ type: 'read', path: '/a' }, { type: 'write', path: '/b' }], skipDirs: ['x'], resolveSymlinks: false, workspacePath: '/b/c', precedence: 'last-added-wins',
    });
    copy.accesses.pop();
    copy.skipDirs.push('y');
    expect(grantsOf(workspace)).toEqual(['r:/a', '/b']);
    expect(workspace.skipDirs).toEqual(['x']);
    workspace.config.skipDirs = ['live'];
    expect(workspace.skipDirs).toEqual(['live']);
  });
});

describe('pathHint', () => {
  const workspace = on(['/home/project']);

  it('explains absolute paths that are out of reach, and only those', () => {
    expect(workspace.pathHint('/etc', '/etc')).toBe(TIP);
    expect(workspace.pathHint('../x', '/home/x')).toBe('');
    expect(workspace.pathHint('/home/project/a', '/home/project/a')).toBe('');
    expect(workspace.pathHint(' /etc', '/etc')).toBe('');
    expect(workspace.pathHint('', '')).toBe('');
  });
});

describe('switchWorkspace', () => {
  it('goes to a directory inside, even one that does not exist', async () => {
    const workspace = on(['/tmp']);
    await expect(workspace.switchWorkspace('/tmp/subdir')).resolves.toBeUndefined();
    expect(workspace.currentPath).toBe('/tmp/subdir');
  });

  it('refuses the outside with the target as given', async () => {
    const workspace = on(['/a']);
    await expect(workspace.switchWorkspace('/etc/./x')).rejects.toThrow('Path is not within any configured directory: /etc/./x');
    expect(workspace.currentPath).toBe('/a');
  });

  it('may go to a directory that is only readable', async () => {
    const workspace = on(['/a', 'r:/b']);
    await workspace.switchWorkspace('/b/c');
    expect(workspace.currentPath).toBe('/b/c');
  });

  it('calls the hook once with the new path, awaits it, and not for a refusal', async () => {
    const seen: string[] = [];
    let done = false;
    const hook = async (at: string): Promise<void> => {
      seen.push(at);
      await new Promise(setImmediate);
      done = true;
    };
    const workspace = new Workspace(new DirectoryConfiguration([{ type: Write, path: '/a' }]), hook);
    expect(seen).toEqual([]);
    await workspace.switchWorkspace('/a/b');
    expect(seen).toEqual(['/a/b']);
    expect(done).toBe(true);
    await expect(workspace.switchWorkspace('/nope')).rejects.toThrow();
    expect(seen).toEqual(['/a/b']);
  });

  it('stands when its hook throws, and rejects', async () => {
    const hook = (): never => {
      throw new Error('the hook failed');
    };
    const workspace = new Workspace(new DirectoryConfiguration([{ type: Write, path: '/a' }]), hook as unknown as () => Promise<void>);
    await expect(workspace.switchWorkspace('/a/b')).rejects.toThrow('the hook failed');
    expect(workspace.currentPath).toBe('/a/b');
  });

  it('goes to the real directory when links are resolved', async () => {
    const dir = temporaryTree({ inside: { real: {} }, outside: {} });
    const inside = path.join(dir, 'inside');
    fs.symlinkSync('real', path.join(inside, 'link'));
    fs.symlinkSync('../outside', path.join(inside, 'out'));
    const workspace = workspaceOn(inside, true);
    await workspace.switchWorkspace(path.join(inside, 'link'));
    expect(workspace.currentPath).toBe(path.join(inside, 'real'));
    await expect(workspace.switchWorkspace(path.join(inside, 'out'))).rejects.toThrow('Path is not within any configured directory');
  });

  it('faults S13: a relative target is meant from the current directory', async () => {
    const dir = temporaryTree({ a: { b: {} } });
    const workspace = workspaceOn(dir);
    await workspace.switchWorkspace('a');
    expect(workspace.currentPath).toBe(path.join(dir, 'a'));
    await workspace.switchWorkspace('b');
    await workspace.switchWorkspace('..');
    expect(workspace.currentPath).toBe(path.join(dir, 'a'));
  });

  it('faults K01: a file is no workspace', async () => {
    const dir = temporaryTree({ 'a.txt': 'x' });
    const workspace = workspaceOn(dir);
    const target = path.join(dir, 'a.txt');
    await expect(workspace.switchWorkspace(target)).rejects.toThrow(`Path is not a directory: ${target}`);
    expect(workspace.currentPath).toBe(dir);
  });

  it('faults C12: a switch holds from the call on', async () => {
    const workspace = on(['/a']);
    const switching = workspace.switchWorkspace('/a/b');
    expect(workspace.normalize('x')).toBe('/a/b/x');
    await switching;
  });

  it('faults C13: parallel switches give each hook its own path, in call order', async () => {
    const seen: string[] = [];
    const hook = async (at: string): Promise<void> => {
      seen.push(at);
      await new Promise(setImmediate);
    };
    const workspace = new Workspace(new DirectoryConfiguration([{ type: Write, path: '/a' }]), hook);
    await Promise.all(['/a/1', '/a/2', '/a/3'].map((at) => workspace.switchWorkspace(at)));
    expect(seen).toEqual(['/a/1', '/a/2', '/a/3']);
    expect(workspace.currentPath).toBe('/a/3');
  });

  it('faults C14: a hook may itself switch', async () => {
    const seen: string[] = [];
    const workspace: Workspace = new Workspace(new DirectoryConfiguration([{ type: Write, path: '/a' }]), async (at: string) => {
      seen.push(at);
      if (at === '/a/1') await workspace.switchWorkspace('/a/2');
    });
    await workspace.switchWorkspace('/a/1');
    expect(seen).toEqual(['/a/1', '/a/2']);
    expect(workspace.currentPath).toBe('/a/2');
  });
});
