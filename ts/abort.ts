import type { NativeCancel } from './binding.js'
import { binding } from './native.js'

/**
 * Runs an operation that a signal may end. On abort the promise rejects at once with the signal's
 * reason, and the worker stops at its next check.
 *
 * @param signal - The caller's signal, if any.
 * @param start - Starts the operation; gets the handle that ends it.
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  start: (cancel?: NativeCancel) => Promise<T>
): Promise<T> {
  if (!signal) return start()
  signal.throwIfAborted()
  const cancel = new (binding().Cancel)()
  return await unlessAborted(signal, cancel, () => start(cancel))
}

/**
 * As {@link abortable}, for an operation in several steps with one handle.
 *
 * @param signal - The caller's signal, if any.
 * @param cancel - The handle that ends the operation.
 * @param step - Starts the next step.
 */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  cancel: NativeCancel,
  step: () => Promise<T>
): Promise<T> {
  if (!signal) return step()
  signal.throwIfAborted()
  const work = step()
  let forget: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    forget = onAbort(signal, () => {
      cancel.cancel()
      // The reason is the caller's own value, whatever it is.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason)
    })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    forget?.()
  }
}

/** What waits for each signal, behind one listener: Node warns of a leak from the eleventh on. */
const waiting = new WeakMap<AbortSignal, { readonly stops: Set<() => void>; readonly listener: () => void }>()

/**
 * Has `stop` called when the signal is aborted.
 *
 * @param signal - A signal that is not aborted yet.
 * @param stop - What to do.
 * @returns Takes that back.
 */
function onAbort(signal: AbortSignal, stop: () => void): () => void {
  let entry = waiting.get(signal)
  if (!entry) {
    const stops = new Set<() => void>()
    const listener = (): void => {
      for (const each of stops) each()
    }
    entry = { stops, listener }
    waiting.set(signal, entry)
    signal.addEventListener('abort', listener, { once: true })
  }
  const { stops, listener } = entry
  stops.add(stop)
  return () => {
    stops.delete(stop)
    if (stops.size > 0 || waiting.get(signal)?.stops !== stops) return
    signal.removeEventListener('abort', listener)
    waiting.delete(signal)
  }
}
