import {
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Makes another directory the current workspace. */
export class SwitchWorkspaceTool extends Tool {
  readonly #workspace: Workspace

  /**
   * @param workspace - The workspace to switch.
   */
  constructor(workspace: Workspace) {
    super(
      'switch_workspace',
      'Makes another directory the workspace root, against which relative paths are resolved from then on. It must lie within an accessible directory. Call it alone and before other file tools, not in parallel with them.',
      new ToolParameters(
        {
          path: new ToolParameterProperty(
            'Directory to switch to (absolute or relative to the current workspace root)'
          )
        },
        ['path']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    if (!support.isPath(args.path)) return support.failed('path must be a non-empty string')
    try {
      await this.#workspace.switchWorkspace(args.path.trim())
    } catch (error) {
      return support.failed(error instanceof Error ? error.message : String(error))
    }
    return support.success(`Switched workspace to: ${this.#workspace.currentPath}`)
  }
}
