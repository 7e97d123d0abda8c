// What was measured, as a table for people and as JSON for programs.
import { cpus, loadavg, release, totalmem } from 'node:os'

/** @typedef {import('./measure.mjs').Outcome} Outcome */

/** @param {Outcome} outcome */
export function passes({ ratio, bar }) {
  return ratio !== undefined && ratio <= (bar ?? Infinity)
}

/**
 * A time with its unit, three digits that matter.
 * @param {number} milliseconds
 * @param {'us' | 'ms'} unit
 */
function shown(milliseconds, unit) {
  const value = unit === 'us' ? milliseconds * 1000 : milliseconds
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toFixed(digits)} ${unit}`
}

const columns = [52, 12, 12, 8, 10, 8, 16]

/** @param {string[]} cells */
function line(cells) {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(columns[0]) : cell.padStart(columns[index]))).join('')
}

/** Head of the table. */
export function heading() {
  return line(['median per call', 'other', 'native', 'ratio', 'bar', '', '  other'])
}

/** @param {Outcome} outcome */
export function tableRow(outcome) {
  const { name, unit, bar, rival, ratio, times, difference } = outcome
  if (ratio === undefined || times === undefined) {
    return `${name.padEnd(columns[0])}  answers differ, no ratio: ${difference}`
  }
  const cells = [times[rival].median, times.native.median].map((time) => shown(time, unit))
  return line([name, ...cells, ratio.toFixed(3), ...(bar === undefined ? ['', ''] : [`<= ${bar}`, passes(outcome) ? 'ok' : 'MISSED']), `  ${rival}`])
}

/** The machine as far as times depend on it. */
export function machine() {
  const [first] = cpus()
  return {
    cpu: first?.model ?? 'unknown',
    cpus: cpus().length,
    memory: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    loadBefore: loadavg()[0]
  }
}

/**
 * A sentence when the machine has other work to do than this, which moves even ratios.
 * @param {ReturnType<typeof machine>} where
 */
export function busy({ loadBefore, cpus: count }) {
  return loadBefore > count / 2 ? `The machine is busy (load ${loadBefore.toFixed(2)}): measure again when it is quiet.` : undefined
}
