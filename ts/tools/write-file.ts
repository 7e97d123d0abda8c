import {
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure } from '../binding.js'
import { engine } from '../engine-parts.js'
import { customRefusal, nameMeant, type PoolMethods } from '../file-pool.js'
import { fileLimits, writing, type FileConfiguration } from '../limits.js'
import { admit, callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Creates a text file or replaces the whole text of one. */
export class WriteFileTool extends Tool {
  readonly #workspace: Workspace
  readonly #configuration: FileConfiguration
  readonly #pool: PoolMethods | undefined

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param fileConfig - Limits; by default a new FileConfiguration.
   * @param filePool - Asked whether the file may be written; without it, nothing is asked.
   */
  constructor(workspace: Workspace, fileConfig?: FileConfiguration, filePool?: PoolMethods) {
    super(
      'write_file',
      'Creates a text file with the given content, or replaces everything in an existing one. Missing parent directories are made. To change a part of a file use replace_file_lines, insert_file_content or replace_file_content. The path is absolute or relative to the workspace root.',
      new ToolParameters(
        {
          path: new ToolParameterProperty('Path of the file (absolute or relative to the workspace root)'),
          content: new ToolParameterProperty('The whole text of the file')
        },
        ['path', 'content']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#configuration = fileConfig ?? new engine.FileConfiguration()
    this.#pool = filePool
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { path: raw, content } = args
    if (!support.isPath(raw)) return support.failed(support.NOT_READABLE)
    const snapshot = support.snapshotOf(this.#workspace)
    const { maxCharsPerFile } = fileLimits(this.#configuration)
    const how = writing(this.#configuration)
    const isText = typeof content === 'string'
    if (!isText || content.length > maxCharsPerFile) {
      const refusal = await support.accessRefusal(snapshot, raw, true)
      if (refusal) return this.#failure(refusal, raw)
      return support.failed(
        isText
          ? `Content argument is ${content.length} chars, exceeds max length of ${maxCharsPerFile}`
          : 'content must be a string'
      )
    }
    const admission = admit(snapshot, raw, true)
    if (admission.failure) return this.#failure(admission.failure, raw)
    const { native, custom } = support.poolUse(this.#pool)
    const unread = custom && (await this.#customRefusal(custom, await nameMeant(snapshot, admission.path)))
    if (unread) return this.#failure(unread, raw)
    const context = callContext(snapshot, { pool: native })
    const { path, failure } = await support
      .binding()
      .writeText(context, admission.path, content.toWellFormed(), how)
    if (failure) return this.#failure(failure, raw)
    if (path !== undefined) await custom?.recordWrite(path)
    return support.success(`Written: ${path}`)
  }

  /** A refused path is left to the engine, whose refusal comes first. */
  async #customRefusal(pool: PoolMethods, name: string): Promise<Failure | undefined> {
    const resolved = this.#workspace.normalize(name)
    return this.#workspace.canWrite(resolved) ? customRefusal(pool, resolved, true) : undefined
  }

  #failure(failure: Failure, raw: string): PartialToolResult {
    if (support.isRefusal(failure)) {
      return support.refused(this.#workspace, support.NOT_WRITABLE, raw, failure)
    }
    if (support.isUnread(failure)) return support.failed(failure.message)
    return support.failed(`Error writing file: ${failure.message}`)
  }
}
