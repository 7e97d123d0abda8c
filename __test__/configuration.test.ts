import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AccessPrecedence, AccessType, DirectoryConfiguration, FileConfiguration, SearchConfiguration } from '../index.js';
import { cleanEnvironment } from './support/environment.js';

const { Read, Write } = AccessType;
const read = (at: string): { type: AccessType; path: string } => ({ type: Read, path: at });
const write = (at: string): { type: AccessType; path: string } => ({ type: Write, path: at });

/** The accesses that are left after deduplicate(). */
function deduplicated(accesses: { type: AccessType; path: string }[], precedence?: AccessPrecedence): { type: AccessType; path: string }[] {
  const configuration = new DirectoryConfiguration(accesses, undefined, undefined, undefined, precedence);
  configuration.deduplicate();
  return configuration.accesses;
}

describe('AccessType and AccessPrecedence', () => {
  it('are plain objects of strings', () => {
    expect({ ...AccessType }).toEqual({ Read: 'read', Write: 'write' });
    expect({ ...AccessPrecedence }).toMatchObject({ WriteWins: 'write-wins', LastAddedWins: 'last-added-wins' });
  });
});

describe('DirectoryConfiguration from arguments', () => {
  cleanEnvironment();

  it('keeps the caller’s own array, an empty one included', () => {
    const accesses = [write('/a')];
    const empty: typeof accesses = [];
    expect(new DirectoryConfiguration(accesses).accesses).toBe(accesses);
    expect(new DirectoryConfiguration(empty).accesses).toBe(empty);
  });

  it('has defaults that the environment does not touch', () => {
    process.env['LLM_CHAT_WORKSPACE_SKIP_DIRS'] = 'node_modules';
    process.env['LLM_CHAT_WORKSPACE_RESOLVE_SYMLINKS'] = 'true';
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/elsewhere';
    process.env['LLM_CHAT_WORKSPACE_PRECEDENCE'] = 'last-added-wins';
    const { skipDirs, resolveSymlinks, workspacePath, precedence } = new DirectoryConfiguration([write('/a')]);
    expect({ skipDirs, resolveSymlinks, workspacePath, precedence }).toEqual({
      skipDirs: [], resolveSymlinks: false, workspacePath: undefined, precedence: AccessPrecedence.WriteWins,
    });
  });

  it('takes every argument as given', () => {
    const skip = ['.git'];
    const configuration = new DirectoryConfiguration([read('relative')], skip, true, './here', AccessPrecedence.LastAddedWins);
    expect(configuration.skipDirs).toBe(skip);
    expect(configuration.resolveSymlinks).toBe(true);
    expect(configuration.workspacePath).toBe('./here');
    expect(configuration.precedence).toBe('last-added-wins');
    expect(new DirectoryConfiguration([read('/a')], [], false).resolveSymlinks).toBe(false);
  });
});

