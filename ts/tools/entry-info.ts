import { constants } from 'node:fs'

import { Tool, ToolParameters, type PartialToolResult } from '@johannes.latzel/llm-chat'

import type { Failure, InfoAnswer } from '../binding.js'
import { callContext } from '../snapshot.js'
import type { Workspace } from '../workspace.js'
import * as support from './tool-support.js'

/** Entries looked at without waiting for a thread, if all that is needed is in memory. */
const QUICK_PATHS = 4

const PERMISSIONS: readonly (readonly [bit: number, letter: string])[] = [
  [constants.S_IRUSR, 'r'],
  [constants.S_IWUSR, 'w'],
  [constants.S_IXUSR, 'x'],
  [constants.S_IRGRP, 'r'],
  [constants.S_IWGRP, 'w'],
  [constants.S_IXGRP, 'x'],
  [constants.S_IROTH, 'r'],
  [constants.S_IWOTH, 'w'],
  [constants.S_IXOTH, 'x']
]

/** Tells kind, size, permissions and times of entries. */
export class EntryInfoTool extends Tool {
  readonly #workspace: Workspace

  /**
   * @param workspace - Where paths are resolved and access is decided.
   */
  constructor(workspace: Workspace) {
    super(
      'entry_info',
      'Tells what is known about one or more files, directories or links: kind, size, permissions, times, and where a link points. Paths are absolute or relative to the workspace root.',
      new ToolParameters(
        { paths: support.pathList('Paths to look at (absolute or relative to the workspace root)') },
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
    return support.forPaths<InfoAnswer>(
      snapshot,
      args.paths as unknown[],
      false,
      (admitted) => {
        const context = callContext(snapshot)
        const quick =
          admitted.length <= QUICK_PATHS ? support.binding().infoNow(context, admitted) : null
        return quick ?? support.binding().info(context, admitted)
      },
      (answer, raw) =>
        answer.failure ? this.#failure(answer.failure, raw) : support.success(description(answer))
    )
  }

  #failure(failure: Failure, raw: string): PartialToolResult {
    return support.isRefusal(failure)
      ? support.refused(this.#workspace, support.NOT_READABLE, raw, failure)
      : support.failed(`Path not found: ${failure.message}`)
  }
}

/** Permission bits in letters, without set-user-id and the like. */
function permissions(mode: number): string {
  let letters = ''
  for (const [bit, letter] of PERMISSIONS) letters += mode & bit ? letter : '-'
  return letters
}

function description(info: InfoAnswer): string {
  const { path = '', kind = 'unknown', size = 0, mode = 0 } = info
  const lines = [
    `Path: ${path}`,
    `Type: ${kind}`,
    `Size: ${size} bytes`,
    `Permissions: ${permissions(mode)}`,
    `Created: ${support.isoDate(info.createdMs)}`,
    `Modified (content): ${support.isoDate(info.modifiedMs)}`,
    `Accessed: ${support.isoDate(info.accessedMs)}`,
    `Changed (metadata): ${support.isoDate(info.changedMs)}`
  ]
  if (kind === 'symlink') lines.push(`Symlink target: ${info.linkTarget ?? '(unreadable)'}`)
  return lines.join('\n')
}
