import {
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure } from '../binding.js'
import type { PoolMethods } from '../file-pool.js'
import { admit, callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

const REFUSED_SOURCE = 'Invalid or inaccessible source path (must be within writable directory)'
const REFUSED_DESTINATION =
  'Invalid or inaccessible destination path (must be within writable directory)'

/** Moves or renames a file or directory. */
export class MoveFileTool extends Tool {
  readonly #workspace: Workspace
  readonly #pool: PoolMethods | undefined

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param filePool - Keeps what it knows of the file under its new name.
   */
  // The default keeps the constructor's length that of the published class.
  // eslint-disable-next-line @typescript-eslint/no-useless-default-assignment
  constructor(workspace: Workspace, filePool: PoolMethods | undefined = undefined) {
    super(
      'move_file',
      'Moves or renames a file, link or directory, and makes the directories that the destination needs. Nothing that exists is replaced. Paths are absolute or relative to the workspace root.',
      new ToolParameters(
        {
          source: new ToolParameterProperty('Path to move (absolute or relative to the workspace root)'),
          destination: new ToolParameterProperty(
            'New path, file name included (absolute or relative to the workspace root)'
          )
        },
        ['source', 'destination']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#pool = filePool
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { source, destination } = args
    if (!support.isPath(source)) return support.failed(REFUSED_SOURCE)
    const snapshot = support.snapshotOf(this.#workspace)
    if (!support.isPath(destination)) {
      const refusal = await support.accessRefusal(snapshot, source, true)
      return refusal
        ? this.#refused(REFUSED_SOURCE, source, refusal)
        : support.failed(REFUSED_DESTINATION)
    }
    const from = admit(snapshot, source, true)
    if (from.failure && support.isRefusal(from.failure)) {
      return this.#refused(REFUSED_SOURCE, source, from.failure)
    }
    const to = admit(snapshot, destination, true)
    if (to.failure && support.isRefusal(to.failure)) {
      return this.#refused(REFUSED_DESTINATION, destination, to.failure)
    }
    if (from.failure) return support.failed(`Source not found: ${from.failure.message}`)
    if (to.failure) return support.failed(`Error moving: ${to.failure.message}`)
    const pool = support.poolUse(this.#pool).native
    const answer = await support
      .binding()
      .rename(callContext(snapshot, { pool }), from.path, to.path)
    const { failure, stage } = answer
    if (!failure) return support.success(`Moved: ${answer.from} -> ${answer.to}`)
    if (support.isRefusal(failure)) {
      return stage === 'destination'
        ? this.#refused(REFUSED_DESTINATION, destination, failure)
        : this.#refused(REFUSED_SOURCE, source, failure)
    }
    if (failure.code === 'ERR_NOT_REGULAR') {
      return support.failed('Source is not a file or directory')
    }
    if (stage === 'look') return support.failed(`Source not found: ${failure.message}`)
    if (failure.code === 'EEXIST' && failure.syscall !== 'mkdir') {
      return support.failed(`Destination already exists: ${answer.to}`)
    }
    return support.failed(`Error moving: ${failure.message}`)
  }

  #refused(text: string, raw: string, failure: Failure): PartialToolResult {
    return support.refused(this.#workspace, text, raw.trim(), failure)
  }
}
