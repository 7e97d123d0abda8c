import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure, RemoveAnswer } from '../binding.js'
import type { PoolMethods } from '../file-pool.js'
import { callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** What a look says of a path at which there is nothing, or can be nothing. */
const NOTHING_THERE = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_INVALID_ARG_VALUE'
])

/** Removes files, links and directories. */
export class DeleteFileTool extends Tool {
  readonly #workspace: Workspace
  readonly #pool: PoolMethods | undefined

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param filePool - Forgets what is deleted.
   */
  // The default keeps the constructor's length that of the published class.
  // eslint-disable-next-line @typescript-eslint/no-useless-default-assignment
  constructor(workspace: Workspace, filePool: PoolMethods | undefined = undefined) {
    super(
      'delete_file',
      'Deletes one or more files, links or empty directories; of a link, the link itself. A directory that is not empty is deleted, with all that is in it, only if recursive is true. Paths are absolute or relative to the workspace root.',
      new ToolParameters(
        {
          paths: support.pathList('Paths of the files or directories to delete'),
          recursive: new ToolParameterProperty(
            'True to delete directories together with their content',
            PropertyType.Boolean
          )
        },
        ['paths']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#pool = filePool
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const bad = support.refusedPaths(args.paths)
    if (bad) return bad
    const isRecursive = args.recursive === true
    const snapshot = support.snapshotOf(this.#workspace)
    const pool = support.poolUse(this.#pool).native
    return support.forPaths<RemoveAnswer>(
      snapshot,
      args.paths as unknown[],
      true,
      (admitted) =>
        support.binding().remove(callContext(snapshot, { pool }), admitted, isRecursive),
      (given, raw) => {
        const answer: RemoveAnswer = given
        const label = answer.kind === 'directory' ? 'directory' : 'file'
        return answer.failure
          ? this.#failure(answer, answer.failure, label, raw, isRecursive)
          : support.success(`Deleted ${label}: ${answer.path}`)
      }
    )
  }

  #failure(
    { kind, path }: RemoveAnswer,
    failure: Failure,
    label: string,
    raw: string,
    isRecursive: boolean
  ): PartialToolResult {
    if (support.isRefusal(failure)) {
      return support.refused(this.#workspace, support.NOT_WRITABLE, raw, failure)
    }
    if (kind === undefined && NOTHING_THERE.has(failure.code)) {
      return support.failed('Path does not exist')
    }
    if (failure.code === 'ENOTEMPTY' && !isRecursive) {
      return support.failed(
        `Directory not empty: '${path}'. Use recursive=true to delete directories and their contents.`
      )
    }
    return support.failed(`Error deleting ${label}: ${failure.message}`)
  }
}
