import path from 'node:path'

import { AccessPrecedence, AccessType, type Access, type WalkEntry } from './access-types.js'
import type { Explanation, NativePolicy } from './binding.js'
import { DirectoryConfiguration } from './directory-configuration.js'
import * as entries from './engine/entries.js'
import {
  requireBoolean,
  requireOneOf,
  requirePath,
  requireRight,
  wrongValue,
  type OperationOptions
} from './engine/options.js'
import {
  search,
  searchBatches,
  type SearchBatch,
  type SearchOptions,
  type SearchResults
} from './engine/search.js'
import type { SearchQuery } from './engine/search-query.js'
import type { LineResult } from './engine/search-result.js'
import * as text from './engine/text.js'
import { illFormedPath, nulInPath } from './failure.js'
import { grantPath } from './grant-paths.js'
import { binding } from './native.js'
import { denyRules, PolicyCache } from './policy-cache.js'
import { agree, type HostRules, type Snapshot } from './snapshot.js'
import { VERSION } from './version.js'
import { walkTree } from './walk.js'

/** A configuration as a plain object; `accesses` is required, what else is absent has its default. */
export interface DirectoryConfigurationInit {
  accesses: Access[]
  skipDirs?: string[] | undefined
  resolveSymlinks?: boolean | undefined
  workspacePath?: string | undefined
  precedence?: DirectoryConfiguration['precedence'] | undefined
  deny?: string[] | undefined
}

/** Property that tells the version of the package that a workspace is of. */
export const versionKey = Symbol.for('llm-chat-file-native/version')

/** The snapshot that an operation on a workspace works with. */
export let snapshotOf: (workspace: Workspace) => Snapshot

/** Whether a value is a workspace of this very class. */
export let isWorkspace: (value: unknown) => value is Workspace

const NO_ACCESS = 'At least one access directory is required'
const TIP =
  ' (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)'

/** A query by content, which finds lines. */
type ContentQuery = SearchQuery & { content: string }

/**
 * The directories that an agent may use, and the one it works in. Every operation takes the
 * configuration and the current path as they are at the call.
 */
export class Workspace {
  /** Directory that relative paths are resolved against. */
  currentPath: string
  readonly #configuration: DirectoryConfiguration
  readonly #policies: PolicyCache
  readonly #onSwitch: ((newPath: string) => void | Promise<void>) | undefined
  /** The last current path seen, as given and as resolved. */
  #seen = { given: '', resolved: '' }

  static {
    snapshotOf = (workspace) => workspace.#snapshot()
    isWorkspace = (value): value is Workspace =>
      typeof value === 'object' && value !== null && #policies in value
    Object.defineProperty(this.prototype, versionKey, { value: VERSION })
  }

