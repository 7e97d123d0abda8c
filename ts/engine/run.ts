import { abortable } from '../abort.js'
import type { CallContext, Failure, NativeCancel, NativePool } from '../binding.js'
import { toError } from '../failure.js'
import { admit, callContext, type Snapshot } from '../snapshot.js'
import { requirePath, requireSignal } from './options.js'

/** Answers without their failure: what an engine method resolves to. */
export type Done<T> = Required<Omit<T, 'failure'>>

/**
 * Runs an operation on one path: admission, abort, and the failure as an error.
 *
 * @param snapshot - The call's snapshot.
 * @param raw - The path as typed.
 * @param write - Whether the operation changes something.
 * @param options - Signal, or the handle that ends the operation where the caller sees to the
 * signal; and the pool of the native side.
 * @param call - The native call, with the path that is admitted.
 */
export async function onPath<T extends { failure?: Failure }>(
  snapshot: Snapshot,
  raw: string,
  write: boolean,
  options: {
    signal?: AbortSignal | undefined
    cancel?: NativeCancel
    pool?: NativePool | undefined
  },
  call: (context: CallContext, path: string) => Promise<T>
): Promise<Done<T>> {
  requirePath(raw)
  requireSignal(options.signal)
  const { path, failure } = admit(snapshot, raw, write)
  if (failure) throw toError(failure)
  const { signal, pool } = options
  const answer = await abortable(signal, (cancel = options.cancel) =>
    call(callContext(snapshot, { cancel, pool }), path)
  )
  if (answer.failure) throw toError(answer.failure)
  return answer as unknown as Done<T>
}

/**
 * The only answer of a call for one path.
 *
 * @param answers - Answers of a call for many.
 */
export async function only<T>(answers: Promise<T[]>): Promise<T> {
  const [answer] = await answers
  if (answer === undefined) throw new Error('The addon gave no answer for a path')
  return answer
}