describe('deduplicate', () => {
  it('answers nothing and replaces the array by one of new objects', () => {
    const accesses = [write('/a'), write('/a')];
    const configuration = new DirectoryConfiguration(accesses);
    expect(configuration.deduplicate()).toBeUndefined();
    expect(configuration.accesses).not.toBe(accesses);
    expect(configuration.accesses).toEqual([write('/a')]);
    expect(configuration.accesses[0]).not.toBe(accesses[0]);
    expect(accesses).toHaveLength(2);
  });

  it('lets write win over read in either order, where the path was first seen', () => {
    expect(deduplicated([read('/a'), read('/b'), write('/a')])).toEqual([write('/a'), read('/b')]);
    expect(deduplicated([write('/a'), read('/b'), read('/a')])).toEqual([write('/a'), read('/b')]);
  });

  it('collapses duplicate reads and duplicate writes, and keeps what is distinct', () => {
    expect(deduplicated([read('/a'), read('/a')])).toEqual([read('/a')]);
    expect(deduplicated([write('/a'), write('/a'), write('/a')])).toEqual([write('/a')]);
    expect(deduplicated([read('/a'), write('/b'), read('/c')])).toEqual([read('/a'), write('/b'), read('/c')]);
    expect(deduplicated([])).toEqual([]);
  });

  it('lets the last one win when asked to, where the path was first seen', () => {
    const last = AccessPrecedence.LastAddedWins;
    expect(deduplicated([write('/a'), read('/b'), read('/a')], last)).toEqual([read('/a'), read('/b')]);
    expect(deduplicated([read('/a'), write('/a')], last)).toEqual([write('/a')]);
    expect(deduplicated([read('/a'), read('/a')], last)).toEqual([read('/a')]);
    expect(deduplicated([read('/a'), write('/b')], last)).toEqual([read('/a'), write('/b')]);
  });

  it('keeps precedence, workspacePath, resolveSymlinks and skipDirs', () => {
    const configuration = new DirectoryConfiguration([read('/a'), read('/a')], ['x'], true, '/ws', AccessPrecedence.LastAddedWins);
    configuration.deduplicate();
    const { skipDirs, resolveSymlinks, workspacePath, precedence } = configuration;
    expect({ skipDirs, resolveSymlinks, workspacePath, precedence }).toEqual({
      skipDirs: ['x'], resolveSymlinks: true, workspacePath: '/ws', precedence: 'last-added-wins',
    });
  });

  it('faults S9: one directory spelled in two ways is one', () => {
    expect(deduplicated([read('/a'), write('/a/'), read('/a/b/..')])).toEqual([write('/a')]);
    expect(deduplicated([write('/a'), read('/a/.')], AccessPrecedence.LastAddedWins)).toEqual([read('/a')]);
  });

  it('faults S10: a relative path is stored resolved', () => {
    expect(deduplicated([write('some/where')])).toEqual([write(path.resolve('some/where'))]);
  });

  it('most-specific-wins: acts as write-wins on one and the same path', () => {
    expect(deduplicated([read('/a'), write('/a'), read('/a/b')], 'most-specific-wins' as AccessPrecedence)).toEqual([write('/a'), read('/a/b')]);
  });
});

