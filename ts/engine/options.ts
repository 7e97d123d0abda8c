import type { PoolMethods } from '../file-pool.js'
import type { FileConfiguration, SearchConfiguration } from '../limits.js'

/** What every engine method takes. */
export interface OperationOptions {
  /** Ends the operation; the promise then rejects at once with the signal's reason. */
  signal?: AbortSignal | undefined
  /** What has been read. Without a pool nothing asks whether a file was read before it is written. */
  pool?: PoolMethods | undefined
}

/** Options of operations on file contents. */
export interface FileOptions extends OperationOptions {
  /** Limits; by default those of a new {@link FileConfiguration}. */
  limits?: FileConfiguration | undefined
}

/** Options of operations on many entries. */
export interface EntriesOptions extends OperationOptions {
  /** Limits; by default those of a new {@link SearchConfiguration}. */
  limits?: SearchConfiguration | undefined
}

/** How a written file reaches the disk: not waited for, its data, or data and directory. */
export type Durability = 'none' | 'data' | 'full'

/** What becomes of other names of a file: they keep the old bytes, or are written as well. */
export type HardLinks = 'replace' | 'keep'

/**
 * Refuses what is no path.
 *
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requirePath(value: unknown): asserts value is string {
  requireString('path', value)
}

/**
 * Refuses what is no string.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requireString(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw wrongType(name, 'string', value, requireString)
}

/**
 * Refuses what is given and is no function.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requireFunction(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw wrongType(name, 'function', value, requireFunction)
}

function wrongType(
  name: string,
  type: string,
  value: unknown,
  caller: (name: string, value: unknown) => void
): TypeError {
  const received = value === null || value === undefined ? String(value) : `type ${typeof value}`
  const error = new TypeError(
    `The "${name}" argument must be of type ${type}. Received ${received}`
  )
  Error.captureStackTrace(error, caller)
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' })
}
