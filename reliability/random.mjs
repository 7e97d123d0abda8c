// Random numbers that a seed repeats: mulberry32 (T. Ettinger, public domain).

/**
 * @param {number} seed
 * @returns {(below: number) => number} whole numbers from 0 and below the one given
 */
export function randomFrom(seed) {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
