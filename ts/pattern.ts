import { setImmediate } from 'node:timers/promises'

import type { NativePattern } from './binding.js'
import { binding } from './native.js'

/** Compiled patterns that are kept, the one used longest ago leaving first. */
const KEPT_PATTERNS = 32

/** Code points tried in one step; the surrogates are exactly one such block. */
const BLOCK = 0x800

/** First code point that is no character. */
const CODE_POINTS = 0x110000

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 5

const patterns = new Map<string, NativePattern>()
const properties = new Map<string, Promise<Uint32Array>>()

/**
 * Compiles a pattern for the native engines. V8 only checks its syntax and words the error; what
 * `\p{…}` means comes from V8 as well, so that it is the host's version of Unicode.
 *
 * @param source - Pattern as given to `RegExp`.
 * @param flags - Flags as given to `RegExp`.
 * @throws SyntaxError, as `RegExp` does; `ERR_PATTERN_LIMIT` for what exceeds the engines' caps.
 */
export async function compilePattern(source: string, flags: string): Promise<NativePattern> {
  const key = `${flags}/${source}`
  const known = patterns.get(key)
  if (known) {
    patterns.delete(key)
    patterns.set(key, known)
    return known
  }
  const { flags: canonical } = new RegExp(source, flags)
  const units = Uint16Array.from({ length: source.length }, (_, index) => source.charCodeAt(index))
  const names = binding().patternProperties(units, canonical)
  const sets = []
  for (const name of names) sets.push({ name, ranges: await propertyRanges(name) })
  const compiled = binding().compilePattern(units, canonical, sets)
  patterns.set(key, compiled)
  for (const oldest of patterns.keys()) {
    if (patterns.size <= KEPT_PATTERNS) break
    patterns.delete(oldest)
  }
  return compiled
}

function propertyRanges(name: string): Promise<Uint32Array> {
  let ranges = properties.get(name)
  if (!ranges) {
    ranges = resolveProperty(name)
    properties.set(name, ranges)
  }
  return ranges
}

/** First and last code points of each run that has the property, ascending, flattened. */
async function resolveProperty(name: string): Promise<Uint32Array> {
  const expression = new RegExp(`\\p{${name}}+`, 'gu')
  const ranges: number[] = []
  const add = (first: number, last: number): void => {
    if (ranges.at(-1) === first - 1) ranges[ranges.length - 1] = last
    else ranges.push(first, last)
  }
  let turn = performance.now() + SLICE
  for (let start = 0; start < CODE_POINTS; start += BLOCK) {
    if (start === 0xd800) {
      if (new RegExp(`\\p{${name}}`, 'u').test('\ud800')) add(0xd800, 0xdfff)
      continue
    }
    const block = String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => start + index))
    const width = start < 0x10000 ? 1 : 2
    for (const { index, 0: run } of block.matchAll(expression)) {
      const first = start + index / width
      add(first, first + run.length / width - 1)
    }
    if (performance.now() > turn) {
      await setImmediate()
      turn = performance.now() + SLICE
    }
  }
  return Uint32Array.from(ranges)
}
