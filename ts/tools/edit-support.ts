import type { PartialToolResult } from '@johannes.latzel/llm-chat'

import type { AppliedEdit, EditAnswer, EditOptions, EditSpec, Failure } from '../binding.js'
import { customRefusal, nameMeant, type PoolMethods } from '../file-pool.js'
import { atMost, fileLimits, writing, type FileConfiguration } from '../limits.js'
import { callContext, type Snapshot } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Failures of an edit that does not fit its file: the sentence is shown as it is. */
const MISFITS = new Set(['ERR_OUT_OF_RANGE', 'ERR_NO_MATCH', 'ERR_ENCODING'])

/** What the three edit tools have in common. */
export interface EditTool {
  workspace: Workspace
  configuration: FileConfiguration
  pool: PoolMethods | undefined
  /** Beginning of the text for an unforeseen failure. */
  trouble: string
  /** Why the text to find cannot be used, if it cannot; the engine is then given an empty one. */
  badNeedle?: string | undefined
}

/**
 * Makes one edit in every file with one native call.
 *
 * @param tool - The tool.
 * @param snapshot - The call's snapshot.
 * @param paths - Elements as the model gave them.
 * @param edit - The edit.
 * @param word - Makes the text for a file that was edited.
 */
export function editFiles(
  tool: EditTool,
  snapshot: Snapshot,
  paths: readonly unknown[],
  edit: EditSpec,
  word: (applied: AppliedEdit, path: string) => string
): Promise<PartialToolResult> {
  const { maxCharsPerFile, maxFileSize } = fileLimits(tool.configuration)
  const options = {
    maxChars: atMost(maxCharsPerFile),
    maxFileSize: atMost(maxFileSize),
    ...writing(tool.configuration)
  }
  const { native, custom } = support.poolUse(tool.pool)
  const context = callContext(snapshot, { pool: native })
  return support.forPaths<EditAnswer>(
    snapshot,
    paths,
    true,
    (admitted) =>
      custom
        ? withCustomPool(tool, custom, snapshot, admitted, edit, options)
        : support.binding().editTexts(context, admitted, [edit], options),
    (answer, raw) => {
      if (answer.failure) return editFailure(tool, answer.failure, raw)
      const { applied, path = raw } = answer as EditAnswer
      const { startLine = 0, endLine = 0, occurrences = 0 } = applied?.[0] ?? {}
      return support.success(word({ startLine, endLine, occurrences }, path))
    }
  )
}

/**
 * The result for a failure of an edit tool.
 *
 * @param tool - The tool.
 * @param failure - What the engine reported.
 * @param raw - The path as typed.
 */
export function editFailure(tool: EditTool, failure: Failure, raw: string): PartialToolResult {
  if (support.isRefusal(failure)) {
    return support.refused(tool.workspace, support.NOT_WRITABLE, raw, failure)
  }
  if (isEmptyNeedle(failure)) return support.failed(tool.badNeedle ?? failure.message)
  if (support.isNoFile(failure)) return support.failed('Path is not a file')
  if (support.isFromLook(failure)) return support.failed(`File not found: ${failure.message}`)
  if (failure.code === 'ERR_TOO_LARGE') {
    return support.failed(
      failure.size === undefined
        ? failure.message
        : `File too large (${failure.size} bytes, max ${tool.configuration.maxFileSize})`
    )
  }
  if (failure.code === 'ERR_BINARY') {
    return support.failed('File appears to be binary; this tool works with text files only')
  }
  if (support.isUnread(failure)) return support.failed(failure.message)
  if (MISFITS.has(failure.code)) return support.failed(failure.message)
  return support.failed(`${tool.trouble}: ${failure.message}`)
}

/**
 * The refusal of a bad argument, unless access to the path is refused, which comes first.
 *
 * @param tool - The tool.
 * @param snapshot - The call's snapshot.
 * @param raw - The path as typed.
 * @param text - The refusal of the argument.
 */
export async function badArgument(
  tool: EditTool,
  snapshot: Snapshot,
  raw: string,
  text: string
): Promise<PartialToolResult> {
  const refusal = await support.accessRefusal(snapshot, raw, true)
  return refusal ? editFailure(tool, refusal, raw) : support.failed(text)
}

/** Whether the engine refused an empty text to find: after all that can be wrong with the file. */
function isEmptyNeedle({ code, message }: Failure): boolean {
  return code === 'ERR_INVALID_ARG_VALUE' && message.startsWith('old_content')
}

/** With a pool of the host's own: its methods around an edit of each file. */
function withCustomPool(
  tool: EditTool,
  pool: PoolMethods,
  snapshot: Snapshot,
  paths: string[],
  edit: EditSpec,
  options: EditOptions
): Promise<EditAnswer[]> {
  const context = callContext(snapshot)
  const editOne = async (path: string, dryRun: boolean): Promise<EditAnswer> => {
    const [answer] = await support.binding().editTexts(context, [path], [edit], { ...options, dryRun })
    return answer ?? {}
  }
  return Promise.all(
    paths.map(async (path) => {
      const resolved = tool.workspace.normalize(await nameMeant(snapshot, path))
      const isGranted = tool.workspace.canWrite(resolved)
      const unread = isGranted ? await customRefusal(pool, resolved, false) : undefined
      const answer = await editOne(path, unread !== undefined)
      // What is wrong with the file itself comes before the pool's refusal, and that before a
      // misfit of the edit.
      if (unread && !(answer.failure && comesFirst(answer.failure))) return { failure: unread }
      if (!answer.failure) await pool.recordWrite(answer.path ?? resolved)
      return answer
    })
  )
}

function comesFirst(failure: Failure): boolean {
  return (
    support.isRefusal(failure) ||
    support.isNoFile(failure) ||
    (support.isFromLook(failure) && !isEmptyNeedle(failure)) ||
    failure.code === 'ERR_BINARY' ||
    failure.size !== undefined
  )
}
