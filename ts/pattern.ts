import { unlessAborted } from './abort.js'
import type { NativePattern } from './binding.js'
import { binding } from './native.js'
import { resolveProperties } from './pattern-properties.js'
import { withinTime } from './within-time.js'

/** Compiled patterns that are kept, the one used longest ago leaving first. */
const KEPT_PATTERNS = 32

const patterns = new Map<string, NativePattern>()

/** What bounds the compilation of a pattern. */
export interface Bounds {
  /** Ends the wait for it. */
  signal?: AbortSignal | undefined
  /** Milliseconds for it. */
  timeoutMs: number
}

/**
 * Compiles a pattern for the native engines. V8 only checks its syntax and words the error; what
 * `\p{…}` means comes from V8 as well.
 *
 * @param source - Pattern as given to `RegExp`.
 * @param flags - Flags as given to `RegExp`.
 * @param bounds - What ends the wait for the properties, which may take half a second, and for the
 * engines, which are made on another thread.
 * @returns The pattern; `undefined` if time was up first.
 * @throws SyntaxError, as `RegExp` does; `ERR_PATTERN_LIMIT` for what exceeds the engines' caps; the
 * signal's reason.
 */
export async function compilePattern(
  source: string,
  flags: string,
  { signal, timeoutMs }: Bounds
): Promise<NativePattern | undefined> {
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
  const cancel = new (binding().Cancel)()
  const compiled = await unlessAborted(signal, cancel, () =>
    withinTime(timeoutMs, cancel, async () => {
      const sets = names.length === 0 ? [] : await resolveProperties(names)
      return await binding().compilePattern(units, canonical, sets, cancel)
    })
  )
  if (compiled) keep(key, compiled)
  return compiled
}

function keep(key: string, pattern: NativePattern): void {
  patterns.set(key, pattern)
  for (const oldest of patterns.keys()) {
    if (patterns.size <= KEPT_PATTERNS) break
    patterns.delete(oldest)
  }
}
