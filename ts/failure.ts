import type { Failure } from './binding.js'

/** An error of a file operation, with the properties that Node's own errors have. */
export interface FileError extends Error {
  /** Errno name or one of the package's codes. */
  code: string
  /** Negative errno, where a system call failed. */
  errno?: number
  /** Name of the system call that failed. */
  syscall?: string
  /** Path the operation was about. */
  path?: string
  /** Second path of a rename. */
  dest?: string
}

/**
 * The error that a failure is thrown as: a TypeError for a bad argument, a RangeError for a place
 * that is not there, else an Error.
 *
 * @param failure - What the addon reported.
 */
export function toError(failure: Failure): FileError {
  const { code, message, errno, syscall, path, dest } = failure
  const error: FileError = Object.assign(new (kindOf(code))(message), { code })
  if (errno !== undefined) error.errno = errno
  if (syscall !== undefined) error.syscall = syscall
  if (path !== undefined) error.path = path
  if (dest !== undefined) error.dest = dest
  Error.captureStackTrace(error, toError)
  return error
}

function kindOf(code: string): ErrorConstructor {
  if (code.startsWith('ERR_INVALID_ARG_')) return TypeError
  return code === 'ERR_OUT_OF_RANGE' ? RangeError : Error
}

/**
 * The failure of a path that holds half of a surrogate pair: no file system has such a name, and
 * encoding it would name another one. Worded as Node words a path with a null byte.
 *
 * @param path - The path as given.
 */
export function illFormedPath(path: string): Failure {
  return invalidPath('a string without lone surrogates', path)
}

/**
 * The refusal of a path with a NUL, which no system can name; Node's words.
 *
 * @param path - As given.
 */
export function nulInPath(path: string): Failure {
  return invalidPath('a string, Uint8Array, or URL without null bytes', path)
}

function invalidPath(expected: string, path: string): Failure {
  return {
    code: 'ERR_INVALID_ARG_VALUE',
    message: `The argument 'path' must be ${expected}. Received ${quoted(path)}`
  }
}

/** The string in single quotes, lone surrogates and control characters escaped. */
function quoted(text: string): string {
  const shown = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${shown}'`
}
