import { Tool, ToolParameters, type PartialToolResult } from '@johannes.latzel/llm-chat'

import { engine } from '../engine-parts.js'
import type { FileConfiguration } from '../limits.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Width of the column of paths. */
const PATH_COLUMN = 60

/** Tells which directories may be used, and how. */
export class FileAccessInfoTool extends Tool {
  readonly #workspace: Workspace
  readonly #configuration: FileConfiguration

  /**
   * @param workspace - Whose accesses are told.
   * @param fileConfig - Whose limit is told; by default a new FileConfiguration.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration) {
    super(
      'file_access_info',
      'Tells which directories can be used, whether for reading only or for writing as well, and which of them is the current workspace.',
      new ToolParameters({}, [])
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#configuration = fileConfig ?? new engine.FileConfiguration()
  }

  /** @internal */
  protected override onExecute(): Promise<PartialToolResult> {
    const current = this.#workspace.currentPath
    const accesses = this.#workspace.getAccesses().map(({ path, type }) => {
      const marker = path === current ? '  (current workspace)' : ''
      return `  ${path.padEnd(PATH_COLUMN)} ${type}${marker}`
    })
    const limit = `max chars per file: ${this.#configuration.maxCharsPerFile}`
    const lines = ['Configured file system access:', ...accesses, limit]
    return Promise.resolve(support.success(lines.join('\n')))
  }
}
