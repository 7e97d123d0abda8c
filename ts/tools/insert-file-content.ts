import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import { engine } from '../engine-parts.js'
import type { PoolMethods } from '../file-pool.js'
import type { FileConfiguration } from '../limits.js'
import type { Workspace } from '../workspace.js'
import { badArgument, editFiles, type EditTool } from './edit-support.js'
import * as support from './tool-support.js'

/** Inserts text before a line of a text file, or appends it. */
export class InsertFileContentTool extends Tool {
  readonly #tool: EditTool

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param fileConfig - Limits; by default a new FileConfiguration.
   * @param filePool - Asked whether the file may be written; without it, nothing is asked.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration, filePool?: PoolMethods) {
    super(
      'insert_file_content',
      'Adds text to an existing text file without replacing anything: before the given line (numbered from 1), or at the end of the file if no line is given.',
      new ToolParameters(
        {
          path: new ToolParameterProperty('Path of the file (absolute or relative to the workspace root)'),
          content: new ToolParameterProperty('Text to add'),
          line: new ToolParameterProperty(
            'Line before which the text is added, from 1; left out, it is added at the end',
            PropertyType.Integer
          )
        },
        ['path', 'content']
      )
    )
    support.requireWorkspace(workspace)
    this.#tool = {
      workspace,
      configuration: fileConfig ?? new engine.FileConfiguration(),
      pool: filePool,
      trouble: 'Error inserting content'
    }
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { path: raw, content, line } = args
    if (!support.isPath(raw)) return support.failed(support.NO_PATH)
    const snapshot = support.snapshotOf(this.#tool.workspace)
    if (typeof content !== 'string') {
      return badArgument(this.#tool, snapshot, raw, 'content must be a string')
    }
    const isGiven = typeof line === 'number' && !Number.isNaN(line)
    return editFiles(
      this.#tool,
      snapshot,
      [raw],
      {
        kind: 'insert',
        content: content.toWellFormed(),
        ...(isGiven && { startLine: Math.min(Math.floor(line), Number.MAX_SAFE_INTEGER) })
      },
      ({ startLine, endLine }, path) => {
        const range = endLine > startLine ? `lines ${startLine}-${endLine}` : `line ${startLine}`
        return `Inserted content at ${range} in ${path}`
      }
    )
  }
}
