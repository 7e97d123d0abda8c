import type { NativePolicy } from './binding.js'
import { AccessPrecedence, AccessType } from './access-types.js'
import type { DirectoryConfiguration } from './directory-configuration.js'
import { forgetRemovedGrants, grantPath } from './grant-paths.js'
import { wrongValue } from './engine/options.js'
import { binding } from './native.js'

/**
 * The native policy of a configuration that its owner may change in place at any time. Every use
 * compares the live fields with those the policy was made of, which costs nanoseconds, and makes
 * a new policy only after a change.
 */
export class PolicyCache {
  readonly #configuration: DirectoryConfiguration
  #policy: NativePolicy | undefined
  #types: string[] = []
  #paths: string[] = []
  #skipDirs: string[] = []
  #deny: string[] = []
  #resolveSymlinks = false
  #mostSpecificWins = false

  /**
   * @param configuration - The live configuration.
   */
  constructor(configuration: DirectoryConfiguration) {
    this.#configuration = configuration
  }

  /** The policy that the configuration stands for now. */
  current(): NativePolicy {
    return this.#policy !== undefined && this.#isCurrent() ? this.#policy : this.#rebuild()
  }

  #isCurrent(): boolean {
    const { accesses, skipDirs, resolveSymlinks, precedence } = this.#configuration
    const deny = denyRules(this.#configuration)
    if (accesses.length !== this.#paths.length) return false
    for (let index = 0; index < accesses.length; index++) {
      const access = accesses[index]
      if (access?.path !== this.#paths[index] || access?.type !== this.#types[index]) return false
    }
    if (skipDirs.length !== this.#skipDirs.length) return false
    for (let index = 0; index < skipDirs.length; index++) {
      if (skipDirs[index] !== this.#skipDirs[index]) return false
    }
    if (deny.length !== this.#deny.length) return false
    for (let index = 0; index < deny.length; index++) {
      if (deny[index] !== this.#deny[index]) return false
    }
    return (
      resolveSymlinks === this.#resolveSymlinks &&
      (precedence === AccessPrecedence.MostSpecificWins) === this.#mostSpecificWins
    )
  }

  #rebuild(): NativePolicy {
    const configuration = this.#configuration
    const { accesses, skipDirs, resolveSymlinks, precedence } = configuration
    const deny = denyRules(configuration)
    requireRules(deny)
    const mostSpecificWins = precedence === AccessPrecedence.MostSpecificWins
    const grants = accesses.filter(
      ({ type }) => type === AccessType.Read || type === AccessType.Write
    )
    this.#policy = new (binding().Policy)(
      {
        paths: grants.map(({ path }) => grantPath(configuration, path)),
        writable: grants.map(({ type }) => type === AccessType.Write),
        mostSpecificWins,
        resolveSymlinks: Boolean(resolveSymlinks),
        skipDirs: skipDirs.filter((name) => typeof name === 'string'),
        deny
      },
      this.#policy
    )
    forgetRemovedGrants(configuration)
    this.#types = accesses.map(({ type }) => type)
    this.#paths = accesses.map(({ path }) => path)
    this.#skipDirs = [...skipDirs]
    this.#deny = [...deny]
    this.#resolveSymlinks = resolveSymlinks
    this.#mostSpecificWins = mostSpecificWins
    return this.#policy
  }
}

/**
 * The live deny rules; a configuration of the published package's class has none.
 *
 * @param configuration - The live configuration.
 */
export function denyRules(configuration: Partial<DirectoryConfiguration>): string[] {
  return configuration.deny ?? []
}

/** A rule that is none must not pass for one that denies nothing. */
function requireRules(deny: unknown): void {
  // Array.from: every() passes over holes.
  if (Array.isArray(deny) && Array.from(deny).every(isRule)) return
  throw wrongValue('deny', deny, 'must be an array of well-formed strings', requireRules)
}

function isRule(rule: unknown): boolean {
  return typeof rule === 'string' && rule.isWellFormed()
}
