import type { NativeProgress } from '../binding.js'
import { binding } from '../native.js'

/** Milliseconds between two reports. */
const INTERVAL = 100

/**
 * Runs a search and reports how far it has come.
 *
 * @param signal - The caller's signal, if any.
 * @param report - Whom to tell, if anybody wants to know. What it throws ends the search.
 * @param run - Starts the search with the signal that ends it, and the counters it is to fill.
 */
export async function watched<T>(
  signal: AbortSignal | undefined,
  report: ((counts: ReturnType<NativeProgress['counts']>) => void) | undefined,
  run: (signal: AbortSignal | undefined, progress?: NativeProgress) => Promise<T>
): Promise<T> {
  if (!report) return run(signal)
  const progress = new (binding().SearchProgress)()
  const failed = new AbortController()
  const timer = setInterval(() => {
    try {
      report(progress.counts())
    } catch (error) {
      clearInterval(timer)
      failed.abort(error)
    }
  }, INTERVAL)
  try {
    const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
    return await run(ending, progress)
  } finally {
    clearInterval(timer)
  }
}
