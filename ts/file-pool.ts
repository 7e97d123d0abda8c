import type { Failure, NativePool } from './binding.js'
import { FileConfiguration } from './limits.js'
import { binding } from './native.js'
import { callContext, type Snapshot } from './snapshot.js'
import { meanings, nameOf } from './typed-path.js'

/** Why a file may not be written, in the form of a tool's result. */
export interface PoolRefusal {
  /** The sentence to show. */
  result: string
  /** Always an error. */
  status: 'error'
}

/** What tools need of a pool; a pool of the host's own has these methods. */
export interface PoolMethods {
  recordRead(resolved: string): Promise<void>
  verifyWrite(resolved: string, allowNew?: boolean): Promise<{ result: string } | null>
  recordWrite(resolved: string): Promise<void>
}

/** How an operation uses a pool: within the native call, or by calling the host's methods. */
export interface PoolUse {
  native?: NativePool | undefined
  custom?: PoolMethods | undefined
}

let handleOf: (pool: FilePool) => NativePool | undefined
let isFilePool: (value: object) => value is FilePool

/**
 * Remembers which files were read, so that none is changed unseen: a file must have been read,
 * and be as it was read, before it is written. A write counts as a read. While
 * `requireReadBeforeWrite` of the configuration is false, every method is without effect.
 */
export class FilePool {
  readonly #configuration: FileConfiguration
  #native: NativePool | undefined

  static {
    handleOf = (pool) => (pool.#isOn() ? pool.#handle() : undefined)
    isFilePool = (value): value is FilePool => #configuration in value
  }

  /**
   * @param fileConfiguration - Says, at each call, whether the rule holds.
   */
  constructor(fileConfiguration: FileConfiguration = new FileConfiguration()) {
    this.#configuration = fileConfiguration
  }

  /**
   * Notes that a file was read as it is now.
   *
   * @param resolved - Absolute path.
   */
  async recordRead(resolved: string): Promise<void> {
    if (this.#isOn()) await this.#handle().recordRead(resolved.toWellFormed())
  }

  /**
   * Asks whether a file may be written.
   *
   * @param resolved - Absolute path.
   * @param allowNew - Whether a file that does not exist and was never read may be created.
   * @returns `null` if it may, else the refusal.
   */
  async verifyWrite(resolved: string, allowNew = false): Promise<PoolRefusal | null> {
    if (!this.#isOn()) return null
    const failure = await this.#handle().verifyWrite(resolved.toWellFormed(), allowNew)
    return failure && { result: failure.message, status: 'error' }
  }

  /**
   * Notes that a file was written and is known as it is now.
   *
   * @param resolved - Absolute path.
   */
  async recordWrite(resolved: string): Promise<void> {
    if (this.#isOn()) await this.#handle().recordWrite(resolved.toWellFormed())
  }

  #isOn(): boolean {
    return this.#configuration.requireReadBeforeWrite
  }

  #handle(): NativePool {
    return (this.#native ??= new (binding().Pool)())
  }
}

// Compared, never called.
// eslint-disable-next-line @typescript-eslint/unbound-method
const { recordRead, verifyWrite, recordWrite } = FilePool.prototype

/**
 * How to use a pool: a plain {@link FilePool} within the native call, where check and write are
 * one step; one with methods of its own through them.
 *
 * @param pool - A pool, or none.
 */
export function poolUse(pool: PoolMethods | undefined): PoolUse {
  if (!pool) return {}
  const isPlain =
    isFilePool(pool) &&
    pool.recordRead === recordRead &&
    pool.verifyWrite === verifyWrite &&
    pool.recordWrite === recordWrite
  return isPlain ? { native: handleOf(pool) } : { custom: byName(pool) }
}

/** A pool of the host's own, told files by their names, as answers do not always show them. */
function byName(pool: PoolMethods): PoolMethods {
  return {
    recordRead: (shown) => pool.recordRead(nameOf(shown)),
    verifyWrite: (resolved, allowNew) => pool.verifyWrite(resolved, allowNew),
    recordWrite: (shown) => pool.recordWrite(nameOf(shown))
  }
}

/**
 * The one of the names that a typed path may mean that will be written, by what exists.
 *
 * @param snapshot - The call's snapshot.
 * @param raw - The path as typed.
 */
export async function nameMeant(snapshot: Snapshot, raw: string): Promise<string> {
  if (meanings(raw).length === 1) return raw
  const [answer] = await binding().access(callContext(snapshot), [raw], true)
  return answer?.path === undefined ? raw.trim() : nameOf(answer.path)
}

/**
 * Asks a pool of the host's own whether a file may be written.
 *
 * @param pool - The pool.
 * @param resolved - Absolute path.
 * @param allowNew - Whether the file may be created.
 */
export async function customRefusal(
  pool: PoolMethods,
  resolved: string,
  allowNew: boolean
): Promise<Failure | undefined> {
  const refusal = await pool.verifyWrite(resolved, allowNew)
  return refusal ? { code: 'ERR_NOT_READ', message: refusal.result, path: resolved } : undefined
}
