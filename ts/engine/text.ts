import type { AppliedEdit, EditSpec, ReadAnswer } from '../binding.js'
import { toError } from '../failure.js'
import { customRefusal, nameMeant, poolUse, type PoolUse } from '../file-pool.js'
import { atMost, fileLimits, writing, type Durability, type HardLinks } from '../limits.js'
import { binding } from '../native.js'
import type { Snapshot } from '../snapshot.js'
import {
  requireBoolean,
  requireNumber,
  requireOptions,
  requireString,
  wrongType,
  wrongValue,
  type FileOptions
} from './options.js'
import { onPath, only } from './run.js'

/** Options of {@link Workspace.readText}. */
export interface ReadTextOptions extends FileOptions {
  /** First line, from 1. */
  startLine?: number | undefined
  /** Last line, inclusive. */
  endLine?: number | undefined
  /** Most UTF-16 units of text; by default `maxCharsPerFile` of the limits. */
  maxChars?: number | undefined
}

/** Text of a file, or a part of it. */
export interface ReadTextResult {
  path: string
  /** The lines asked for, without a byte order mark. */
  text: string
  startLine: number
  endLine: number
  /** Pieces of the whole text split at `\n`. */
  totalLines: number
  /** UTF-16 units of the whole text. */
  totalChars: number
  encoding: NonNullable<ReadAnswer['encoding']>
  /** Whether the file begins with a byte order mark. */
  bom: boolean
  /** Whether `maxChars` cut the text. */
  truncated: boolean
}

/** Options of {@link Workspace.writeText}. */
export interface WriteTextOptions extends FileOptions {
  /** Fail with `EEXIST` if the file exists. */
  createOnly?: boolean | undefined
  /** What to wait for; by default what the limits say. */
  durability?: Durability | undefined
  /** What becomes of the file's other names; by default what the limits say. */
  hardLinks?: HardLinks | undefined
}

/** What {@link Workspace.writeText} did. */
export interface WriteTextResult {
  path: string
  /** Whether the file is new. */
  created: boolean
  /** Size of the file. */
  bytes: number
  /** False where the file had to be written in place. */
  atomic: boolean
}

/** One change of a text. */
export type TextEdit =
  | { kind: 'replaceLines'; startLine: number; endLine?: number | undefined; content: string }
  | {
      kind: 'insert'
      /** Line to insert before; absent appends. */
      line?: number | undefined
      content: string
    }
  | {
      kind: 'replaceContent'
      oldContent: string
      content: string
      /** All occurrences instead of the first. */
      all?: boolean | undefined
    }

/** Options of {@link Workspace.edit}. */
export interface EditOptions extends FileOptions {
  /** Tell what would be done and change nothing. */
  dryRun?: boolean | undefined
  /** Tell what changed as a unified diff. */
  diff?: boolean | undefined
  /** What to wait for; by default what the limits say. */
  durability?: Durability | undefined
  /** What becomes of the file's other names; by default what the limits say. */
  hardLinks?: HardLinks | undefined
}

/** What {@link Workspace.edit} did. */
export interface EditResult {
  path: string
  /** Per edit the lines concerned and the number of occurrences. */
  applied: AppliedEdit[]
  /** Size of the file afterwards. */
  bytes: number
  /** Bytes that are the same as before. */
  unchangedBytes: number
  /** False where the file had to be written in place. */
  atomic: boolean
  /** What changed, as a unified diff with the path as both names; empty for no change. With option `diff` only. */
  diff?: string
}

/** See {@link Workspace.readText}. */
export async function readText(
  snapshot: Snapshot,
  path: string,
  options: ReadTextOptions
): Promise<ReadTextResult> {
  requireOptions(options)
  const { maxCharsPerFile, maxFileSize } = fileLimits(options.limits ?? {})
  const pool = poolUse(options.pool)
  const { startLine, endLine, maxChars } = options
  for (const [name, value] of Object.entries({ startLine, endLine, maxChars })) {
    requireNumber(`options.${name}`, value)
  }
  const answer = await onPath(
    snapshot,
    path,
    false,
    { signal: options.signal, pool: pool.native },
    (context, admitted) =>
      only(
        binding().readTexts(context, [admitted], {
          ...(startLine !== undefined && { startLine }),
          ...(endLine !== undefined && { endLine }),
          maxChars: atMost(maxChars ?? maxCharsPerFile),
          maxFileSize: atMost(maxFileSize)
        })
      )
  )
  await pool.custom?.recordRead(answer.path)
  return answer
}