describe('DirectoryConfiguration from the environment', () => {
  cleanEnvironment();
  const cwd = write(process.cwd());

  it('grants the current directory when nothing is set', () => {
    const configuration = new DirectoryConfiguration();
    expect(configuration.accesses).toEqual([cwd]);
    expect(configuration.workspacePath).toBe(process.cwd());
    expect(configuration.skipDirs).toEqual([]);
    expect(configuration.resolveSymlinks).toBe(false);
    expect(configuration.precedence).toBe('write-wins');
  });

  it('ignores the other arguments when accesses are missing', () => {
    const configuration = new DirectoryConfiguration(undefined, ['x'], true, '/ws', AccessPrecedence.LastAddedWins);
    expect(configuration.skipDirs).toEqual([]);
    expect(configuration.resolveSymlinks).toBe(false);
    expect(configuration.workspacePath).toBe(process.cwd());
    expect(configuration.precedence).toBe('write-wins');
  });

  it('takes the workspace path as a write access', () => {
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/custom/ws';
    const configuration = new DirectoryConfiguration();
    expect(configuration.accesses).toEqual([write('/custom/ws')]);
    expect(configuration.workspacePath).toBe('/custom/ws');
  });

  it('resolves a relative workspace path', () => {
    process.env['LLM_CHAT_WORKSPACE_PATH'] = 'sub/dir';
    expect(new DirectoryConfiguration().workspacePath).toBe(path.resolve('sub/dir'));
  });

  it('puts read directories first, then write directories, then the workspace', () => {
    process.env['LLM_CHAT_WORKSPACE_READ_DIRS'] = '/r1,/r2';
    expect(new DirectoryConfiguration().accesses).toEqual([read('/r1'), read('/r2'), cwd]);
    process.env['LLM_CHAT_WORKSPACE_WRITE_DIRS'] = '/w1,w2';
    expect(new DirectoryConfiguration().accesses).toEqual([read('/r1'), read('/r2'), write('/w1'), write(path.resolve('w2')), cwd]);
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/ws';
    expect(new DirectoryConfiguration().accesses).toEqual([read('/r1'), read('/r2'), write('/w1'), write(path.resolve('w2')), write('/ws')]);
  });

  it('does not double a workspace that is a write directory already', () => {
    process.env['LLM_CHAT_WORKSPACE_WRITE_DIRS'] = '/ws,/w';
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/ws';
    expect(new DirectoryConfiguration().accesses).toEqual([write('/ws'), write('/w')]);
  });

  it('adds the workspace beside an equal read directory', () => {
    process.env['LLM_CHAT_WORKSPACE_READ_DIRS'] = '/ws';
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/ws';
    expect(new DirectoryConfiguration().accesses).toEqual([read('/ws'), write('/ws')]);
  });

  it('splits lists at commas, trims, and drops empty items', () => {
    process.env['LLM_CHAT_WORKSPACE_READ_DIRS'] = '/var/log,, /tmp ,';
    process.env['LLM_CHAT_WORKSPACE_SKIP_DIRS'] = ' node_modules ,,.git,';
    const configuration = new DirectoryConfiguration();
    expect(configuration.accesses).toEqual([read('/var/log'), read('/tmp'), cwd]);
    expect(configuration.skipDirs).toEqual(['node_modules', '.git']);
  });

  it.each([['true', true], ['false', false], ['1', false], ['TRUE', false], [' true', false], ['', false]])('reads RESOLVE_SYMLINKS=%j as %s', (raw, expected) => {
    process.env['LLM_CHAT_WORKSPACE_RESOLVE_SYMLINKS'] = raw;
    expect(new DirectoryConfiguration().resolveSymlinks).toBe(expected);
  });

  it.each([['last-added-wins', 'last-added-wins'], ['bogus', 'write-wins'], ['', 'write-wins'], ['LAST-ADDED-WINS', 'write-wins']])('reads PRECEDENCE=%j as %s', (raw, expected) => {
    process.env['LLM_CHAT_WORKSPACE_PRECEDENCE'] = raw;
    expect(new DirectoryConfiguration().precedence).toBe(expected);
  });

  it('most-specific-wins: is a value of PRECEDENCE', () => {
    process.env['LLM_CHAT_WORKSPACE_PRECEDENCE'] = 'most-specific-wins';
    expect(new DirectoryConfiguration().precedence).toBe('most-specific-wins');
  });

  it('older names: are honoured where the newer name is unset', () => {
    process.env['LLM_CHAT_FS_READ_DIRS'] = '/old/read';
    process.env['LLM_CHAT_FS_WRITE_DIRS'] = '/old/write';
    process.env['LLM_CHAT_FS_WORKSPACE'] = '/old/ws';
    process.env['LLM_CHAT_FS_SKIP_DIRS'] = 'old';
    process.env['LLM_CHAT_FS_RESOLVE_SYMLINKS'] = 'true';
    const configuration = new DirectoryConfiguration();
    expect(configuration.accesses).toEqual([read('/old/read'), write('/old/write'), write('/old/ws')]);
    expect(configuration.workspacePath).toBe('/old/ws');
    expect(configuration.skipDirs).toEqual(['old']);
    expect(configuration.resolveSymlinks).toBe(true);
  });

  it('prefers the newer names to the older ones', () => {
    for (const name of ['FS_READ_DIRS', 'FS_WRITE_DIRS', 'FS_WORKSPACE', 'FS_SKIP_DIRS']) process.env[`LLM_CHAT_${name}`] = '/old';
    process.env['LLM_CHAT_FS_RESOLVE_SYMLINKS'] = 'true';
    process.env['LLM_CHAT_WORKSPACE_READ_DIRS'] = '/r';
    process.env['LLM_CHAT_WORKSPACE_WRITE_DIRS'] = '/w';
    process.env['LLM_CHAT_WORKSPACE_PATH'] = '/ws';
    process.env['LLM_CHAT_WORKSPACE_SKIP_DIRS'] = 'new';
    process.env['LLM_CHAT_WORKSPACE_RESOLVE_SYMLINKS'] = 'false';
    const configuration = new DirectoryConfiguration();
    expect(configuration.accesses).toEqual([read('/r'), write('/w'), write('/ws')]);
    expect(configuration.skipDirs).toEqual(['new']);
    expect(configuration.resolveSymlinks).toBe(false);
  });
});

