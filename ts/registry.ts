import { VERSION } from './version.js'

/**
 * Gives every installed copy of this version in a thread the same object. A package manager may
 * install a package twice, under two names; the first copy that is imported makes the object, and
 * the others export it instead of their own, so that `instanceof` and private fields work across.
 *
 * @param part - Name of the object within the package.
 * @param make - Makes it, if no copy has yet.
 */
export function oneCopy<T extends object>(part: string, make: () => T): T {
  const key = Symbol.for(`llm-chat-file-native@${VERSION}/${part}`)
  const registry = globalThis as unknown as Record<symbol, T | undefined>
  const known = registry[key]
  if (known) return known
  const made = make()
  Object.defineProperty(registry, key, { value: made })
  return made
}