/** See {@link Workspace.writeText}. */
export async function writeText(
  snapshot: Snapshot,
  path: string,
  text: string,
  options: WriteTextOptions
): Promise<WriteTextResult> {
  requireString('text', text)
  requireOptions(options)
  const { createOnly, limits = {} } = options
  requireBoolean('options.createOnly', createOnly)
  const how = writing(options, writing(limits))
  const { maxCharsPerFile } = fileLimits(limits)
  if (text.length > maxCharsPerFile) {
    throw toError({
      code: 'ERR_TOO_LARGE',
      message: `The text is ${text.length} chars, exceeds max length of ${maxCharsPerFile}`,
      path
    })
  }
  const pool = poolUse(options.pool)
  await verify(pool, snapshot, path, true)
  const answer = await onPath(
    snapshot,
    path,
    true,
    { signal: options.signal, pool: pool.native },
    (context, admitted) =>
      binding().writeText(context, admitted, text.toWellFormed(), {
        ...(createOnly !== undefined && { createOnly }),
        ...how
      })
  )
  await pool.custom?.recordWrite(answer.path)
  return answer
}

/** See {@link Workspace.edit}. */
export async function editText(
  snapshot: Snapshot,
  path: string,
  edits: TextEdit | readonly TextEdit[],
  options: EditOptions
): Promise<EditResult> {
  requireOptions(options)
  const { diff, dryRun, limits = {} } = options
  requireBoolean('options.diff', diff)
  requireBoolean('options.dryRun', dryRun)
  const how = writing(options, writing(limits))
  const { maxCharsPerFile, maxFileSize } = fileLimits(limits)
  const specs = [edits].flat().map(editSpec)
  const pool = poolUse(options.pool)
  await verify(pool, snapshot, path, false)
  const answer = await onPath(
    snapshot,
    path,
    true,
    { signal: options.signal, pool: pool.native },
    (context, admitted) =>
      only(
        binding().editTexts(context, [admitted], specs, {
          maxChars: atMost(maxCharsPerFile),
          maxFileSize: atMost(maxFileSize),
          ...(diff !== undefined && { diff }),
          ...(dryRun !== undefined && { dryRun }),
          ...how
        })
      )
  )
  if (!dryRun) await pool.custom?.recordWrite(answer.path)
  return answer
}

/**
 * An edit as the addon takes it.
 *
 * @param edit - The edit as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE` for what is none.
 */
function editSpec(edit: TextEdit): EditSpec {
  if (typeof (edit as unknown) !== 'object' || (edit as unknown) === null) {
    throw wrongType('edit', 'object', edit, editSpec)
  }
  requireString('edit.content', edit.content)
  const content = edit.content.toWellFormed()
  switch (edit.kind) {
    case 'replaceLines': {
      const { startLine, endLine = startLine } = edit
      if (typeof startLine !== 'number') {
        throw wrongType('edit.startLine', 'number', startLine, editSpec)
      }
      requireNumber('edit.startLine', startLine)
      requireNumber('edit.endLine', endLine)
      return { kind: edit.kind, startLine, endLine, content }
    }
    case 'insert':
      requireNumber('edit.line', edit.line)
      return { kind: edit.kind, content, ...(edit.line !== undefined && { startLine: edit.line }) }
    case 'replaceContent':
      requireString('edit.oldContent', edit.oldContent)
      requireBoolean('edit.all', edit.all)
      if (!edit.oldContent.isWellFormed()) {
        const reason = 'must not hold half of a character (a lone surrogate)'
        throw wrongValue('edit.oldContent', edit.oldContent, reason, editSpec)
      }
      return { kind: edit.kind, content, oldContent: edit.oldContent, all: edit.all ?? false }
    default: {
      const reason = "must be one of: 'replaceLines', 'insert', 'replaceContent'"
      throw wrongValue('edit.kind', (edit as { kind: unknown }).kind, reason, editSpec)
    }
  }
}

async function verify(
  pool: PoolUse,
  snapshot: Snapshot,
  path: string,
  allowNew: boolean
): Promise<void> {
  if (!pool.custom) return
  const resolved = snapshot.policy.normalize(snapshot.cwd, await nameMeant(snapshot, path))
  const failure = await customRefusal(pool.custom, resolved, allowNew)
  if (failure) throw toError(failure)
}
