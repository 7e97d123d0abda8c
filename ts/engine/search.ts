import type { NativePattern, SearchAnswer, SearchSpec, SkippedCounts } from '../binding.js'
import { atLeast, atMost, FileConfiguration, fileLimits, SearchConfiguration, searchLimits } from '../limits.js'
import { binding } from '../native.js'
import { compilePattern } from '../pattern.js'
import type { Snapshot } from '../snapshot.js'
import { requireFunction, requireString, type EntriesOptions } from './options.js'
import { watched } from './progress.js'
import { onPath } from './run.js'

/** What {@link Workspace.search} looks for. What is absent does not restrict. */
export interface SearchQuery {
  /** Directory to search; by default the current path. */
  dir?: string | undefined
  /** Pattern that an entry's name matches. */
  name?: string | undefined
  /** Pattern that a line matches; then only files are found. */
  content?: string | undefined
  /** Flags of both patterns, as `RegExp` takes them: `i`, `u`, `s`, `m`. By default `iu`. */
  flags?: string | undefined
  /** Kind of entries; by default both. */
  kind?: 'file' | 'directory' | 'both' | undefined
  createdAfter?: Date | number | undefined
  createdBefore?: Date | number | undefined
  modifiedAfter?: Date | number | undefined
  modifiedBefore?: Date | number | undefined
  /** Files of more bytes do not match. */
  maxSize?: number | undefined
  /** Most results; by default `maxSearchResults` of the limits. */
  maxResults?: number | undefined
}

/** Options of {@link Workspace.search}. */
export interface SearchOptions extends EntriesOptions {
  /** Files of more bytes are not searched, and counted; by default that of a new FileConfiguration. */
  maxFileSize?: number | undefined
  /**
   * Told how far the search has come, at most every 100 ms, while the search runs. What it throws
   * ends the search and rejects its promise.
   */
  onProgress?: ((progress: SearchProgress) => void) | undefined
}

/** How far a search has come. Threads look ahead, so that this may end above the answer's counts. */
export interface SearchProgress {
  /** Entries looked at. */
  entries: number
  /** Bytes of files read. */
  bytes: number
  /** Matches found. */
  matches: number
}

/** One thing found: an entry, or a line of a file. */
export interface SearchResult {
  /** Absolute path; one that could mislead stands in double quotes, with escapes. */
  path: string
  kind: 'file' | 'directory'
  /** Number of the line, from 1. */
  line?: number
  /** First column of the match and the one past its last, in UTF-16 units from 0. */
  columns?: [start: number, end: number]
  /** The line, or the part of it around the match, without blanks around it. */
  text?: string
  /** Milliseconds since the epoch; present if the query names a date. */
  createdMs?: number
  /** Milliseconds since the epoch; present if the query names a date. */
  modifiedMs?: number
}

/** Answer of {@link Workspace.search}. */
export interface SearchResults {
  /** The directory that was searched. */
  path: string
  results: SearchResult[]
  /** Entries met. */
  visited: number
  /** What was left out, by reason. */
  skipped: SkippedCounts
  /** Whether nothing that may match was left out. */
  complete: boolean
  /** What ended the search early. */
  stoppedBy: 'limit' | 'entries' | 'timeout' | null
}

/** See {@link Workspace.search}. */
export async function search(
  snapshot: Snapshot,
  query: SearchQuery,
  options: SearchOptions
): Promise<SearchResults> {
  const asked = performance.now()
  requireFunction('onProgress', options.onProgress)
  const { signal } = options
  const limits = searchLimits(options.limits ?? new SearchConfiguration())
  const maxFileSize = options.maxFileSize ?? fileLimits(new FileConfiguration()).maxFileSize
  const { dir = snapshot.cwd, flags = 'iu', maxSize, kind = 'both' } = query
  const dates = {
    ...date('createdAfter', query.createdAfter),
    ...date('createdBefore', query.createdBefore),
    ...date('modifiedAfter', query.modifiedAfter),
    ...date('modifiedBefore', query.modifiedBefore)
  }
  const name = await pattern('name', query.name, flags, signal)
  const content = await pattern('content', query.content, flags, signal)
  const answer = await watched(signal, options.onProgress, (ending, progress) =>
    onPath(snapshot, dir, false, { signal: ending }, (context, path) =>
      binding().search(context, {
        path,
        ...(name && { name }),
        ...(content && { content }),
        kind,
        ...dates,
        ...(maxSize !== undefined && { maxSize: atMost(maxSize) }),
        maxFileSize: atMost(maxFileSize),
        maxResults: atLeast(query.maxResults ?? limits.maxSearchResults),
        maxEntries: atLeast(limits.maxTotalEntries),
        // What the patterns took is part of the time.
        timeoutMs: atLeast(limits.timeoutMs) - (performance.now() - asked),
        ...(progress && { progress })
      })
    )
  )
  const { path, visited, skipped, complete, stoppedBy } = answer
  return { path, results: rows(answer), visited, skipped, complete, stoppedBy }
}

/** A pattern that is given, compiled. */
async function pattern(
  field: string,
  source: unknown,
  flags: string,
  signal: AbortSignal | undefined
): Promise<NativePattern | undefined> {
  if (source === undefined) return undefined
  requireString(field, source)
  return await compilePattern(source, flags, signal)
}

/**
 * The results of an answer, out of its columns.
 *
 * @param answer - What the addon gave.
 */
export function rows(answer: SearchAnswer): SearchResult[] {
  const { paths = '', snippets = '', lines, columns, times, count = 0 } = answer
  if (count === 0) return []
  const pathList = paths.split('\n')
  const isContent = lines !== undefined && lines.length > 0
  const texts = isContent ? snippets.split('\n') : []
  return pathList.map((shown, index) => {
    const isDirectory = shown.endsWith('/')
    const result: SearchResult = {
      path: isDirectory ? shown.slice(0, -1) : shown,
      kind: isDirectory ? 'directory' : 'file'
    }
    if (isContent) {
      result.line = lines[index] ?? 0
      result.columns = [columns?.[2 * index] ?? 0, columns?.[2 * index + 1] ?? 0]
      result.text = texts[index] ?? ''
    }
    if (times && times.length > 0) {
      result.createdMs = times[2 * index] ?? 0
      result.modifiedMs = times[2 * index + 1] ?? 0
    }
    return result
  })
}

type DateField = 'createdAfter' | 'createdBefore' | 'modifiedAfter' | 'modifiedBefore'

function date(field: DateField, value: Date | number | undefined): Pick<SearchSpec, DateField> {
  return value === undefined ? {} : { [field]: Number(value) }
}
