import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure, PageAnswer } from '../binding.js'
import { requireCount, requireObject } from '../engine/options.js'
import type { PoolMethods } from '../file-pool.js'
import { hint, pageLimits, readPage, type PageLimits } from '../page.js'
import { admit, callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Limits of {@link ReadTool}. */
export interface ReadToolLimits extends PageLimits {
  /** Milliseconds after which a read fails; by default 30000. */
  timeoutMs?: number | undefined
}

/**
 * Reads whole lines of one text file, however large, some at a time. It is not one of the published
 * tools and so not part of `FileToolPackage`.
 */
export class ReadTool extends Tool {
  readonly #workspace: Workspace
  readonly #pool: PoolMethods | undefined
  readonly #limits: { maxLines: number; maxBytes: number }
  readonly #timeoutMs: number

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param filePool - Notes what was read: the whole file, whichever lines are shown.
   * @param limits - Limits of every answer.
   * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`.
   */
  constructor(workspace: Workspace, filePool?: PoolMethods, limits: ReadToolLimits = {}) {
    super(
      'read',
      'Shows lines of a text file under a header line with its path and the range shown. offset and limit choose the lines; a negative offset counts from the end, so -10 shows the last 10 lines. Lines are never cut: an answer that does not hold all lines ends with the offset to go on with. Works for files of any size. The path is absolute or relative to the workspace root.',
      new ToolParameters(
        {
          path: new ToolParameterProperty('Path of the file (absolute or relative to the workspace root)'),
          offset: new ToolParameterProperty(
            'First line to show, from 1; negative to count from the end. Default: 1',
            PropertyType.Integer
          ),
          limit: new ToolParameterProperty('Most lines to show', PropertyType.Integer),
          line_numbers: new ToolParameterProperty(
            'True to show the number of each line and a tab before it',
            PropertyType.Boolean
          )
        },
        ['path']
      )
    )
    support.requireWorkspace(workspace)
    requireObject('limits', limits)
    this.#workspace = workspace
    this.#pool = filePool
    this.#limits = pageLimits('limits', limits)
    const { timeoutMs = 30_000 } = limits
    requireCount('limits.timeoutMs', timeoutMs)
    this.#timeoutMs = timeoutMs
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { path: raw } = args
    const offset = args.offset ?? 1
    const limit = args.limit ?? undefined
    if (!support.isPath(raw)) return support.failed(support.NO_PATH)
    if (!isInteger(offset) || offset === 0) {
      return support.failed('offset must be an integer: 1 for the first line, -1 for the last')
    }
    if (limit !== undefined && (!isInteger(limit) || limit < 1)) {
      return support.failed('limit must be an integer of at least 1')
    }
    const snapshot = support.snapshotOf(this.#workspace)
    const pool = support.poolUse(this.#pool)
    const { path, failure } = admit(snapshot, raw, false)
    if (failure) return this.#failure(failure, raw)
    const page = await readPage(
      support.binding(),
      callContext(snapshot, { pool: pool.native }),
      path,
      {
        offset,
        confined: false,
        timeoutMs: this.#timeoutMs,
        ...this.#limits,
        ...(limit !== undefined && { limit })
      }
    )
    if (page.failure) return this.#failure(page.failure, raw, page.path)
    if (page.path !== undefined) await pool.custom?.recordRead(page.path)
    const body = args.line_numbers === true ? numbered(page) : (page.text ?? '')
    return support.success(header(page) + body + hint(page, this.#limits))
  }

  #failure(failure: Failure, raw: string, path?: string): PartialToolResult {
    const shown = path ?? failure.path ?? raw
    if (support.isRefusal(failure)) {
      return support.refused(this.#workspace, support.NOT_READABLE, raw, failure)
    }
    if (support.isNoFile(failure)) return support.failed(`Path is not a file: ${shown}`)
    if (support.isFromLook(failure)) return support.failed(`File not found: ${failure.message}`)
    if (failure.code === 'ERR_BINARY') return support.failed(`File appears to be binary: ${shown}`)
    return support.failed(`Error reading file: ${failure.message}`)
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function header({ path = '', firstLine = 1, lines = 0, totalLines = 0 }: PageAnswer): string {
  const range = lines === 0 ? 'empty' : `lines ${firstLine}-${firstLine + lines - 1} of ${totalLines}`
  return `--- ${path} (${range}) ---\n`
}

/** The lines as `cat -n` shows them, the numbers no wider than they need to be. */
function numbered({ text = '', firstLine = 1, lines = 0 }: PageAnswer): string {
  if (lines === 0) return ''
  const width = String(firstLine + lines - 1).length
  return text
    .split('\n')
    .map((line, index) => `${String(firstLine + index).padStart(width)}\t${line}`)
    .join('\n')
}
