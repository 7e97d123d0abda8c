import { setImmediate } from 'node:timers/promises'

/** Code points tried in one step; the surrogates are exactly one such block. */
const BLOCK = 0x800

/** First of the surrogates. */
const SURROGATES = 0xd800

/** First code point that is no character. */
const CODE_POINTS = 0x110000

/** Milliseconds of work after which the event loop gets a turn. */
const SLICE = 5

const properties = new Map<string, Uint32Array>()

/** Names that are being resolved, each with the end of that. */
const resolving = new Map<string, Promise<void>>()

/** The names to resolve next, and the end of all passes so far. */
let next: { names: Set<string>; done: Promise<void> } | undefined
let last = Promise.resolve()

/** A property of characters, as a pattern names it. */
export interface Property {
  name: string
  /** First and last code point of each range, ascending, flattened. */
  ranges: Uint32Array
}

/**
 * Finds out which characters have some properties. V8 is asked, so that it is the host's version of
 * Unicode. All who ask share one pass over the characters at a time, which takes up to half a second
 * and leaves the event loop a turn every few milliseconds.
 *
 * @param names - What stands between the braces of `\p{…}`; each is valid.
 */
export async function resolveProperties(names: readonly string[]): Promise<Property[]> {
  const fresh = names.filter((name) => !properties.has(name) && !resolving.has(name))
  if (fresh.length > 0) {
    const group = (next ??= pass())
    for (const name of fresh) {
      group.names.add(name)
      resolving.set(name, group.done)
    }
  }
  for (const name of names) await resolving.get(name)
  return names.map((name) => ({ name, ranges: properties.get(name) ?? new Uint32Array() }))
}

/** A pass for names that may be added until it begins, when those before it are done. */
function pass(): NonNullable<typeof next> {
  const names = new Set<string>()
  const done = last.then(async () => {
    next = undefined
    await resolve([...names])
  })
  last = done
  return { names, done }
}

async function resolve(names: string[]): Promise<void> {
  const found = names.map((name) => new PropertyRanges(name))
  let turn = performance.now() + SLICE
  for (let start = 0; start < CODE_POINTS; start += BLOCK) {
    const block = start === SURROGATES ? '' : blockFrom(start)
    for (const property of found) {
      if (start === SURROGATES) property.addSurrogates()
      else property.add(block, start)
      if (performance.now() > turn) {
        await setImmediate()
        turn = performance.now() + SLICE
      }
    }
  }
  for (const { name, ranges } of found) {
    properties.set(name, Uint32Array.from(ranges))
    resolving.delete(name)
  }
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
