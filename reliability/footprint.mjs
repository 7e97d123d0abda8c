// What a process holds, and whether that grows.
import { readdirSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Entries of a directory of /proc, which only Linux has. @param {string} directory */
function count(directory) {
  try {
    return readdirSync(directory).length
  } catch {
    return 0
  }
}

/** Collects garbage until finalizers have run, then says what is held. Needs `--expose-gc`. */
export async function footprint() {
  for (let pass = 0; pass < 4; pass += 1) {
    globalThis.gc()
    await nextTurn()
    await pause(10)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heapUsed, external, descriptors: count('/proc/self/fd'), threads: count('/proc/self/task') }
}

/**
 * Slope of the line that least squares lay through points.
 * @param {number[]} xs
 * @param {number[]} ys
 */
export function slope(xs, ys) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(xs), mean(ys)]
  const across = xs.reduce((sum, each, index) => sum + (each - x) * (ys[index] - y), 0)
  return across / xs.reduce((sum, each) => sum + (each - x) ** 2, 0)
}
