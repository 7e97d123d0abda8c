/**
 * File tools for LLM agents on a native core: all that the published packages `llm-chat-file` and
 * `llm-chat-workspace` export, the pool and `isBinary`, the engine, and a tool that pages.
 *
 * @packageDocumentation
 */
import { oneCopy } from './registry.js'
import * as packageModule from './tool-package.js'
import * as createFolder from './tools/create-folder.js'
import * as deleteFile from './tools/delete-file.js'
import * as entryInfo from './tools/entry-info.js'
import * as fileAccessInfo from './tools/file-access-info.js'
import * as insertFileContent from './tools/insert-file-content.js'
import * as listDirectory from './tools/list-directory.js'
import * as moveFile from './tools/move-file.js'
import * as read from './tools/read.js'
import * as readFile from './tools/read-file.js'
import * as replaceFileContent from './tools/replace-file-content.js'
import * as replaceFileLines from './tools/replace-file-lines.js'
import * as search from './tools/search.js'
import * as switchWorkspace from './tools/switch-workspace.js'
import * as writeFile from './tools/write-file.js'

export * from './engine.js'
export type { ReadToolLimits } from './tools/read.js'

export const {
  CreateFolderTool,
  DeleteFileTool,
  EntryInfoTool,
  FileAccessInfoTool,
  FileToolPackage,
  InsertFileContentTool,
  ListDirectoryTool,
  MoveFileTool,
  ReadFileTool,
  ReadTool,
  ReplaceFileContentTool,
  ReplaceFileLinesTool,
  SearchEntriesTool,
  SwitchWorkspaceTool,
  WriteFileTool
} = oneCopy('tools', () => ({
  CreateFolderTool: createFolder.CreateFolderTool,
  DeleteFileTool: deleteFile.DeleteFileTool,
  EntryInfoTool: entryInfo.EntryInfoTool,
  FileAccessInfoTool: fileAccessInfo.FileAccessInfoTool,
  FileToolPackage: packageModule.FileToolPackage,
  InsertFileContentTool: insertFileContent.InsertFileContentTool,
  ListDirectoryTool: listDirectory.ListDirectoryTool,
  MoveFileTool: moveFile.MoveFileTool,
  ReadFileTool: readFile.ReadFileTool,
  ReadTool: read.ReadTool,
  ReplaceFileContentTool: replaceFileContent.ReplaceFileContentTool,
  ReplaceFileLinesTool: replaceFileLines.ReplaceFileLinesTool,
  SearchEntriesTool: search.SearchEntriesTool,
  SwitchWorkspaceTool: switchWorkspace.SwitchWorkspaceTool,
  WriteFileTool: writeFile.WriteFileTool
}))

export type CreateFolderTool = createFolder.CreateFolderTool
export type DeleteFileTool = deleteFile.DeleteFileTool
export type EntryInfoTool = entryInfo.EntryInfoTool
export type FileAccessInfoTool = fileAccessInfo.FileAccessInfoTool
export type FileToolPackage = packageModule.FileToolPackage
export type InsertFileContentTool = insertFileContent.InsertFileContentTool
export type ListDirectoryTool = listDirectory.ListDirectoryTool
export type MoveFileTool = moveFile.MoveFileTool
export type ReadFileTool = readFile.ReadFileTool
export type ReadTool = read.ReadTool
export type ReplaceFileContentTool = replaceFileContent.ReplaceFileContentTool
export type ReplaceFileLinesTool = replaceFileLines.ReplaceFileLinesTool
export type SearchEntriesTool = search.SearchEntriesTool
export type SwitchWorkspaceTool = switchWorkspace.SwitchWorkspaceTool
export type WriteFileTool = writeFile.WriteFileTool
