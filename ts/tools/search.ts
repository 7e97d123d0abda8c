import path from 'node:path'

import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure, NativePattern, SearchAnswer, SearchSpec } from '../binding.js'
import { engine } from '../engine-parts.js'
import { rows, type SearchResult } from '../engine/search-result.js'
import {
  atLeast,
  atMost,
  fileLimits,
  searchLimits,
  type FileConfiguration,
  type SearchConfiguration
} from '../limits.js'
import { admit, callContext, type Snapshot } from '../snapshot.js'
import { isFileRoot } from '../walk.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'
import { warning } from './warning.js'

const STRICT_HINT =
  ' (Set strict=false to allow legacy escape sequences like \\" which fail under the Unicode "u" flag.)'

/** Arguments that hold a date, and the fields they become. */
const DATES = {
  created_after: 'createdAfter',
  created_before: 'createdBefore',
  modified_after: 'modifiedAfter',
  modified_before: 'modifiedBefore'
} as const

/** Searches files and directories by name, content and date. */
export class SearchEntriesTool extends Tool {
  readonly #workspace: Workspace
  readonly #search: SearchConfiguration
  readonly #files: FileConfiguration

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param searchConfig - Limits of the search; by default a new SearchConfiguration.
   * @param fileConfig - Largest file to search; by default a new FileConfiguration.
   */
  constructor(
    workspace: Workspace,
    searchConfig?: SearchConfiguration,
    fileConfig?: FileConfiguration
  ) {
    super(
      'search_entries',
      'Finds files and directories beneath a directory by name, by content, or both; without a pattern, all of them. A match in a file is shown as path:line: text, other results as a path; directories end in "/". The path is absolute or relative to the workspace root ("." is the root itself). If a pattern is refused for an escape such as \\", pass strict=false.',
      new ToolParameters(
        {
          path: new ToolParameterProperty(
            'Directory to search (absolute or relative to the workspace root); the workspace root if left out'
          ),
          type: new ToolParameterProperty('What to find: "file", "directory" or "both" (the default)'),
          name_pattern: new ToolParameterProperty(
            'JavaScript regular expression for names; case is ignored'
          ),
          content_pattern: new ToolParameterProperty(
            'JavaScript regular expression for lines of files; case is ignored'
          ),
          strict: new ToolParameterProperty(
            'Patterns have the Unicode flag "u" (the default), under which needless escapes such as \\" are errors; false takes the flag away',
            PropertyType.Boolean
          ),
          max_results: new ToolParameterProperty('Most results to give', PropertyType.Integer),
          max_size: new ToolParameterProperty(
            'Files of more bytes are left out (within the configured limit)',
            PropertyType.Integer
          ),
          created_after: new ToolParameterProperty('Only what was created at this ISO date or later'),
          created_before: new ToolParameterProperty('Only what was created at this ISO date or earlier'),
          modified_after: new ToolParameterProperty('Only what was changed at this ISO date or later'),
          modified_before: new ToolParameterProperty('Only what was changed at this ISO date or earlier')
        },
        []
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#search = searchConfig ?? new engine.SearchConfiguration()
    this.#files = fileConfig ?? new engine.FileConfiguration()
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const snapshot = support.snapshotOf(this.#workspace)
    const limits = searchLimits(this.#search)
    const { maxFileSize } = fileLimits(this.#files)
    const asked = performance.now()
    const isStrict = args.strict !== false
    const timeLeft = (): number => atLeast(limits.timeoutMs) - (performance.now() - asked)
    const name = await pattern(args.name_pattern, 'name_pattern', isStrict, timeLeft())
    if (name.error) return name.error
    const content = await pattern(args.content_pattern, 'content_pattern', isStrict, timeLeft())
    if (content.error) return content.error
    const kind = kindOf(args.type)
    if (!kind) {
      return support.failed(
        'Invalid type parameter. Accepted values: "file", "directory", "both".'
      )
    }
    const raw = support.isPath(args.path) ? args.path : undefined
    const admission = admit(snapshot, raw ?? snapshot.cwd, false)
    if (admission.failure) return this.#failure(admission.failure, raw, snapshot)
    const dates = datesOf(args)
    if (dates.invalid) {
      return await this.#badDate(snapshot, admission.path, raw, dates.invalid)
    }
    const { max_results: maxResults, max_size: maxSize } = args
    const spec: SearchSpec = {
      path: admission.path,
      ...(name.compiled && { name: name.compiled }),
      ...(content.compiled && { content: content.compiled }),
      kind,
      ...dates.fields,
      ...(content.compiled && isNumber(maxSize) && { maxSize: atMost(Math.max(1, Math.min(maxSize, maxFileSize))) }),
      maxFileSize: atMost(maxFileSize),
      maxResults: atLeast(isNumber(maxResults) ? Math.max(1, maxResults) : limits.maxSearchResults),
      maxEntries: atLeast(limits.maxTotalEntries),
      // What the patterns took is part of the time.
      timeoutMs: name.isLate || content.isLate ? 0 : timeLeft()
    }
    // More are counted, and not shown.
    const portion = { most: atLeast(limits.maxDisplayEntries) }
    const answer = await support.binding().search(callContext(snapshot), spec, portion)
    answer.rest?.close()
    if (answer.failure) return this.#failure(answer.failure, raw, snapshot, answer.path)
    return found(answer, limits.maxDisplayEntries, maxFileSize)
  }

  /** A bad date is told only if the directory can be searched. */
  async #badDate(
    snapshot: Snapshot,
    admitted: string,
    raw: string | undefined,
    name: string
  ): Promise<PartialToolResult> {
    const root = await support.binding().openWalk(callContext(snapshot), admitted, 1)
    return root.failure
      ? this.#failure(root.failure, raw, snapshot, root.path)
      : support.failed(`Invalid ${name} date`)
  }

  #failure(
    failure: Failure,
    raw: string | undefined,
    snapshot: Snapshot,
    resolved = failure.path ?? this.#workspace.normalize(raw?.trim() ?? snapshot.cwd)
  ): PartialToolResult {
    if (support.isRefusal(failure)) {
      return raw === undefined
        ? support.failed(support.NOT_READABLE)
        : support.refused(this.#workspace, support.NOT_READABLE, raw, failure)
    }
    const typed = raw?.trim() ?? resolved
    if (failure.code === 'ENOENT') {
      return support.failed(
        `Path not found: '${typed}' (resolved to '${resolved}'). Check the spelling, or use entry_info to verify the path.`
      )
    }
    if (isFileRoot(failure)) {
      return support.failed(
        `Invalid path '${typed}': '${resolved}' is a file, not a directory. Use read_file to inspect this file, or pass its containing directory '${parentOf(resolved)}' to search_entries.`
      )
    }
    if (support.isFromLook(failure)) {
      return support.failed(
        `Invalid path '${typed}': cannot access '${resolved}': ${failure.message}`
      )
    }
    return support.failed(`Error searching: ${failure.message}`)
  }
}

/** A pattern compiled, or why it is not; blank means none. */
async function pattern(
  raw: unknown,
  name: string,
  isStrict: boolean,
  timeoutMs: number
): Promise<{ compiled?: NativePattern; isLate?: boolean; error?: PartialToolResult }> {
  if (typeof raw !== 'string' || raw.trim() === '') return {}
  try {
    const flags = isStrict ? 'iu' : 'i'
    const compiled = await support.compilePattern(raw.trim(), flags, { timeoutMs })
    return compiled ? { compiled } : { isLate: true }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const hint = isStrict && error instanceof SyntaxError ? STRICT_HINT : ''
    return { error: support.failed(`Invalid ${name} regex: ${error.message}${hint}`) }
  }
}

function kindOf(raw: unknown): SearchSpec['kind'] | undefined {
  if (raw === undefined || raw === null) return 'both'
  return raw === 'file' || raw === 'directory' || raw === 'both' ? raw : undefined
}

type DateFields = Pick<SearchSpec, (typeof DATES)[keyof typeof DATES]>

function datesOf(args: Record<string, unknown>): { fields: DateFields; invalid?: string } {
  const fields: DateFields = {}
  for (const [name, field] of Object.entries(DATES)) {
    const raw = args[name]
    if (typeof raw !== 'string') continue
    const time = new Date(raw).getTime()
    if (Number.isNaN(time)) return { fields, invalid: name }
    fields[field] = time
  }
  return { fields }
}

function found(
  answer: SearchAnswer,
  maxDisplayEntries: number,
  maxFileSize: number
): PartialToolResult {
  const { visited = 0, found: count = 0, skipped } = answer
  const text = count > maxDisplayEntries ? '' : shown(answer)
  const withText = (first: string): string => (text === '' ? first : `${first}\n${text}`)
  if (answer.stoppedBy === 'entries') {
    const first = `Searched too many entries (${visited}), aborting. Found ${count} matches.`
    return support.failed(withText(first))
  }
  if (answer.stoppedBy === 'timeout') {
    const first = `Search timed out after ${visited} entries, found ${count} matches`
    return support.success(withText(first))
  }
  const prefix = warning(
    {
      unreadableDirectories: skipped?.unreadableDirectories ?? 0,
      // A file that a pattern's own cap kept from being searched is as good as unread.
      unreadableFiles: (skipped?.unreadableFiles ?? 0) + (skipped?.undecodable ?? 0),
      oversized: skipped?.oversized ?? 0,
      maxFileSize
    },
    'results may be incomplete'
  )
  if (count > maxDisplayEntries) {
    return support.success(`${prefix}Searched ${visited} entries, found ${count} matches`)
  }
  return support.success(prefix + (count === 0 ? 'No matching entries found' : text))
}

/** The results, one a line. Names alone are in that form already. */
function shown(answer: SearchAnswer): string {
  const { paths = '', lines, times } = answer
  return lines?.length || times?.length ? rows(answer).map(line).join('\n') : paths
}

/** The directory of a path as it is shown, which may be in quotes. */
function parentOf(shown: string): string {
  if (!shown.startsWith('"')) return path.dirname(shown)
  const parent = path.dirname(shown.slice(1))
  return parent.includes('\\') ? `"${parent}"` : parent
}

function line({ path, kind, line, text, createdMs, modifiedMs }: SearchResult): string {
  if (kind === 'directory') return `${path}/`
  const place = line === undefined ? path : `${path}:${line}: ${text}`
  if (createdMs === undefined) return place
  const dates = `created: ${support.isoDate(createdMs)}, modified: ${support.isoDate(modifiedMs)}`
  return `${place}  (${dates})`
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}
