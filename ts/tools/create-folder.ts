import { Tool, ToolParameters, type PartialToolResult } from '@johannes.latzel/llm-chat'

import type { CreateDirectoryAnswer, Failure } from '../binding.js'
import { callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Makes directories. */
export class CreateFolderTool extends Tool {
  readonly #workspace: Workspace

  /**
   * @param workspace - Where paths are resolved and access is decided.
   */
  constructor(workspace: Workspace) {
    super(
      'create_folder',
      'Makes one or more directories, and those above them that are missing. A directory that exists is left as it is. Paths are absolute or relative to the workspace root.',
      new ToolParameters(
        { paths: support.pathList('Paths of the directories to make') },
        ['paths']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const bad = support.refusedPaths(args.paths)
    if (bad) return bad
    const snapshot = support.snapshotOf(this.#workspace)
    return support.forPaths<CreateDirectoryAnswer>(
      snapshot,
      args.paths as unknown[],
      true,
      (admitted) => support.binding().createDirectories(callContext(snapshot), admitted),
      (answer, raw) =>
        answer.failure
          ? this.#failure(answer.failure, raw)
          : support.success(`Created directory: ${(answer as CreateDirectoryAnswer).path}/`)
    )
  }

  #failure(failure: Failure, raw: string): PartialToolResult {
    return support.isRefusal(failure)
      ? support.refused(this.#workspace, support.NOT_WRITABLE, raw, failure)
      : support.failed(`Error creating directory: ${failure.message}`)
  }
}
