import type { NativeCancel } from './binding.js'

/** Longest time of a timer. Source: Node's documentation of `setTimeout`. */
const LONGEST = 2 ** 31 - 1

/**
 * Waits for some work, but not for too long.
 *
 * @param timeoutMs - Milliseconds; what is longer than a timer's time is no limit.
 * @param cancel - Ends the work when time is up.
 * @param run - Starts the work.
 * @returns What it gives; `undefined` if time was up first.
 */
export async function withinTime<T>(
  timeoutMs: number,
  cancel: NativeCancel,
  run: () => Promise<T>
): Promise<T | undefined> {
  const work = run()
  if (timeoutMs > LONGEST) return await work
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      cancel.cancel()
      resolve(undefined)
    }, timeoutMs)
  })
  try {
    return await Promise.race([work, timeUp])
  } finally {
    clearTimeout(timer)
  }
}
