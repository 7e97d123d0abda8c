import { inspect } from 'node:util'

import { AccessType } from '../access-types.js'
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
  /** Limits, and how to write; what is absent is that of a new {@link FileConfiguration}. */
  limits?: Partial<FileConfiguration> | undefined
}

/** Options of operations on many entries. */
export interface EntriesOptions extends OperationOptions {
  /** Limits; by default those of a new {@link SearchConfiguration}. */
  limits?: SearchConfiguration | undefined
}

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

/**
 * Refuses what is given and is no object.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requireObject(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'object' && value !== null)) return
  throw wrongType(name, 'object', value, requireObject)
}

/**
 * Refuses what is given and is no number.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`; for NaN RangeError `ERR_OUT_OF_RANGE`.
 */
export function requireNumber(name: string, value: unknown): void {
  if (value === undefined) return
  if (typeof value !== 'number') throw wrongType(name, 'number', value, requireNumber)
  if (!Number.isNaN(value)) return
  const error = new RangeError(`The value of "${name}" is out of range. It must be a number. Received NaN`)
  throw coded(error, 'ERR_OUT_OF_RANGE', requireNumber)
}

/**
 * Refuses what is given and is no boolean.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requireBoolean(name: string, value: unknown): void {
  if (value === undefined || typeof value === 'boolean') return
  throw wrongType(name, 'boolean', value, requireBoolean)
}

/**
 * Refuses what is no integer from 1 to a largest one.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @param most - The largest.
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`.
 */
export function requireCount(
  name: string,
  value: unknown,
  most = Number.MAX_SAFE_INTEGER
): asserts value is number {
  if (typeof value !== 'number') throw wrongType(name, 'number', value, requireCount)
  if (Number.isInteger(value) && value >= 1 && value <= most) return
  throw wrongValue(name, value, `must be an integer from 1 to ${most}`, requireCount)
}

/**
 * Refuses what is given and is none of some values.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @param values - What it may be.
 * @throws TypeError `ERR_INVALID_ARG_VALUE`.
 */
export function requireOneOf(name: string, value: unknown, values: readonly string[]): void {
  if (value === undefined || values.includes(value as string)) return
  const list = values.map((one) => `'${one}'`).join(', ')
  throw wrongValue(name, value, `must be one of: ${list}`, requireOneOf)
}

/**
 * Refuses what is given and is no AbortSignal.
 *
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE`.
 */
export function requireSignal(value: unknown): void {
  if (value === undefined || value instanceof AbortSignal) return
  throw wrongType('options.signal', 'AbortSignal', value, requireSignal)
}

/**
 * Refuses options of an engine method that are none.
 *
 * @param options - The options as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE` for options, limits, a pool or a signal of another type.
 */
export function requireOptions(options: OperationOptions & { limits?: unknown }): void {
  requireObject('options', options)
  const { limits, pool } = options
  requireSignal(options.signal)
  requireObject('options.limits', limits)
  requireObject('options.pool', pool)
  if (pool === undefined) return
  const methods = pool as unknown as Record<string, unknown>
  for (const method of ['recordRead', 'verifyWrite', 'recordWrite']) {
    const given = methods[method]
    if (typeof given !== 'function') {
      throw wrongType(`options.pool.${method}`, 'function', given, requireOptions)
    }
  }
}

/**
 * Refuses what is no right.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_VALUE`.
 */
export function requireRight(name: string, value: unknown): void {
  if (value === AccessType.Read || value === AccessType.Write) return
  throw wrongValue(name, value, "must be one of: 'read', 'write'", requireRight)
}

/**
 * An argument of the right type that cannot be.
 *
 * @param name - Name of the argument.
 * @param value - The argument as given.
 * @param reason - What is wrong with it: `must …`.
 * @param caller - What is left out of the stack, with all it called.
 */
export function wrongValue(
  name: string,
  value: unknown,
  reason: string,
  caller: (...args: never[]) => unknown
): TypeError {
  const error = new TypeError(`The argument '${name}' ${reason}. Received ${inspect(value)}`)
  return coded(error, 'ERR_INVALID_ARG_VALUE', caller)
}

/**
 * An argument of the wrong type.
 *
 * @param name - Name of the argument.
 * @param type - What it has to be.
 * @param value - The argument as given.
 * @param caller - What is left out of the stack, with all it called.
 */
export function wrongType(
  name: string,
  type: string,
  value: unknown,
  caller: (...args: never[]) => unknown
): TypeError {
  const received = value === null || value === undefined ? String(value) : `type ${typeof value}`
  const error = new TypeError(
    `The "${name}" argument must be of type ${type}. Received ${received}`
  )
  return coded(error, 'ERR_INVALID_ARG_TYPE', caller)
}

function coded<E extends Error>(error: E, code: string, caller: (...args: never[]) => unknown): E {
  Error.captureStackTrace(error, caller)
  return Object.assign(error, { code })
}
