import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import { engine } from '../engine-parts.js'
import type { PoolMethods } from '../file-pool.js'
import { atMost, type FileConfiguration } from '../limits.js'
import type { Workspace } from '../workspace.js'
import { badArgument, editFiles, type EditTool } from './edit-support.js'
import * as support from './tool-support.js'

/** Replaces a range of lines of a text file. */
export class ReplaceFileLinesTool extends Tool {
  readonly #tool: EditTool

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param fileConfig - Limits; by default a new FileConfiguration.
   * @param filePool - Asked whether the file may be written; without it, nothing is asked.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration, filePool?: PoolMethods) {
    super(
      'replace_file_lines',
      'Puts new text in the place of a range of lines of an existing text file and leaves the rest as it is. Lines are numbered from 1, start_line and end_line are both included; empty content removes the lines. To replace a whole file use write_file.',
      new ToolParameters(
        {
          path: new ToolParameterProperty('Path of the file (absolute or relative to the workspace root)'),
          content: new ToolParameterProperty('Text for the place of the lines; empty to remove them'),
          start_line: new ToolParameterProperty('First line to replace, from 1', PropertyType.Integer),
          end_line: new ToolParameterProperty(
            'Last line to replace, included; start_line if left out',
            PropertyType.Integer
          )
        },
        ['path', 'content', 'start_line']
      )
    )
    support.requireWorkspace(workspace)
    this.#tool = {
      workspace,
      configuration: fileConfig ?? new engine.FileConfiguration(),
      pool: filePool,
      trouble: 'Error editing file'
    }
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { path: raw, content, start_line: start, end_line: end } = args
    if (!support.isPath(raw)) return support.failed(support.NO_PATH)
    const snapshot = support.snapshotOf(this.#tool.workspace)
    const bad = (text: string): Promise<PartialToolResult> =>
      badArgument(this.#tool, snapshot, raw, text)
    if (typeof content !== 'string') return bad('content must be a string')
    if (typeof start !== 'number' || Number.isNaN(start)) return bad('start_line must be a number')
    const startLine = Math.floor(start)
    if (startLine < 1) return bad('start_line must be >= 1')
    const endLine = typeof end === 'number' && !Number.isNaN(end) ? Math.floor(end) : startLine
    if (endLine < startLine) return bad('end_line must be >= start_line')
    return editFiles(
      this.#tool,
      snapshot,
      [raw],
      {
        kind: 'replaceLines',
        startLine: atMost(startLine),
        endLine: atMost(endLine),
        content: content.toWellFormed()
      },
      (_applied, path) => `Replaced lines ${startLine}-${endLine} in ${path}`
    )
  }
}
