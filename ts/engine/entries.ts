import { abortable } from '../abort.js'
import type { InfoAnswer } from '../binding.js'
import { direntKinds } from '../dirent-kinds.js'
import { toError } from '../failure.js'
import { poolUse } from '../file-pool.js'
import { atLeast, SearchConfiguration, searchLimits } from '../limits.js'
import { binding } from '../native.js'
import { admit, callContext, type Snapshot } from '../snapshot.js'
import {
  requireBoolean,
  requireNumber,
  requireOptions,
  requirePath,
  type EntriesOptions,
  type OperationOptions
} from './options.js'
import { onPath, only } from './run.js'

/** Kind of an entry. */
export type EntryKind = NonNullable<InfoAnswer['kind']>

/** Options of {@link Workspace.list}. */
export interface ListOptions extends EntriesOptions {
  /** Everything beneath the directory instead of its own entries. */
  recursive?: boolean | undefined
  /** Where the listing stops; by default `maxTotalEntries` of the limits. */
  maxEntries?: number | undefined
}

/** One entry of a listing. */
export interface ListEntry {
  /** Absolute path; one that could mislead stands in double quotes, with escapes. */
  path: string
  /** Its last part. */
  name: string
  kind: EntryKind
}

/** Answer of {@link Workspace.list}. */
export interface ListResult {
  path: string
  entries: ListEntry[]
  files: number
  directories: number
  /** Links and special files. */
  others: number
  /** Directories that `skipDirs` left out. */
  skipped: number
  /** Directories that could not be read. */
  unreadable: number
  /** False when something is missing: unreadable directories, or entries above `maxEntries`. */
  complete: boolean
}

/** Answer of {@link Workspace.info}. Times are milliseconds since the epoch. */
export interface EntryInfo {
  path: string
  kind: EntryKind
  /** Bytes. */
  size: number
  /** Type and permission bits. */
  mode: number
  createdMs: number
  modifiedMs: number
  accessedMs: number
  changedMs: number
  /** Where a symbolic link points, as it says; absent when that cannot be read. */
  linkTarget?: string | undefined
}

/** Options of {@link Workspace.remove}. */
export interface RemoveOptions extends OperationOptions {
  /** Remove a directory with all that is in it. */
  recursive?: boolean | undefined
}

const KINDS: Record<number, EntryKind> = {
  [direntKinds.UV_DIRENT_FILE]: 'file',
  [direntKinds.UV_DIRENT_DIR]: 'directory',
  [direntKinds.UV_DIRENT_LINK]: 'symlink',
  [direntKinds.UV_DIRENT_FIFO]: 'FIFO',
  [direntKinds.UV_DIRENT_SOCKET]: 'socket',
  [direntKinds.UV_DIRENT_CHAR]: 'character device',
  [direntKinds.UV_DIRENT_BLOCK]: 'block device'
}

/** See {@link Workspace.list}. */
export async function list(
  snapshot: Snapshot,
  dir: string,
  options: ListOptions
): Promise<ListResult> {
  requireOptions(options)
  requireBoolean('options.recursive', options.recursive)
  requireNumber('options.maxEntries', options.maxEntries)
  const { maxTotalEntries } = searchLimits(options.limits ?? new SearchConfiguration())
  const answer = await onPath(
    snapshot,
    dir,
    false,
    { signal: options.signal },
    (context, admitted) =>
      binding().list(context, admitted, {
        recursive: options.recursive ?? false,
        maxEntries: atLeast(options.maxEntries ?? maxTotalEntries),
        maxShown: Number.MAX_SAFE_INTEGER
      })
  )
  const { path, text, kinds, files, directories, others, skipped, unreadable, stoppedBy } = answer
  const lines = text === '' ? [] : text.split('\n')
  const entries = lines.map((line, index) => entry(line, KINDS[kinds[index] ?? 0] ?? 'unknown'))
  const complete = unreadable === 0 && !stoppedBy
  return { path, entries, files, directories, others, skipped, unreadable, complete }
}

/** See {@link Workspace.info}. */
export function info(
  snapshot: Snapshot,
  path: string,
  options: OperationOptions
): Promise<EntryInfo> {
  requireOptions(options)
  return onPath(snapshot, path, false, { signal: options.signal }, (context, admitted) =>
    only(binding().info(context, [admitted]))
  )
}

/** See {@link Workspace.remove}. */
export function remove(
  snapshot: Snapshot,
  path: string,
  options: RemoveOptions
): Promise<{ path: string; kind: EntryKind }> {
  requireOptions(options)
  const { signal, recursive = false } = options
  requireBoolean('options.recursive', recursive)
  const pool = poolUse(options.pool).native
  return onPath(snapshot, path, true, { signal, pool }, (context, admitted) =>
    only(binding().remove(context, [admitted], recursive))
  )
}

/** See {@link Workspace.rename}. */
export async function rename(
  snapshot: Snapshot,
  from: string,
  to: string,
  options: OperationOptions
): Promise<{ from: string; to: string }> {
  requirePath(from)
  requirePath(to)
  requireOptions(options)
  const source = admit(snapshot, from, true)
  if (source.failure) throw toError(source.failure)
  const destination = admit(snapshot, to, true)
  if (destination.failure) throw toError(destination.failure)
  const pool = poolUse(options.pool).native
  const answer = await abortable(options.signal, (cancel) =>
    binding().rename(callContext(snapshot, { cancel, pool }), source.path, destination.path)
  )
  if (answer.failure) throw toError(answer.failure)
  return { from: answer.from ?? from, to: answer.to ?? to }
}

/** See {@link Workspace.createDirectory}. */
export function createDirectory(
  snapshot: Snapshot,
  path: string,
  options: OperationOptions
): Promise<{ path: string; created: boolean }> {
  requireOptions(options)
  return onPath(snapshot, path, true, { signal: options.signal }, (context, admitted) =>
    only(binding().createDirectories(context, [admitted]))
  )
}

/** An entry from its line: the path, with a slash behind that of a directory. */
function entry(line: string, kind: EntryKind): ListEntry {
  const path = kind === 'directory' && line.endsWith('/') ? line.slice(0, -1) : line
  const last = path.slice(path.lastIndexOf('/') + 1)
  return { path, name: path.startsWith('"') ? `"${last}` : last, kind }
}
