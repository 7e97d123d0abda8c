import path from 'node:path'

import type { Access } from './access-types.js'

/** What grants belong to: the memory below lasts as long as it does. */
interface GrantHolder {
  accesses: readonly Access[]
}

/** Relative grants as they were resolved when first seen. */
const remembered = new WeakMap<GrantHolder, Map<string, string>>()

/**
 * Absolute, normalised path of a grant. A relative one keeps the meaning that it had when it was
 * first seen, wherever the process moves.
 *
 * @param holder - Configuration that the grant belongs to.
 * @param raw - The grant's path as configured.
 */
export function grantPath(holder: GrantHolder, raw: string): string {
  if (path.isAbsolute(raw)) return path.resolve(raw)
  const known = remembered.get(holder)
  const seen = known?.get(raw)
  if (seen !== undefined) return seen
  const resolved = path.resolve(raw)
  if (known) known.set(raw, resolved)
  else remembered.set(holder, new Map([[raw, resolved]]))
  return resolved
}

/**
 * Forgets relative grants that are no longer configured.
 *
 * @param holder - Configuration to look through.
 */
export function forgetRemovedGrants(holder: GrantHolder): void {
  const known = remembered.get(holder)
  if (!known) return
  const current = new Set(holder.accesses.map((access) => access.path))
  for (const raw of known.keys()) {
    if (!current.has(raw)) known.delete(raw)
  }
}
