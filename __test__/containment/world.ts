import * as fs from 'node:fs';
import * as path from 'node:path';
import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  AccessType,
  DirectoryConfiguration,
  FileConfiguration,
  FilePool,
  FileToolPackage,
  ReadTool,
  Workspace,
} from '../../index.js';
import { SnapshotTaker, type Snapshot } from '../support/snapshot.js';
import { answers, type Answer } from '../support/tools.js';
import { fifo, link, temporaryTree } from '../support/tree.js';

/** What lies outside and must never be seen. */
export const SECRET = 'TOPSECRET';

/** A grant to write, one to read, and what is around them. */
export interface World {
  /** The directory that holds everything. */
  base: string;
  /** The writable grant, in which relative paths begin. */
  grant: string;
  workspace: Workspace;
  /** Runs a tool; the results of all its paths. */
  call: (tool: string, args: Record<string, unknown>) => Promise<Answer[]>;
  /** What lies outside the writable grant. */
  outside: () => Snapshot[];
}

/** Makes a world of its own; links within it are followed or resolved. */
export async function world(resolveSymlinks: boolean): Promise<World> {
  const base = temporaryTree({
    grant: {
      'ok.txt': 'hello inside',
      sub: { 'in.txt': 'in' },
      lf: link('../outside/secret.txt'),
      ld: link('../outside'),
      'ld-slash': link('../outside/'),
      dangling: link('../outside/born'),
      chain: link('chain-2'),
      'chain-2': link('../outside/born-later'),
      rolink: link('../ro'),
      'to-root': link('/proc/self/root'),
      'to-cwd': link('/proc/self/cwd'),
      stdin: link('/dev/stdin'),
      zero: link('/dev/zero'),
      loop: link('loop-2'),
      'loop-2': link('loop'),
      up: link('sub/../../outside/secret.txt'),
      inside: link('sub/../ok.txt'),
      'inside-dir': link('sub'),
      'inside-new': link('sub/made.txt'),
      fifo: fifo(),
    },
    grant_evil: { 'secret.txt': SECRET },
    outside: { 'secret.txt': SECRET, dir: { 'secret.txt': SECRET } },
    ro: { 'ro.txt': 'read only' },
  });
  const grant = path.join(base, 'grant');
  fs.symlinkSync(path.join(base, 'outside/secret.txt'), path.join(grant, 'lf-absolute'));
  fs.symlinkSync(`/proc/self/root${base}/outside/secret.txt`, path.join(grant, 'through-proc'));
  fs.symlinkSync(path.join(grant, 'ok.txt'), path.join(grant, 'inside-absolute'));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path.join(grant, 'socket'), resolve));
  onTestFinished(() => void server.close());
  const accesses = [
    { type: AccessType.Write, path: grant },
    { type: AccessType.Read, path: path.join(base, 'ro') },
  ];
  const workspace = new Workspace(new DirectoryConfiguration(accesses, [], resolveSymlinks));
  const configuration = new FileConfiguration(undefined, undefined, false);
  const pool = new FilePool(configuration);
  const tools = [...new FileToolPackage(workspace, undefined, configuration, pool).tools(), new ReadTool(workspace, pool)];
  const around = ['grant_evil', 'outside', 'ro'].map((name) => path.join(base, name));
  return {
    base,
    grant,
    workspace,
    call: (name, args) => answers(tools.find((tool) => tool.name === name)!, args),
    outside: () => around.map((dir) => new SnapshotTaker(dir).take()),
  };
}

/** How a call names its path. */
export interface Call {
  name: string;
  args: (target: unknown) => Record<string, unknown>;
  /** Whether it acts on a link itself, which is inside whatever it leads to. */
  own?: boolean;
  /** Whether it only reads. */
  reads?: boolean;
}

/** Every tool that takes a path, in every way to give one. */
export const CALLS: Call[] = [
  { name: 'read_file', args: (target) => ({ paths: [target] }), reads: true },
  { name: 'read', args: (target) => ({ path: target }), reads: true },
  { name: 'list_directory', args: (target) => ({ path: target }), reads: true },
  { name: 'list_directory', args: (target) => ({ path: target, recursive: true }), reads: true },
  { name: 'search_entries', args: (target) => ({ path: target, content_pattern: '.' }), reads: true },
  { name: 'entry_info', args: (target) => ({ paths: [target] }), own: true, reads: true },
  { name: 'write_file', args: (target) => ({ path: target, content: 'written' }) },
  { name: 'insert_file_content', args: (target) => ({ path: target, content: 'written' }) },
  { name: 'replace_file_lines', args: (target) => ({ path: target, start_line: 1, end_line: 1, content: 'written' }) },
  { name: 'replace_file_content', args: (target) => ({ paths: [target], old_content: SECRET, new_content: 'written' }) },
  { name: 'create_folder', args: (target) => ({ paths: [target] }) },
  { name: 'delete_file', args: (target) => ({ paths: [target], recursive: true }), own: true },
  { name: 'move_file', args: (target) => ({ source: target, destination: 'moved-here' }), own: true },
  { name: 'move_file', args: (target) => ({ source: 'ok.txt', destination: target }), own: true },
  { name: 'switch_workspace', args: (target) => ({ path: target }), reads: true },
];

/** Calls of the engine's methods with a path. */
export const METHODS: [name: string, call: (workspace: Workspace, target: string) => Promise<unknown>, own?: boolean][] = [
  ['readText', (workspace, target) => workspace.readText(target)],
  ['writeText', (workspace, target) => workspace.writeText(target, 'written')],
  ['edit', (workspace, target) => workspace.edit(target, { kind: 'insert', content: 'written' })],
  ['list', (workspace, target) => workspace.list(target, { recursive: true })],
  ['search', (workspace, target) => workspace.search({ dir: target, content: '.' })],
  ['info', (workspace, target) => workspace.info(target), true],
  ['remove', (workspace, target) => workspace.remove(target, { recursive: true }), true],
  ['rename from', (workspace, target) => workspace.rename(target, 'moved-here'), true],
  ['rename to', (workspace, target) => workspace.rename('ok.txt', target), true],
  ['createDirectory', (workspace, target) => workspace.createDirectory(target)],
];
