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
import { editFiles, type EditTool } from './edit-support.js'
import * as support from './tool-support.js'

const HALF_CHARACTER =
  'old_content must not hold half of a character (a lone surrogate); give whole characters'

/** Finds a text in files and replaces it. */
export class ReplaceFileContentTool extends Tool {
  readonly #tool: EditTool

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param fileConfig - Limits; by default a new FileConfiguration.
   * @param filePool - Asked whether a file may be written; without it, nothing is asked.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration, filePool?: PoolMethods) {
    super(
      'replace_file_content',
      'Finds a text in one or more existing text files and puts another in its place: the first occurrence in each file, or with replace_all every one. The text is taken literally, not as a pattern, and must be given exactly as the file has it.',
      new ToolParameters(
        {
          paths: support.pathList('Paths of the files to change (absolute or relative to the workspace root)'),
          old_content: new ToolParameterProperty('Text to find, taken literally'),
          new_content: new ToolParameterProperty('Text to put in its place; empty to remove it'),
          replace_all: new ToolParameterProperty(
            'True to replace every occurrence; otherwise only the first',
            PropertyType.Boolean
          )
        },
        ['paths', 'old_content', 'new_content']
      )
    )
    support.requireWorkspace(workspace)
    this.#tool = {
      workspace,
      configuration: fileConfig ?? new engine.FileConfiguration(),
      pool: filePool,
      trouble: 'Error replacing content'
    }
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const bad = support.refusedPaths(args.paths)
    if (bad) return bad
    const { old_content: oldContent, new_content: newContent, replace_all: all } = args
    if (typeof oldContent !== 'string') return support.failed('old_content must be a string')
    if (typeof newContent !== 'string') return support.failed('new_content must be a string')
    const isWhole = oldContent.isWellFormed()
    return editFiles(
      isWhole ? this.#tool : { ...this.#tool, badNeedle: HALF_CHARACTER },
      support.snapshotOf(this.#tool.workspace),
      args.paths as unknown[],
      {
        kind: 'replaceContent',
        oldContent: isWhole ? oldContent : '',
        content: newContent.toWellFormed(),
        all: all === true
      },
      ({ occurrences }, path) =>
        `Replaced ${occurrences} occurrence${occurrences === 1 ? '' : 's'} in ${path}`
    )
  }
}
