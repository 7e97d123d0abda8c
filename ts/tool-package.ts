import { ToolPackage } from '@johannes.latzel/llm-chat'

import { engine } from './engine-parts.js'
import type { PoolMethods } from './file-pool.js'
import type { FileConfiguration, SearchConfiguration } from './limits.js'
import { CreateFolderTool } from './tools/create-folder.js'
import { DeleteFileTool } from './tools/delete-file.js'
import { EntryInfoTool } from './tools/entry-info.js'
import { FileAccessInfoTool } from './tools/file-access-info.js'
import { InsertFileContentTool } from './tools/insert-file-content.js'
import { ListDirectoryTool } from './tools/list-directory.js'
import { MoveFileTool } from './tools/move-file.js'
import { ReadFileTool } from './tools/read-file.js'
import { ReplaceFileContentTool } from './tools/replace-file-content.js'
import { ReplaceFileLinesTool } from './tools/replace-file-lines.js'
import { SearchEntriesTool } from './tools/search.js'
import { SwitchWorkspaceTool } from './tools/switch-workspace.js'
import { WriteFileTool } from './tools/write-file.js'
import type { Workspace } from './workspace.js'

const TUTORIAL = `These tools list, search, read, write, edit, move and delete files.

Path resolution:
  - A relative path such as "src/main.ts" starts at the current workspace root; "." is the workspace root itself.
  - A path that starts with "/" starts at the filesystem root, which is not the workspace root.
  - file_access_info tells which directories can be used; switch_workspace changes the workspace root.
  - A path shown in double quotes holds characters that could mislead; pass it back as shown, quotes included.

Finding and reading:
  - list_directory shows what a directory holds; start with path ".". Directories end in "/".
  - search_entries finds names (name_pattern) and lines of text (content_pattern).
  - read_file shows whole files, or lines start_line to end_line of them.

Changing:
  - write_file makes a new file or replaces everything in an existing one.
  - replace_file_lines, insert_file_content and replace_file_content change a part of an existing file and leave the rest as it is.
  - move_file never replaces what exists; delete_file deletes a directory with its content only with recursive=true.`

const READ_BEFORE_WRITE = `

Read before write:
  - An existing file must have been read with read_file before it is written or edited.
  - If it was changed by someone else since, read it again first.
  - After your own write or edit you need not read it again.`

/** All file tools, sharing one workspace, one set of limits and one pool. */
export class FileToolPackage extends ToolPackage {
  readonly #configuration: FileConfiguration

  /**
   * @param workspace - Where paths are resolved and access is decided.
   * @param searchConfig - Limits of listings and searches; by default a new SearchConfiguration.
   * @param fileConfig - Limits of reading and writing, and the read-before-write rule; by default
   *   a new FileConfiguration.
   * @param filePool - What has been read; by default a new pool.
   */
  constructor(
    workspace: Workspace,
    searchConfig?: SearchConfiguration,
    fileConfig?: FileConfiguration,
    filePool?: PoolMethods
  ) {
    const configuration = fileConfig ?? new engine.FileConfiguration()
    const pool = filePool ?? new engine.FilePool(configuration)
    super([
      new SearchEntriesTool(workspace, searchConfig, configuration),
      new ListDirectoryTool(workspace, searchConfig),
      new ReadFileTool(workspace, configuration, pool),
      new WriteFileTool(workspace, configuration, pool),
      new ReplaceFileLinesTool(workspace, configuration, pool),
      new InsertFileContentTool(workspace, configuration, pool),
      new ReplaceFileContentTool(workspace, configuration, pool),
      new EntryInfoTool(workspace),
      new DeleteFileTool(workspace, pool),
      new CreateFolderTool(workspace),
      new MoveFileTool(workspace, pool),
      new FileAccessInfoTool(workspace, configuration),
      new SwitchWorkspaceTool(workspace)
    ])
    this.#configuration = configuration
  }

  /** How to use the tools, for the model; says whether files must be read before they are written. */
  override tutorial(): string | null {
    return this.#configuration.requireReadBeforeWrite ? TUTORIAL + READ_BEFORE_WRITE : TUTORIAL
  }
}
