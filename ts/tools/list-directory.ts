import {
  PropertyType,
  Tool,
  ToolParameterProperty,
  ToolParameters,
  type PartialToolResult
} from '@johannes.latzel/llm-chat'

import type { Failure, ListAnswer } from '../binding.js'
import { engine } from '../engine-parts.js'
import { atLeast, atMost, searchLimits, type SearchConfiguration } from '../limits.js'
import { admit, callContext } from '../snapshot.js'
import { isFileRoot } from '../walk.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'
import { warning } from './warning.js'

/** Lists a directory, or everything beneath it. */
export class ListDirectoryTool extends Tool {
  readonly #workspace: Workspace
  readonly #configuration: SearchConfiguration

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param config - Limits; by default a new SearchConfiguration.
   */
  constructor(workspace: Workspace, config?: SearchConfiguration) {
    super(
      'list_directory',
      'Lists the files and directories in a directory, one absolute path a line; directories end in "/". With recursive it goes on into the directories, each before its content. The path is absolute or relative to the workspace root.',
      new ToolParameters(
        {
          path: new ToolParameterProperty('Path of the directory (absolute or relative to the workspace root)'),
          recursive: new ToolParameterProperty(
            'True to list everything beneath the directory',
            PropertyType.Boolean
          )
        },
        ['path']
      )
    )
    support.requireWorkspace(workspace)
    this.#workspace = workspace
    this.#configuration = config ?? new engine.SearchConfiguration()
  }

  /** @internal */
  protected override async onExecute(args: Record<string, unknown>): Promise<PartialToolResult> {
    const { path: raw } = args
    if (!support.isPath(raw)) return support.failed(support.NOT_READABLE)
    const snapshot = support.snapshotOf(this.#workspace)
    const { maxDisplayEntries, maxTotalEntries } = searchLimits(this.#configuration)
    const admission = admit(snapshot, raw, false)
    if (admission.failure) return this.#failure(admission.failure, raw)
    const answer = await support.binding().list(callContext(snapshot), admission.path, {
      recursive: args.recursive === true,
      maxEntries: atLeast(maxTotalEntries),
      maxShown: atMost(maxDisplayEntries)
    })
    if (answer.failure) return this.#failure(answer.failure, raw, answer.path)
    return listing(answer, maxDisplayEntries)
  }

  #failure(failure: Failure, raw: string, path?: string): PartialToolResult {
    if (support.isRefusal(failure)) {
      return support.refused(this.#workspace, support.NOT_READABLE, raw.trim(), failure)
    }
    if (isFileRoot(failure)) {
      const shown = path ?? failure.path ?? raw
      return support.failed(
        `Path is not a directory: '${shown}'. It is a file - use read_file to inspect its contents.`
      )
    }
    if (support.isFromLook(failure)) return support.failed(`Path not found: ${failure.message}`)
    return support.failed(`Error listing directory: ${failure.message}`)
  }
}

function listing(answer: ListAnswer, maxDisplayEntries: number): PartialToolResult {
  const { text = '', total = 0, files = 0, directories = 0, others = 0, unreadable = 0 } = answer
  const prefix = warning({ unreadableDirectories: unreadable }, 'listing may be incomplete')
  if (answer.stoppedBy === 'entries') {
    return support.failed(
      `${prefix}Directory contains too many entries (${total}), refusing to list`
    )
  }
  if (total > maxDisplayEntries) {
    const rest = others === 0 ? '' : `, and ${others} of other kinds`
    return support.success(`${prefix}Found ${files} files and ${directories} directories${rest}`)
  }
  return support.success(prefix + (total === 0 ? '(empty directory)' : text))
}
