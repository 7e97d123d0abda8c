import { unlessAborted } from '../abort.js'
import type { NativeSearch, SearchAnswer, SearchPortion, SkippedCounts } from '../binding.js'
import type { SearchConfiguration } from '../limits.js'
import { binding } from '../native.js'
import type { Snapshot } from '../snapshot.js'
import { requireOptions, requireString } from './options.js'
import { Watch, watched } from './progress.js'
import { onPath, type Done } from './run.js'
import { searchSpec, type SearchQuery } from './search-query.js'
import { rows, type SearchResult } from './search-result.js'

/** Results that become objects at once: some 3 ms of the event loop. */
const SLICE = 4096

/** Results of the first batch that a stream waits for; each batch waits for four times as many. */
const FIRST_BATCH = 64

/** Milliseconds after which a batch waits for no further result. */
const BATCH_WAIT = 100

/** Options of {@link Workspace.search}. */
export interface SearchOptions {
  /** Ends the search; the promise then rejects at once with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Limits; those that are not given are those of a new {@link SearchConfiguration}. */
  limits?: Partial<SearchConfiguration> | undefined
  /** Files of more bytes are not searched, and counted; by default that of a new FileConfiguration. */
  maxFileSize?: number | undefined
  /**
   * Told how far the search has come, at most every 100 ms, while the search runs. What it throws, or
   * rejects with, ends the search and rejects its promise.
   */
  onProgress?: ((progress: SearchProgress) => unknown) | undefined
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
export interface SearchResults<R extends SearchResult = SearchResult> {
  /** The directory that was searched. */
  path: string
  /** Depth first, in the order of the bytes of names, lines ascending; of a line its first match. */
  results: R[]
  /** Entries met. */
  visited: number
  /** What was left out, by reason. */
  skipped: SkippedCounts
  /** Whether nothing that may match was left out, but for binary files and `skipDirs`. */
  complete: boolean
  /** What ended the search early. */
  stoppedBy: 'limit' | 'entries' | 'timeout' | null
}

/**
 * A part of the answer of {@link Workspace.searchBatches}. Its counts are those of the search so
 * far, and in the last batch those of all of it.
 */
export interface SearchBatch<R extends SearchResult = SearchResult> extends SearchResults<R> {
  /** The results since the batch before, in order; in the last batch there may be none. */
  results: R[]
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
  requireOptions(options)
  const spec = await searchSpec(query, options)
  const { dir = snapshot.cwd } = query
  requireString('dir', dir)
  const cancel = new (binding().Cancel)()
  const watch = options.onProgress && new Watch(options.onProgress)
  const step = async <T>(run: () => Promise<T>): Promise<T> =>
    await watched(options.signal, watch, (signal) => unlessAborted(signal, cancel, run))
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

function answered(answer: Portion, results: SearchResult[]): SearchResults {
  const { path, visited, skipped, complete, stoppedBy } = answer
  return { path, results, visited, skipped, complete, stoppedBy }
}
