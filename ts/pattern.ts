import { setImmediate } from 'node:timers/promises'

import { abortable } from './abort.js'
import type { NativePattern } from './binding.js'
import { binding } from './native.js'

/** Compiled patterns that are kept, the one used longest ago leaving first. */
const KEPT_PATTERNS = 32

/** Code points tried in one step; the surrogates are exactly one such block. */
const BLOCK = 0x800

/** First of the surrogates. */
const SURROGATES = 0xd800

/** First code point that is no character. */
const CODE_POINTS = 0x110000

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 5

const patterns = new Map<string, NativePattern>()
const properties = new Map<string, Uint32Array>()

/**
 * Compiles a pattern for the native engines. V8 only checks its syntax and words the error; what
 * `\p{…}` means comes from V8 as well, so that it is the host's version of Unicode.
 *
 * @param source - Pattern as given to `RegExp`.
 * @param flags - Flags as given to `RegExp`.
 * @param signal - Ends the wait for the properties, which may take half a second, and for the engines,
 * which are made on another thread.
 * @throws SyntaxError, as `RegExp` does; `ERR_PATTERN_LIMIT` for what exceeds the engines' caps; the
 * signal's reason.
 */
export async function compilePattern(
  source: string,
  flags: string,
  signal?: AbortSignal
): Promise<NativePattern> {
  const key = `${flags}/${source}`
  const known = patterns.get(key)
  if (known) {
    patterns.delete(key)
    patterns.set(key, known)
    return known
  }
  const { flags: canonical } = new RegExp('', flags)
  const units = new Uint16Array(source.length)
  for (let index = 0; index < units.length; index++) units[index] = source.charCodeAt(index)
  // What is too large is refused before V8 spends time on it.
  const names = binding().patternProperties(units, canonical)
  new RegExp(source, flags)
  await resolveProperties(names, signal)
  const sets = names.map((name) => ({ name, ranges: properties.get(name) ?? new Uint32Array() }))
  const compiled = await abortable(signal, () =>
    binding().compilePattern(units, canonical, sets)
  )
  patterns.set(key, compiled)
  for (const oldest of patterns.keys()) {
    if (patterns.size <= KEPT_PATTERNS) break
    patterns.delete(oldest)
  }
  return compiled
}

/** Finds out, for each name that is new, which code points have the property. */
async function resolveProperties(names: string[], signal?: AbortSignal): Promise<void> {
  const fresh = names.filter((name) => !properties.has(name)).map((name) => new PropertyRanges(name))
  if (fresh.length === 0) return
  let turn = performance.now() + SLICE
  for (let start = 0; start < CODE_POINTS; start += BLOCK) {
    const block = start === SURROGATES ? '' : blockFrom(start)
    for (const property of fresh) {
      if (start === SURROGATES) property.addSurrogates()
      else property.add(block, start)
      if (performance.now() > turn) {
        await setImmediate()
        signal?.throwIfAborted()
        turn = performance.now() + SLICE
      }
    }
  }
  for (const { name, ranges } of fresh) properties.set(name, Uint32Array.from(ranges))
}

function blockFrom(start: number): string {
  return String.fromCodePoint(...Array.from({ length: BLOCK }, (_, index) => start + index))
}

/** First and last code points of each run that has a property, ascending, flattened. */
class PropertyRanges {
  readonly ranges: number[] = []
  readonly #runs: RegExp

  constructor(readonly name: string) {
    this.#runs = new RegExp(`\\p{${name}}+`, 'gu')
  }

  /** Adds those of the code points from `start` on, which `block` holds. */
  add(block: string, start: number): void {
    const width = start < 0x10000 ? 1 : 2
    for (const { index, 0: run } of block.matchAll(this.#runs)) {
      const first = start + index / width
      this.#push(first, first + run.length / width - 1)
    }
  }

  /** Adds the surrogates, of which a property has all or none. */
  addSurrogates(): void {
    if (new RegExp(`\\p{${this.name}}`, 'u').test('\ud800')) {
      this.#push(SURROGATES, SURROGATES + BLOCK - 1)
    }
  }

  #push(first: number, last: number): void {
    if (this.ranges.at(-1) === first - 1) this.ranges[this.ranges.length - 1] = last
    else this.ranges.push(first, last)
  }
}
