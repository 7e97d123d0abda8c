import { createRequire } from 'node:module'

import type { Binding } from './binding.js'

let loaded: Binding | undefined

/**
 * The addon, loaded when first asked for, so that a second copy of this package in a process
 * never loads its own.
 */
export function binding(): Binding {
  loaded ??= createRequire(import.meta.url)('../native.cjs') as Binding
  return loaded
}