  /**
   * @param config - Kept as given and read at every call; a plain object is made into a
   *   {@link DirectoryConfiguration}.
   * @param onSwitch - Called, and awaited, after each switch, with the new path.
   * @throws Error when no access is configured.
   */
  constructor(
    config: DirectoryConfiguration | DirectoryConfigurationInit,
    onSwitch?: (newPath: string) => void | Promise<void>
  ) {
    const configuration = toConfiguration(config)
    configuration.deduplicate()
    if (configuration.accesses.length === 0) throw new Error(NO_ACCESS)
    this.#configuration = configuration
    this.#policies = new PolicyCache(configuration)
    // Rules that are none are refused here and not at the first call.
    if (configuration.deny?.length !== 0) this.#policies.current()
    this.#onSwitch = onSwitch
    this.currentPath = this.#resolveLinks(
      configuration.workspacePath ? path.resolve(configuration.workspacePath) : this.#firstAccess()
    )
  }

  /**
   * Makes another directory the current one. The switch takes effect at the call; the promise
   * waits for the hook.
   *
   * @param target - A directory within an access, or a name that does not exist yet; a relative
   *   one is resolved against the current path.
   */
  async switchWorkspace(target: string): Promise<void> {
    const { policy, cwd, rules } = this.#snapshot()
    const resolved = this.normalize(target)
    const isGranted =
      policy.allows(cwd, resolved, false) && (!rules || agree(rules, resolved, false))
    if (!isGranted) throw new Error(`Path is not within any configured directory: ${target}`)
    // No later path could name anything beneath it.
    if (!target.isWellFormed()) {
      throw new Error(`Path not found: ${illFormedPath(target).message}`)
    }
    if (target.includes('\0')) throw new Error(`Path not found: ${nulInPath(target).message}`)
    if (!binding().isDirectoryOrMissing(resolved)) {
      throw new Error(`Path is not a directory: ${target}`)
    }
    this.currentPath = resolved
    await this.#onSwitch?.(resolved)
  }

  /**
   * Resolves a path against the current one; with `resolveSymlinks`, also the links in it.
   *
   * @param input - Relative or absolute path.
   * @returns The absolute path.
   */
  normalize(input: string): string {
    const cwd = this.#cwd()
    // Node's own error for what is no string; a lone surrogate cannot be a name, and stays.
    if (typeof input !== 'string' || !input.isWellFormed()) return path.resolve(cwd, input)
    return this.#policies.current().normalize(cwd, input)
  }

  /**
   * Whether a path may be read.
   *
   * @param absPath - Path; a relative one is resolved against the current path.
   */
  canRead(absPath: string): boolean {
    return this.#allows(absPath, false)
  }

  /**
   * Whether a path may be written.
   *
   * @param absPath - Path; a relative one is resolved against the current path.
   */
  canWrite(absPath: string): boolean {
    return this.#allows(absPath, true)
  }

  /**
   * Adds an access; what it means for a directory that has one already, the precedence says.
   *
   * @param type - What to allow.
   * @param dir - Directory; a relative one is resolved against the process's directory.
   */
  addAccess(type: AccessType, dir: string): void {
    this.#configuration.accesses.push({ type, path: path.resolve(dir) })
    this.#rebuild()
  }

  /**
   * Takes every access to a directory away.
   *
   * @param dir - Directory; a relative one is resolved against the process's directory.
   * @throws Error when no access would be left; nothing is changed then.
   */
  removeAccess(dir: string): void {
    const removed = path.resolve(dir)
    const remaining = this.#configuration.accesses.filter(
      (access) => grantPath(this.#configuration, access.path) !== removed
    )
    if (remaining.length === 0) throw new Error(NO_ACCESS)
    this.#configuration.accesses = remaining
    this.#rebuild()
  }

  /**
   * Sets the names of directories that walks leave out.
   *
   * @param dirs - Kept as given, not copied.
   */
  setSkipDirs(dirs: string[]): void {
    this.#configuration.skipDirs = dirs
  }

  /**
   * Sets whether links are resolved before access is decided. The current path stays as it is.
   *
   * @param value - True to resolve them.
   */
  setResolveSymlinks(value: boolean): void {
    this.#configuration.resolveSymlinks = value
  }

  /**
   * Sets where the workspace returns when its current path loses access.
   *
   * @param target - Directory, or nothing to have none.
   */
  setWorkspacePath(target?: string): void {
    this.#configuration.workspacePath = target ? path.resolve(target) : undefined
  }

  /** Where the workspace returns when its current path loses access. */
  get workspacePath(): string | undefined {
    return this.#configuration.workspacePath
  }

  /** The live configuration; changes in place hold from the next call on. */
  get config(): DirectoryConfiguration {
    return this.#configuration
  }

  /** The live list of names that walks leave out. */
  get skipDirs(): string[] {
    return this.#configuration.skipDirs
  }

  /** Whether links are resolved before access is decided. */
  get resolveSymlinks(): boolean {
    return this.#configuration.resolveSymlinks
  }

  /** A copy of the configuration, with resolved paths. */
  getConfiguration(): DirectoryConfiguration {
    const { skipDirs, resolveSymlinks, workspacePath, precedence } = this.#configuration
    return new DirectoryConfiguration(
      this.getAccesses(),
      [...skipDirs],
      resolveSymlinks,
      workspacePath,
      precedence,
      [...denyRules(this.#configuration)]
    )
  }

  /** Copies of the accesses in order, with resolved paths. */
  getAccesses(): Access[] {
    const configuration = this.#configuration
    return configuration.accesses.map((access) => ({
      type: access.type,
      path: grantPath(configuration, access.path)
    }))
  }

  /**
   * A hint for those who mean the workspace and name the root of the file system.
   *
   * @param raw - The path as typed.
   * @param resolved - The path as resolved.
   * @returns The hint, with a blank before it, or an empty string.
   */
  pathHint(raw: string, resolved: string): string {
    return raw.startsWith('/') && !this.canRead(resolved) ? TIP : ''
  }

  /**
   * Yields the files and directories beneath a directory: depth first, a directory before its
   * children, in the order of the bytes of their names. Links and special files are passed over,
   * and so are directories named in `skipDirs`. A root outside the accesses yields nothing.
   *
   * @param dir - Directory to walk.
   * @param onError - Called for each directory that cannot be read; the walk goes on.
   * @throws Error when the root does not exist or is no directory.
   */
  walk(
    dir: string,
    onError?: (dirPath: string, error: Error) => void
  ): AsyncGenerator<WalkEntry> {
    return walkTree(this.#snapshot(), dir, onError)
  }

  /**
   * Reads a text file, or some of its lines.
   *
   * @param filePath - Relative or absolute path.
   * @param options - Lines, limits, pool and signal.
   */
  async readText(
    filePath: string,
    options: text.ReadTextOptions = {}
  ): Promise<text.ReadTextResult> {
    return await text.readText(this.#snapshot(), filePath, options)
  }

  /**
   * Creates a file, or replaces the content of one, and makes the directories it needs. Other
   * processes see the old content or the new, never a part.
   *
   * @param filePath - Relative or absolute path.
   * @param content - The whole text.
   * @param options - Mode, limits, pool and signal.
   */
  async writeText(
    filePath: string,
    content: string,
    options: text.WriteTextOptions = {}
  ): Promise<text.WriteTextResult> {
    return await text.writeText(this.#snapshot(), filePath, content, options)
  }

  /**
   * Changes parts of a text file. Bytes outside the edits stay as they are.
   *
   * @param filePath - Relative or absolute path.
   * @param edits - One edit, or several that are done in order.
   * @param options - Dry run, limits, pool and signal.
   */
  async edit(
    filePath: string,
    edits: text.TextEdit | readonly text.TextEdit[],
    options: text.EditOptions = {}
  ): Promise<text.EditResult> {
    return await text.editText(this.#snapshot(), filePath, edits, options)
  }

  /**
   * Lists a directory, or everything beneath it.
   *
   * @param dir - Relative or absolute path.
   * @param options - Depth, limits and signal.
   */
  async list(dir: string, options: entries.ListOptions = {}): Promise<entries.ListResult> {
    return await entries.list(this.#snapshot(), dir, options)
  }

  /**
   * Searches names and contents beneath a directory.
   *
   * @param query - What to look for.
   * @param options - Limits, signal and progress.
   */
  async search(
    query: ContentQuery,
    options?: SearchOptions
  ): Promise<SearchResults<LineResult>>
  async search(query: SearchQuery, options?: SearchOptions): Promise<SearchResults>
  async search(query: SearchQuery, options: SearchOptions = {}): Promise<SearchResults> {
    return await search(this.#snapshot(), query, options)
  }

  /**
   * Searches as {@link Workspace.search} does and gives the results as they are found, in the same
   * order, for answers too large to hold at once. The search rests while a batch is in use, and its
   * time limit counts the time that it works. There is always a last batch, which says how the
   * search ended; leaving the loop ends the search.
   *
   * @param query - What to look for; raise `maxResults` and the limits for what is large.
   * @param options - Limits, signal and progress.
   * @example
   * for await (const { results, last, complete } of workspace.searchBatches({ content: 'TODO' })) {
   *   for (const { path, line, text } of results) console.log(`${path}:${line}: ${text}`)
   *   if (last && !complete) console.log('Not everything was searched')
   * }
   */
  searchBatches(
    query: ContentQuery,
    options?: SearchOptions
  ): AsyncGenerator<SearchBatch<LineResult>, void, undefined>
  searchBatches(
    query: SearchQuery,
    options?: SearchOptions
  ): AsyncGenerator<SearchBatch, void, undefined>
  searchBatches(
    query: SearchQuery,
    options: SearchOptions = {}
  ): AsyncGenerator<SearchBatch, void, undefined> {
    return searchBatches(this.#snapshot(), query, options)
  }

  /**
   * Tells kind, size, mode and times of an entry; of a link, its own.
   *
   * @param entryPath - Relative or absolute path.
   * @param options - Signal.
   */
  async info(entryPath: string, options: OperationOptions = {}): Promise<entries.EntryInfo> {
    return await entries.info(this.#snapshot(), entryPath, options)
  }

  /**
   * Removes a file, a link, or a directory.
   *
   * @param entryPath - Relative or absolute path.
   * @param options - Depth, pool and signal.
   */
  async remove(
    entryPath: string,
    options: entries.RemoveOptions = {}
  ): Promise<{ path: string; kind: entries.EntryKind }> {
    return await entries.remove(this.#snapshot(), entryPath, options)
  }

  /**
   * Moves a file or directory, and makes the directories it needs. What exists is never replaced.
   *
   * @param from - Relative or absolute path.
   * @param to - Relative or absolute path.
   * @param options - Pool and signal.
   */
  async rename(
    from: string,
    to: string,
    options: OperationOptions = {}
  ): Promise<{ from: string; to: string }> {
    return await entries.rename(this.#snapshot(), from, to, options)
  }

  /**
   * Makes a directory and those above it that are missing.
   *
   * @param dir - Relative or absolute path.
   * @param options - Signal.
   */
  async createDirectory(
    dir: string,
    options: OperationOptions = {}
  ): Promise<{ path: string; created: boolean }> {
    return await entries.createDirectory(this.#snapshot(), dir, options)
  }

  /**
   * Tells which access decides about a path, and how.
   *
   * @param target - Relative or absolute path.
   * @param right - The right in question.
   */
  explain(target: string, right: AccessType): Explanation {
    requirePath(target)
    requireRight('right', right)
    const { policy, cwd, rules } = this.#snapshot()
    const write = right === AccessType.Write
    const explanation = policy.explain(cwd, target.toWellFormed(), write)
    if (!explanation.allowed || !rules || agree(rules, explanation.path, write)) return explanation
    const reason = 'The workspace overrides canRead or canWrite, which refuses the path'
    return { allowed: false, path: explanation.path, reason }
  }

  #allows(target: string, write: boolean): boolean {
    if (typeof target !== 'string') path.resolve(target)
    return this.#policies.current().allows(this.#cwd(), target, write)
  }

  #cwd(): string {
    if (this.currentPath !== this.#seen.given) {
      this.#seen = { given: this.currentPath, resolved: path.resolve(this.currentPath) }
    }
    return this.#seen.resolved
  }

  #snapshot(): Snapshot {
    const rules = overridden(this)
    const policy: NativePolicy = this.#policies.current()
    return rules ? { policy, cwd: this.#cwd(), rules } : { policy, cwd: this.#cwd() }
  }

  #resolveLinks(absolute: string): string {
    if (!this.#configuration.resolveSymlinks) return absolute
    return this.#policies.current().normalize(absolute, absolute)
  }

  #firstAccess(): string {
    const accesses = this.getAccesses()
    const first = accesses.find(({ type }) => type === AccessType.Write) ?? accesses[0]
    if (!first) throw new Error(NO_ACCESS)
    return first.path
  }

  /** After a change of the accesses: keeps the current path if it is still within one. */
  #rebuild(): void {
    const configuration = this.#configuration
    configuration.deduplicate()
    const policy = this.#policies.current()
    const isWithin = (target: string): boolean => policy.allows(target, target, false)
    if (isWithin(this.#cwd())) return
    const start = configuration.workspacePath && path.resolve(configuration.workspacePath)
    this.currentPath =
      start && isWithin(start) ? start : this.#resolveLinks(this.#firstAccess())
  }
}

// Compared, never called.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { normalize, canRead, canWrite } = Workspace.prototype

/** The methods that the workspace, its class, or someone who patched ours has overridden. */
function overridden(workspace: Workspace): HostRules | undefined {
  const ownNormalize = workspace.normalize !== normalize
  const ownCanRead = workspace.canRead !== canRead
  const ownCanWrite = workspace.canWrite !== canWrite
  if (!ownNormalize && !ownCanRead && !ownCanWrite) return undefined
  return {
    normalize: ownNormalize ? (input) => workspace.normalize(input) : undefined,
    canRead: ownCanRead ? (target) => workspace.canRead(target) : undefined,
    canWrite: ownCanWrite ? (target) => workspace.canWrite(target) : undefined
  }
}

function toConfiguration(
  config: DirectoryConfiguration | DirectoryConfigurationInit
): DirectoryConfiguration {
  const given = config as Partial<DirectoryConfiguration> | null | undefined
  if (typeof given?.deduplicate === 'function') return given as DirectoryConfiguration
  if (!Array.isArray(given?.accesses)) {
    throw new TypeError('config must be a DirectoryConfiguration, or an object with "accesses"')
  }
  const { accesses, skipDirs, resolveSymlinks, workspacePath, precedence, deny, ...unknown } = given
  // A boundary that is misspelled (`resolveSymLinks`) must not be one that is absent.
  const [misspelled] = Object.keys(unknown)
  if (misspelled !== undefined) {
    throw wrongValue('config', misspelled, 'must have no other fields than those of a DirectoryConfiguration', toConfiguration)
  }
  requireBoolean('config.resolveSymlinks', resolveSymlinks)
  requireOneOf('config.precedence', precedence, Object.values(AccessPrecedence))
  for (const { type } of accesses) requireRight('config.accesses[].type', type)
  return new DirectoryConfiguration(
    accesses,
    skipDirs,
    resolveSymlinks,
    workspacePath,
    precedence,
    deny
  )
}
