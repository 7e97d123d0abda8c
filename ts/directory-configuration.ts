import path from 'node:path'

import { AccessPrecedence, AccessType, type Access } from './access-types.js'
import { envRenamed, parseBoolean, parseList } from './env.js'
import { grantPath } from './grant-paths.js'

/** Which directories may be used, and how. Every field may be changed at any time. */
export class DirectoryConfiguration {
  /** Accesses; a workspace needs at least one. */
  accesses: Access[]
  /** Names of directories that walks, listings and searches leave out. */
  skipDirs: string[]
  /** Whether symbolic links are resolved before access is decided. */
  resolveSymlinks: boolean
  /** Where a workspace starts, and where it returns when its current path loses access. */
  workspacePath?: string | undefined
  /** How several accesses that concern one path are weighed. */
  precedence: AccessPrecedence
  /**
   * What no operation touches or shows, in the syntax of gitignore: anchored at the root of each
   * access, or at any depth for a rule without a slash; `!` takes out again. `ERR_INVALID_ARG_VALUE`
   * for a rule that is no pattern or that no path can match (`./.env`).
   */
  deny: string[]

  /**
   * With `accesses` the other arguments count and the environment is not read; without, everything
   * comes from the `LLM_CHAT_WORKSPACE_*` variables.
   *
   * @param accesses - Kept as given, not copied.
   * @param skipDirs - Default: none.
   * @param resolveSymlinks - Default: false.
   * @param workspacePath - Default: the first access with write rights, else the first.
   * @param precedence - Default: {@link AccessPrecedence.WriteWins}.
   * @param deny - Default: `LLM_CHAT_WORKSPACE_DENY` when everything comes from the environment,
   *   else none. Given, it counts in both cases.
   */
  constructor(
    accesses?: Access[],
    skipDirs?: string[],
    resolveSymlinks?: boolean,
    workspacePath?: string,
    precedence?: AccessPrecedence,
    deny: string[] = accesses ? [] : parseList(process.env.LLM_CHAT_WORKSPACE_DENY)
  ) {
    this.deny = deny
    if (accesses) {
      this.accesses = accesses
      this.skipDirs = skipDirs ?? []
      this.resolveSymlinks = resolveSymlinks ?? false
      this.workspacePath = workspacePath
      this.precedence = precedence ?? AccessPrecedence.WriteWins
      return
    }
    this.accesses = [
      ...directories(AccessType.Read, 'LLM_CHAT_WORKSPACE_READ_DIRS', 'LLM_CHAT_FS_READ_DIRS'),
      ...directories(AccessType.Write, 'LLM_CHAT_WORKSPACE_WRITE_DIRS', 'LLM_CHAT_FS_WRITE_DIRS')
    ]
    const start = path.resolve(
      envRenamed('LLM_CHAT_WORKSPACE_PATH', 'LLM_CHAT_FS_WORKSPACE') ?? process.cwd()
    )
    if (!this.accesses.some(({ type, path }) => type === AccessType.Write && path === start)) {
      this.accesses.push({ type: AccessType.Write, path: start })
    }
    this.skipDirs = parseList(
      envRenamed('LLM_CHAT_WORKSPACE_SKIP_DIRS', 'LLM_CHAT_FS_SKIP_DIRS')
    )
    this.resolveSymlinks = parseBoolean(
      envRenamed('LLM_CHAT_WORKSPACE_RESOLVE_SYMLINKS', 'LLM_CHAT_FS_RESOLVE_SYMLINKS'),
      false
    )
    this.workspacePath = start
    this.precedence = parsePrecedence(process.env.LLM_CHAT_WORKSPACE_PRECEDENCE)
  }

  /**
   * Leaves one access per directory, in the order of first mention, with its path resolved. With
   * {@link AccessPrecedence.LastAddedWins} the last type given counts, otherwise write access.
   * `accesses` becomes a new array of new objects.
   */
  deduplicate(): void {
    const types = new Map<string, AccessType>()
    for (const access of this.accesses) {
      const root = grantPath(this, access.path)
      const known = types.get(root)
      const replaces =
        this.precedence === AccessPrecedence.LastAddedWins || access.type === AccessType.Write
      if (known === undefined || replaces) types.set(root, access.type)
    }
    this.accesses = Array.from(types, ([root, type]) => ({ type, path: root }))
  }
}

function directories(type: AccessType, name: string, older: string): Access[] {
  return parseList(envRenamed(name, older)).map((item) => ({ type, path: path.resolve(item) }))
}

function parsePrecedence(raw: string | undefined): AccessPrecedence {
  return raw === AccessPrecedence.LastAddedWins || raw === AccessPrecedence.MostSpecificWins
    ? raw
    : AccessPrecedence.WriteWins
}
