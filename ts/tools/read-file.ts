import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure, ReadAnswer, ReadOptions } from '../binding.js'
import { engine } from '../engine-parts.js'
import type { PoolMethods } from '../file-pool.js'
import { atMost, fileLimits, type FileConfiguration } from '../limits.js'
import { callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

const TRUNCATED = '\n... [truncated]'

/** Files read at once without waiting for a thread, if all they need is in memory. */
const QUICK_PATHS = 4

/** Reads text files, whole or by lines. */
export class ReadFileTool extends Tool {
  readonly #workspace: Workspace
  readonly #configuration: FileConfiguration
  readonly #pool: PoolMethods | undefined

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param fileConfig - Limits; by default a new FileConfiguration.
   * @param filePool - Notes what was read.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration, filePool?: PoolMethods) {
    super(
      'read_file',
      'Shows the text of one or more files, each under a header line with its path, the range of lines shown, the number of lines and of characters. start_line and end_line limit the range (numbered from 1, both included). Paths are absolute or relative to the workspace root.',
      new ToolParameters(
        {
          paths: support.pathList('Paths of the files to read (absolute or relative to the workspace root)'),
          max_chars: new ToolParameterProperty(
            'Most characters to show of each file; the rest is cut off and marked',
            PropertyType.Integer
          ),
          start_line: new ToolParameterProperty('First line to show, from 1', PropertyType.Integer),
          end_line: new ToolParameterProperty('Last line to show, included', PropertyType.Integer)
        },
        ['paths']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#configuration = fileConfig ?? new engine.FileConfiguration()
    this.#pool = filePool
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const bad = support.refusedPaths(args.paths)
    if (bad) return bad
    const paths = args.paths as unknown[]
    const { maxCharsPerFile, maxFileSize } = fileLimits(this.#configuration)
    const maxChars = isNumber(args.max_chars)
      ? Math.max(1, Math.min(args.max_chars, maxCharsPerFile))
      : maxCharsPerFile
    const options: ReadOptions = { maxChars: atMost(maxChars), maxFileSize: atMost(maxFileSize) }
    if (isNumber(args.start_line)) options.startLine = Math.max(1, atMost(args.start_line))
    if (isNumber(args.end_line) && args.end_line >= 1) options.endLine = atMost(args.end_line)
    const snapshot = support.snapshotOf(this.#workspace)
    const pool = support.poolUse(this.#pool)
    return support.forPaths<ReadAnswer>(
      snapshot,
      paths,
      false,
      async (admitted) => {
        const context = callContext(snapshot, { pool: pool.native })
        const quick =
          admitted.length <= QUICK_PATHS
            ? support.binding().readTextsNow(context, admitted, options)
            : null
        const answers = quick ?? (await support.binding().readTexts(context, admitted, options))
        for (const { path, failure } of answers) {
          if (pool.custom && !failure && path !== undefined) await pool.custom.recordRead(path)
        }
        return answers
      },
      (answer, raw) =>
        answer.failure
          ? this.#failure(answer.failure, 'path' in answer ? answer.path : undefined, raw)
          : support.success(shown(answer, options, maxChars))
    )
  }

  #failure(failure: Failure, path: string | undefined, raw: string): PartialToolResult {
    const shownPath = path ?? failure.path ?? raw
    if (support.isRefusal(failure)) {
      return support.refused(this.#workspace, support.NOT_READABLE, raw, failure)
    }
    if (support.isNoFile(failure)) return support.failed(`Path is not a file: ${shownPath}`)
    if (support.isFromLook(failure)) return support.failed(`File not found: ${failure.message}`)
    if (failure.code === 'ERR_TOO_LARGE') {
      const max = this.#configuration.maxFileSize
      return support.failed(`File too large (${failure.size ?? 0} bytes, max ${max}): ${shownPath}`)
    }
    if (failure.code === 'ERR_BINARY') {
      return support.failed(
        `File appears to be binary; use read_file for text files only: ${shownPath}`
      )
    }
    return support.failed(`Error reading file: ${failure.message}`)
  }
}

function shown(answer: ReadAnswer, options: ReadOptions, maxChars: number): string {
  const { path = '', text = '', totalLines = 1, totalChars = 0, truncated = false } = answer
  const first = options.startLine ?? 1
  const last = Math.min(options.endLine ?? totalLines, totalLines)
  const body = truncated || maxChars < 0 ? cut(text, maxChars - TRUNCATED.length) + TRUNCATED : text
  return `--- ${path} (lines ${first}-${last} of ${totalLines}, ${totalChars} chars) ---\n${body}`
}

/** At most `units` UTF-16 units from the start, without half a character at the end. */
function cut(text: string, units: number): string {
  const end = Math.max(0, Math.floor(units))
  const last = text.charCodeAt(end - 1)
  const splits = last >= 0xd800 && last <= 0xdbff && end < text.length
  return text.slice(0, splits ? end - 1 : end)
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}
