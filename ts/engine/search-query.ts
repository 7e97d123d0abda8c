import type { NativePattern, SearchSpec } from '../binding.js'
import { atLeast, atMost, FileConfiguration, fileLimits, searchLimits } from '../limits.js'
import { compilePattern } from '../pattern.js'
import * as options from './options.js'
import type { SearchOptions } from './search.js'

/** What {@link Workspace.search} looks for. What is absent does not restrict. */
export interface SearchQuery {
  /** Directory to search; by default the current path. */
  dir?: string | undefined
  /** Pattern that an entry's name matches. */
  name?: string | undefined
  /** Pattern that a line matches; then only files are found, once for each line with a match. */
  content?: string | undefined
  /** Flags of both patterns, as `RegExp` takes them: `i`, `u`, `s`, `m`. By default `iu`. */
  flags?: string | undefined
  /** Kind of entries; by default both. */
  kind?: 'file' | 'directory' | 'both' | undefined
  /** Earliest creation, as a Date or in milliseconds since the epoch. */
  createdAfter?: Date | number | undefined
  /** Latest creation. */
  createdBefore?: Date | number | undefined
  /** Earliest change of the content. */
  modifiedAfter?: Date | number | undefined
  /** Latest change of the content. */
  modifiedBefore?: Date | number | undefined
  /** Files of more bytes do not match. */
  maxSize?: number | undefined
  /** Most results; by default `maxSearchResults` of the limits, which is 50. */
  maxResults?: number | undefined
}

const KINDS = ['file', 'directory', 'both'] as const
const DATES = ['createdAfter', 'createdBefore', 'modifiedAfter', 'modifiedBefore'] as const
const FIELDS = ['dir', 'name', 'content', 'flags', 'kind', ...DATES, 'maxSize', 'maxResults']

/** Latest time of a Date, in milliseconds. Source: ECMA-262, Time Values and Time Range. */
const LATEST = 8.64e15

/**
 * Checks what is searched for and makes its patterns.
 *
 * @param query - As given.
 * @param more - Options as given.
 * @returns What the addon takes, but for the path.
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`, RangeError `ERR_OUT_OF_RANGE`;
 * for patterns as {@link compilePattern}.
 */
export async function searchSpec(
  query: SearchQuery,
  more: SearchOptions
): Promise<Omit<SearchSpec, 'path'>> {
  const asked = performance.now()
  check(query, more)
  const limits = searchLimits(more.limits ?? {})
  const maxFileSize = more.maxFileSize ?? fileLimits(new FileConfiguration()).maxFileSize
  const { flags = 'iu', maxSize, kind = 'both' } = query
  const timeLeft = (): number => atLeast(limits.timeoutMs) - (performance.now() - asked)
  const compiled = async (source: string | undefined): Promise<NativePattern | undefined> =>
    source === undefined
      ? undefined
      : await compilePattern(source, flags, { signal: more.signal, timeoutMs: timeLeft() })
  const name = await compiled(query.name)
  const content = await compiled(query.content)
  // Without its patterns it can only say that time was up.
  const isLate = (query.name !== undefined && !name) || (query.content !== undefined && !content)
  return {
    ...(name && { name }),
    ...(content && { content }),
    kind,
    ...Object.fromEntries(DATES.flatMap((field) => date(field, query[field]))),
    ...(maxSize !== undefined && { maxSize: atMost(maxSize) }),
    maxFileSize: atMost(maxFileSize),
    maxResults: atLeast(query.maxResults ?? limits.maxSearchResults),
    maxEntries: atLeast(limits.maxTotalEntries),
    // What the patterns took is part of the time.
    timeoutMs: isLate ? 0 : timeLeft()
  }
}

function check(query: SearchQuery, more: SearchOptions): void {
  if (query === undefined) throw options.wrongValue('query', query, 'must be an object', check)
  options.requireObject('query', query)
  const unknown = Object.keys(query).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) {
    const reason = `must have no fields but ${FIELDS.join(', ')}`
    throw options.wrongValue('query', { [unknown]: query[unknown as keyof SearchQuery] }, reason, check)
  }
  for (const field of ['name', 'content', 'flags'] as const) {
    if (query[field] !== undefined) options.requireString(field, query[field])
  }
  if (/[^imsu]/.test(query.flags ?? '')) {
    throw options.wrongValue('flags', query.flags, 'must be made of i, m, s and u', check)
  }
  options.requireOneOf('kind', query.kind, KINDS)
  options.requireNumber('maxSize', query.maxSize)
  options.requireNumber('maxResults', query.maxResults)
  options.requireNumber('options.maxFileSize', more.maxFileSize)
  options.requireObject('options.limits', more.limits)
  options.requireFunction('onProgress', more.onProgress)
}

function date(
  field: (typeof DATES)[number],
  value: Date | number | undefined
): [field: string, time: number][] {
  if (value === undefined) return []
  const time = value instanceof Date ? value.getTime() : value
  options.requireNumber(field, time)
  return [[field, Math.max(-LATEST, Math.min(time, LATEST))]]
}