const INTEGERS: [string, string, number, (value?: number) => number][] = [
  ['maxSearchResults', 'LLM_CHAT_FS_MAX_SEARCH_RESULTS', 50, (value) => new SearchConfiguration(value).maxSearchResults],
  ['maxDisplayEntries', 'LLM_CHAT_FS_MAX_DISPLAY_ENTRIES', 200, (value) => new SearchConfiguration(undefined, value).maxDisplayEntries],
  ['maxTotalEntries', 'LLM_CHAT_FS_MAX_TOTAL_ENTRIES', 5000, (value) => new SearchConfiguration(undefined, undefined, value).maxTotalEntries],
  ['timeoutMs', 'LLM_CHAT_FS_SEARCH_TIMEOUT', 10000, (value) => new SearchConfiguration(undefined, undefined, undefined, value).timeoutMs],
  ['maxCharsPerFile', 'LLM_CHAT_FS_MAX_CHARS_PER_FILE', 100000, (value) => new FileConfiguration(value).maxCharsPerFile],
  ['maxFileSize', 'LLM_CHAT_FS_MAX_FILE_SIZE', 10485760, (value) => new FileConfiguration(undefined, value).maxFileSize],
];

describe.each(INTEGERS)('%s', (_name, variable, fallback, make) => {
  cleanEnvironment();

  it(`is ${String(fallback)} by default`, () => {
    expect(make()).toBe(fallback);
  });

  it.each([
    ['7', 7], ['12abc', 12], ['1e3', 1], ['0x10', 1], ['3.9', 3], [' 7', 7], ['-2', 1], ['0', 1], ['', fallback], ['abc', fallback], ['NaN', fallback], ['   ', fallback],
  ])(`reads ${variable}=%j as %d`, (raw, expected) => {
    process.env[variable] = raw;
    expect(make()).toBe(expected);
  });

  it.each([1, 0, -5, 123456])('prefers the argument %d to the environment, as given', (value) => {
    process.env[variable] = '99';
    expect(make(value)).toBe(value);
  });

  it('takes null for missing', () => {
    process.env[variable] = '99';
    expect(make(null as unknown as undefined)).toBe(99);
  });
});

describe('requireReadBeforeWrite', () => {
  cleanEnvironment();
  const make = (value?: boolean): boolean => new FileConfiguration(undefined, undefined, value).requireReadBeforeWrite;

  it('is on by default', () => {
    expect(make()).toBe(true);
  });

  it.each([['true', true], ['false', false], ['garbage', false], ['1', false], ['TRUE', false], ['yes', false], [' true', false], ['', true]])('reads the variable %j as %s', (raw, expected) => {
    process.env['LLM_CHAT_FS_REQUIRE_READ_BEFORE_WRITE'] = raw;
    expect(make()).toBe(expected);
  });

  it('prefers the argument to the environment', () => {
    process.env['LLM_CHAT_FS_REQUIRE_READ_BEFORE_WRITE'] = 'true';
    expect(make(false)).toBe(false);
    process.env['LLM_CHAT_FS_REQUIRE_READ_BEFORE_WRITE'] = 'false';
    expect(make(true)).toBe(true);
  });
});
