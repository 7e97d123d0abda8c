import type { NativeProgress } from '../binding.js'
import { binding } from '../native.js'

/** Milliseconds between two reports. */
const INTERVAL = 100

type Report = (counts: ReturnType<NativeProgress['counts']>) => unknown

/** Reports how far a search has come. */
export class Watch {
  /** The counters that the search is to fill. */
  readonly progress = new (binding().SearchProgress)()
  readonly #report: Report
  #told = performance.now()

  /**
   * @param report - Whom to tell. What it throws, or rejects with, ends the search.
   */
  constructor(report: Report) {
    this.#report = report
  }

  /** Milliseconds until the next report. */
  get due(): number {
    return Math.max(0, this.#told + INTERVAL - performance.now())
  }

  /**
   * Reports.
   *
   * @param failed - Gets what a listener rejects with.
   */
  tell(failed: (error: unknown) => void): void {
    this.#told = performance.now()
    const answer = this.#report(this.progress.counts())
    if (answer instanceof Promise) answer.catch(failed)
  }
}

/**
 * Runs a search, or a part of one, and reports meanwhile how far it has come.
 *
 * @param signal - The caller's signal, if any.
 * @param watch - Whom to tell, if anybody wants to know.
 * @param run - Runs the search with the signal that ends it.
 */
export async function watched<T>(
  signal: AbortSignal | undefined,
  watch: Watch | undefined,
  run: (signal: AbortSignal | undefined) => Promise<T>
): Promise<T> {
  if (!watch) return run(signal)
  const failed = new AbortController()
  const fail = (error: unknown): void => {
    failed.abort(error)
  }
  const tick = (): void => {
    try {
      watch.tell(fail)
      timer = setTimeout(tick, watch.due)
    } catch (error) {
      fail(error)
    }
  }
  let timer = setTimeout(tick, watch.due)
  try {
    const ending = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
    const answer = await run(ending)
    // Parts that are shorter than the interval leave no time to the timer.
    if (watch.due === 0) watch.tell(fail)
    return answer
  } finally {
    clearTimeout(timer)
  }
}
