// Runs contenders in turn in one process and compares them. Absolute times depend on the machine and
// on what else it does; the ratio of two contenders measured alternately does not.
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/**
 * One side of a comparison.
 * @typedef {object} Contender
 * @property {() => unknown} run makes one call; the time until it settles counts
 * @property {() => unknown} answer the same call's answer, in a form that can be compared
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {'us' | 'ms'} unit of the times shown
 * @property {number | undefined} [bar] highest ratio of medians, native to the other contender, that passes
 * @property {number} samples per contender
 * @property {number} calls per sample; a sample is their mean time
 * @property {number} [warmUp] samples of each contender that do not count; by default 2
 * @property {number} [gap] milliseconds of rest before every call, not counted
 * @property {boolean} [synchronous] `run` gives its answer at once
 * @property {string} rival name of the contender that native is held against
 * @property {Record<string, Contender>} contenders by name; one is `native`
 */

/**
 * @typedef {object} Outcome
 * @property {string} name
 * @property {'us' | 'ms'} unit
 * @property {number | undefined} bar
 * @property {string} rival
 * @property {string} [difference] why the answers cannot be compared; then nothing was measured
 * @property {number} [ratio] of the medians, native to rival
 * @property {Record<string, {median: number, lowest: number, highest: number, samples: number[]}>} [times] milliseconds per call
 */

/** Milliseconds of rest before every sample: V8's helper threads finish what the last one left. */
const rest = 75

/** @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Where two answers differ first, or `undefined` when they are equal.
 * @param {unknown} rival
 * @param {unknown} native
 * @param {string} [at]
 * @returns {string | undefined}
 */
export function difference(rival, native, at = 'answer') {
  if (isDeepStrictEqual(rival, native)) {
    return undefined
  }
  if (Array.isArray(rival) && Array.isArray(native)) {
    const index = rival.findIndex((value, place) => !isDeepStrictEqual(value, native[place]))
    return index < 0 || index >= native.length
      ? `${at}: ${rival.length} against ${native.length} items`
      : difference(rival[index], native[index], `${at}[${index}]`)
  }
  if (typeof rival === 'string' && typeof native === 'string') {
    let place = 0
    while (rival[place] === native[place]) {
      place += 1
    }
    const near = (/** @type {string} */ text) => JSON.stringify(text.slice(Math.max(0, place - 30), place + 50))
    return `${at} at ${place}: ${near(rival)} against ${near(native)}`
  }
  return `${at}: ${JSON.stringify(rival)} against ${JSON.stringify(native)}`
}

/**
 * One sample: milliseconds per call.
 * @param {Case} row
 * @param {() => unknown} run
 */
async function sample({ calls, gap, synchronous }, run) {
  if (gap !== undefined) {
    let total = 0
    for (let call = 0; call < calls; call += 1) {
      await pause(gap)
      const start = performance.now()
      await run()
      total += performance.now() - start
    }
    return total / calls
  }
  const start = performance.now()
  if (synchronous === true) {
    for (let call = 0; call < calls; call += 1) {
      run()
    }
  } else {
    for (let call = 0; call < calls; call += 1) {
      await run()
    }
  }
  return (performance.now() - start) / calls
}

/**
 * Compares the answers, then the times.
 * @param {Case} row
 * @returns {Promise<Outcome>}
 */
export async function measure(row) {
  const { name, unit, bar, rival, contenders, warmUp = 2 } = row
  const head = { name, unit, bar, rival }
  const expected = await contenders[rival].answer()
  const unequal = difference(expected, await contenders.native.answer())
  if (unequal !== undefined) {
    return { ...head, difference: unequal }
  }

  const names = Object.keys(contenders)
  /** @type {Record<string, number[]>} */
  const samples = Object.fromEntries(names.map((contender) => [contender, []]))
  for (let round = -warmUp; round < row.samples; round += 1) {
    // Who begins changes with every round.
    for (const contender of round % 2 === 0 ? names : names.toReversed()) {
      await pause(rest)
      const time = await sample(row, contenders[contender].run)
      if (round >= 0) {
        samples[contender].push(time)
      }
    }
  }
  const times = Object.fromEntries(
    Object.entries(samples).map(([contender, values]) => [
      contender,
      { median: median(values), lowest: Math.min(...values), highest: Math.max(...values), samples: values }
    ])
  )
  return { ...head, ratio: times.native.median / times[rival].median, times }
}
