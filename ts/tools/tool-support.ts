import {
  PropertyType,
  ResultBuilder,
  ResultStatus,
  ToolParameterProperty,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure } from '../binding.js'
import { engine } from '../engine-parts.js'
import { admit, callContext, type Snapshot } from '../snapshot.js'
import { VERSION } from '../version.js'
import { versionKey, type Workspace } from '../workspace.js'

/** What tools need of the engine, perhaps that of another copy of the package. */
export const { binding, compilePattern, poolUse, snapshotOf } = engine.internals

/** Refusal of a path that may not be read. */
export const NOT_READABLE = 'Invalid or inaccessible path'

/** Refusal of a path that may not be written. */
export const NOT_WRITABLE = 'Invalid or inaccessible path (must be within writable directory)'

/** Refusal of an element of `paths`. */
export const NO_PATH = 'Path must be a non-empty string'

/**
 * Refuses what is no workspace of this version of the package; its private state cannot be used.
 *
 * @param workspace - Argument of a tool's constructor.
 * @throws TypeError that names both versions, if it is of another one.
 */
export function requireWorkspace(workspace: Workspace): void {
  if (engine.internals.isWorkspace(workspace)) return
  const other = (workspace as Partial<Record<symbol, unknown>> | null | undefined)?.[versionKey]
  throw new TypeError(
    typeof other === 'string' && other !== VERSION
      ? `The workspace is of llm-chat-file-native ${other} and the tool of ${VERSION}; both must be of one version`
      : 'The workspace must be a Workspace of llm-chat-file-native'
  )
}

/**
 * A successful result.
 *
 * @param result - Text for the model.
 */
export function success(result: string): PartialToolResult {
  return { result, status: ResultStatus.Success }
}

/**
 * A failed result.
 *
 * @param result - Text for the model.
 */
export function failed(result: string): PartialToolResult {
  return { result, status: ResultStatus.Error }
}

/**
 * Description of a parameter that is a list of paths.
 *
 * @param description - Text for the model.
 */
export function pathList(description: string): ToolParameterProperty {
  return new ToolParameterProperty(description, PropertyType.Array)
}

/**
 * Whether an argument is a path: a string that is not blank.
 *
 * @param raw - The argument.
 */
export function isPath(raw: unknown): raw is string {
  return typeof raw === 'string' && raw.trim() !== ''
}

/**
 * Checks an argument that must be a list of paths; its elements are checked one by one later.
 *
 * @param raw - The argument.
 * @returns The refusal, if there is reason for one.
 */
export function refusedPaths(raw: unknown): PartialToolResult | undefined {
  if (!Array.isArray(raw)) return failed('"paths" must be an array of strings')
  return raw.length === 0 ? failed('"paths" must be a non-empty array') : undefined
}

/**
 * A refusal of access with the hint that its path deserves.
 *
 * @param workspace - Gives the hint.
 * @param text - The refusal.
 * @param raw - The path as typed.
 * @param failure - The refusal as it came from the engine.
 */
export function refused(
  workspace: Workspace,
  text: string,
  raw: string,
  failure: Failure
): PartialToolResult {
  return failed(text + workspace.pathHint(raw, failure.path ?? workspace.normalize(raw.trim())))
}

/**
 * Whether a failure is a refusal of access.
 *
 * @param failure - What the engine reported.
 */
export function isRefusal(failure: Failure): boolean {
  return failure.code === 'ERR_NOT_GRANTED'
}

/**
 * Whether a failure came from the look at a path, before anything was done with it.
 *
 * @param failure - What the engine reported.
 */
export function isFromLook({ code, syscall }: Failure): boolean {
  return code === 'ERR_INVALID_ARG_VALUE' || syscall === 'stat' || syscall === 'lstat'
}

/**
 * Whether a failure says that the path names something other than a regular file.
 *
 * @param failure - What the engine reported.
 */
export function isNoFile({ code }: Failure): boolean {
  return code === 'ERR_NOT_REGULAR' || code === 'EISDIR'
}

/**
 * Whether a failure is the read-before-write rule's, whose sentence is shown as it is.
 *
 * @param failure - What the engine reported.
 */
export function isUnread({ code }: Failure): boolean {
  return code === 'ERR_NOT_READ' || code === 'ERR_CHANGED'
}

/**
 * Answers for a list of paths with one native call: bad elements and paths that the host's rules
 * refuse keep their place, the rest goes to the engine.
 *
 * @param snapshot - The call's snapshot.
 * @param paths - Elements as the model gave them.
 * @param write - Whether the operation changes something.
 * @param call - The native call, for the paths that are admitted.
 * @param word - Makes a result of an answer; `raw` is the element it belongs to.
 */
export async function forPaths<T extends { failure?: Failure }>(
  snapshot: Snapshot,
  paths: readonly unknown[],
  write: boolean,
  call: (admitted: string[]) => T[] | Promise<T[]>,
  word: (answer: T | { failure: Failure }, raw: string) => PartialToolResult
): Promise<PartialToolResult> {
  const results: PartialToolResult[] = []
  const admitted: { path: string; raw: string; index: number }[] = []
  for (const [index, raw] of paths.entries()) {
    if (!isPath(raw)) {
      results[index] = failed(NO_PATH)
      continue
    }
    const { path, failure } = admit(snapshot, raw, write)
    if (failure) results[index] = word({ failure }, raw)
    else admitted.push({ path, raw, index })
  }
  if (admitted.length > 0) {
    const answers = await call(admitted.map(({ path }) => path))
    for (const [position, { raw, index }] of admitted.entries()) {
      const answer = answers[position]
      if (answer) results[index] = word(answer, raw)
    }
  }
  return ResultBuilder.from(results).build()
}

/**
 * Asks for access alone: for bad arguments, whose refusal comes after that of the path.
 *
 * @param snapshot - The call's snapshot.
 * @param raw - The path as typed.
 * @param write - Whether the operation changes something.
 * @returns The refusal of access, if there is one.
 */
export async function accessRefusal(
  snapshot: Snapshot,
  raw: string,
  write: boolean
): Promise<Failure | undefined> {
  const admission = admit(snapshot, raw, write)
  const failure =
    admission.failure ??
    (await binding().access(callContext(snapshot), [admission.path], write))[0]?.failure
  return failure && isRefusal(failure) ? failure : undefined
}

/** The date shown last: the times of an entry are often the same. */
let lastDate = { ms: 0, text: new Date(0).toISOString() }

/**
 * A date as results show it: ISO 8601, milliseconds rounded as Node rounds them.
 *
 * @param ms - Milliseconds since the epoch.
 */
export function isoDate(ms: number | undefined): string {
  const rounded = Math.round(ms ?? 0)
  if (rounded !== lastDate.ms) lastDate = { ms: rounded, text: new Date(rounded).toISOString() }
  return lastDate.text
}
