import { unlessAborted } from '../abort.js'
import type {
  NativePattern,
  NativeSearch,
  SearchAnswer,
  SearchPortion,
  SearchSpec,
  SkippedCounts
} from '../binding.js'
import { atLeast, atMost, FileConfiguration, fileLimits, SearchConfiguration, searchLimits } from '../limits.js'
import { binding } from '../native.js'
import { compilePattern } from '../pattern.js'
import type { Snapshot } from '../snapshot.js'
import { requireFunction, requireString, type EntriesOptions } from './options.js'
import { Watch, watched } from './progress.js'
import { onPath, type Done } from './run.js'
import { rows, type SearchResult } from './search-result.js'

/** Results that become objects at once: some 3 ms of the event loop. */
const SLICE = 4096

/** Results of the first batch that a stream waits for; each batch waits for four times as many. */
const FIRST_BATCH = 64

/** Milliseconds after which a batch waits for no further result. */
const BATCH_WAIT = 100

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

/**
 * A part of the answer of {@link Workspace.searchBatches}. Its counts are those of the search so
 * far, and in the last batch those of all of it.
 */
export interface SearchBatch extends SearchResults {
  /** The results since the batch before, in order; in the last batch there may be none. */
  results: SearchResult[]
  /** Whether this is the last batch and nothing that may match was left out. */
  complete: boolean
  /** Whether this is the last batch. */
  last: boolean
}

/** See {@link Workspace.search}. */
export async function search(
  snapshot: Snapshot,
  query: SearchQuery,
  options: SearchOptions
): Promise<SearchResults> {
  const results: SearchResult[] = []
  let last: SearchResults | undefined
  for await (const answer of portions(snapshot, query, options, () => ({ most: SLICE }), true)) {
    for (const row of rows(answer)) results.push(row)
    last = answered(answer, results)
  }
  if (!last) throw new Error('The addon gave no answer')
  return last
}

/** See {@link Workspace.searchBatches}. */
export async function* searchBatches(
  snapshot: Snapshot,
  query: SearchQuery,
  options: SearchOptions
): AsyncGenerator<SearchBatch, void, undefined> {
  const portion = (index: number): SearchPortion => {
    const size = Math.min(FIRST_BATCH * 4 ** index, SLICE)
    return { enough: size, most: size, patienceMs: BATCH_WAIT }
  }
  for await (const answer of portions(snapshot, query, options, portion)) {
    yield { ...answered(answer, rows(answer)), last: !answer.rest }
  }
}

type Portion = Done<Omit<SearchAnswer, 'rest'>> & { rest?: NativeSearch }

/**
 * The answer of a search in portions.
 *
 * @param ahead - Whether each portion is fetched while the one before is used; else nothing runs
 * meanwhile.
 */
async function* portions(
  snapshot: Snapshot,
  query: SearchQuery,
  options: SearchOptions,
  portion: (index: number) => SearchPortion,
  ahead = false
): AsyncGenerator<Portion, void, undefined> {
  const cancel = new (binding().Cancel)()
  const watch = options.onProgress && new Watch(options.onProgress)
  const step = async <T>(run: () => Promise<T>): Promise<T> =>
    await watched(options.signal, watch, (signal) => unlessAborted(signal, cancel, run))
  const { dir, spec } = await prepare(snapshot, query, options)
  let answer: Portion = await step(() =>
    onPath(snapshot, dir, false, { cancel }, (context, path) => {
      const progress = watch && { progress: watch.progress }
      return binding().search(context, { path, ...spec, ...progress }, portion(0))
    })
  )
  try {
    for (let index = 1; ; index++) {
      const { rest } = answer
      const next = rest && ((): Promise<SearchAnswer> => step(() => rest.next(portion(index))))
      const fetched = ahead ? next?.() : undefined
      // Whoever stops early never asks what became of it.
      fetched?.catch(() => undefined)
      yield answer
      if (!next) return
      answer = (await (fetched ?? next())) as Portion
    }
  } finally {
    answer.rest?.close()
  }
}

/** What is searched where. */
async function prepare(
  snapshot: Snapshot,
  query: SearchQuery,
  options: SearchOptions
): Promise<{ dir: string; spec: Omit<SearchSpec, 'path'> }> {
  const asked = performance.now()
  requireFunction('onProgress', options.onProgress)
  const limits = searchLimits(options.limits ?? new SearchConfiguration())
  const maxFileSize = options.maxFileSize ?? fileLimits(new FileConfiguration()).maxFileSize
  const { dir = snapshot.cwd, flags = 'iu', maxSize, kind = 'both' } = query
  const dates = {
    ...date('createdAfter', query.createdAfter),
    ...date('createdBefore', query.createdBefore),
    ...date('modifiedAfter', query.modifiedAfter),
    ...date('modifiedBefore', query.modifiedBefore)
  }
  const name = await pattern('name', query.name, flags, options.signal)
  const content = await pattern('content', query.content, flags, options.signal)
  const spec = {
    ...(name && { name }),
    ...(content && { content }),
    kind,
    ...dates,
    ...(maxSize !== undefined && { maxSize: atMost(maxSize) }),
    maxFileSize: atMost(maxFileSize),
    maxResults: atLeast(query.maxResults ?? limits.maxSearchResults),
    maxEntries: atLeast(limits.maxTotalEntries),
    // What the patterns took is part of the time.
    timeoutMs: atLeast(limits.timeoutMs) - (performance.now() - asked)
  }
  return { dir, spec }
}

function answered(answer: Portion, results: SearchResult[]): SearchResults {
  const { path, visited, skipped, complete, stoppedBy } = answer
  return { path, results, visited, skipped, complete, stoppedBy }
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

type DateField = 'createdAfter' | 'createdBefore' | 'modifiedAfter' | 'modifiedBefore'

function date(field: DateField, value: Date | number | undefined): Pick<SearchSpec, DateField> {
  return value === undefined ? {} : { [field]: Number(value) }
}
