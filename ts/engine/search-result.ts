import type { SearchAnswer } from '../binding.js'

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
        columns: [columns[2 * index] ?? 0, columns[2 * index + 1] ?? 0],
        text: texts[index] ?? ''
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
