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
