import type { SearchAnswer } from '../binding.js'

/** One thing found: an entry, or a line of a file. */
export interface SearchResult {
  /** Absolute path; one that could mislead stands in double quotes, with escapes. */
  path: string
  kind: 'file' | 'directory'
  /** Number of the line, from 1. */
  line?: number
  /**
   * First column of the match and the one past its last, in UTF-16 units from 0. A match that begins
   * or ends within a surrogate pair, which is possible without flag `u`, is told with all of the pair.
   */
  columns?: [start: number, end: number]
  /** The line without blanks around it; of a long one 200 UTF-16 units with the match. */
  text?: string
  /** Column of the line at which `text` begins: `columns[0] - textColumn` is where the match begins in it. */
  textColumn?: number
  /** Milliseconds since the epoch; present if the query names a date. */
  createdMs?: number
  /** Milliseconds since the epoch; present if the query names a date. */
  modifiedMs?: number
}

/** A line of a file: what a search by content finds. */
export type LineResult = SearchResult &
  Required<Pick<SearchResult, 'line' | 'columns' | 'text' | 'textColumn'>>

/**
 * The results of an answer, out of its columns.
 *
 * @param answer - What the addon gave.
 */
export function rows(answer: SearchAnswer): SearchResult[] {
  const { paths = '', repeats = [], snippets = '', lines = [], columns = [], count = 0 } = answer
  if (count === 0) return []
  const isContent = lines.length > 0
  const texts = isContent ? snippets.split('\n') : []
  const results: SearchResult[] = []
  for (const [run, shown] of paths.split('\n').entries()) {
    const isDirectory = shown.endsWith('/')
    const path = isDirectory ? shown.slice(0, -1) : shown
    const kind = isDirectory ? 'directory' : 'file'
    if (!isContent) {
      results.push({ path, kind })
      continue
    }
    const end = results.length + (repeats[run] ?? 0)
    for (let index = results.length; index < end; index++) {
      results.push({
        path,
        kind,
        line: lines[index] ?? 0,
        columns: [columns[3 * index] ?? 0, columns[3 * index + 1] ?? 0],
        text: texts[index] ?? '',
        textColumn: columns[3 * index + 2] ?? 0
      })
    }
  }
  addTimes(results, answer.times)
  return results
}

function addTimes(results: SearchResult[], times: SearchAnswer['times']): void {
  if (!times?.length) return
  for (const [index, result] of results.entries()) {
    result.createdMs = times[2 * index] ?? 0
    result.modifiedMs = times[2 * index + 1] ?? 0
  }
}
