/**
 * The engine alone: workspace, configurations, pool and secure reader, for use with any agent framework.
 *
 * @packageDocumentation
 */
import type { DirectoryConfiguration as DirectoryConfigurationClass } from './directory-configuration.js'
import { engine } from './engine-parts.js'
import type { FilePool as FilePoolClass } from './file-pool.js'
import type {
  FileConfiguration as FileConfigurationClass,
  SearchConfiguration as SearchConfigurationClass
} from './limits.js'
import type { SecureReader as SecureReaderClass } from './secure-reader.js'
import type { Workspace as WorkspaceClass } from './workspace.js'

export { AccessPrecedence, AccessType } from './access-types.js'
export type { Access, WalkEntry } from './access-types.js'
export type { AppliedEdit, Explanation, SkippedCounts } from './binding.js'
export type {
  EntryInfo,
  EntryKind,
  ListEntry,
  ListOptions,
  ListResult,
  RemoveOptions
} from './engine/entries.js'
export type { EntriesOptions, FileOptions, OperationOptions } from './engine/options.js'
export type {
  SearchBatch,
  SearchOptions,
  SearchProgress,
  SearchResults
} from './engine/search.js'
export type { SearchQuery } from './engine/search-query.js'
export type { LineResult, SearchResult } from './engine/search-result.js'
export type {
  EditOptions,
  EditResult,
  ReadTextOptions,
  ReadTextResult,
  TextEdit,
  WriteTextOptions,
  WriteTextResult
} from './engine/text.js'
export type { FileError } from './failure.js'
export type { PoolMethods, PoolRefusal } from './file-pool.js'
export type { Durability, HardLinks } from './limits.js'
export type { PageLimits } from './page.js'
export type { SecureReadOptions, SecureReadResult, TextContent } from './secure-reader.js'
export type { DirectoryConfigurationInit } from './workspace.js'

export const {
  DirectoryConfiguration,
  FileConfiguration,
  FilePool,
  SearchConfiguration,
  SecureReader,
  Workspace,
  isBinary
} = engine

export type DirectoryConfiguration = DirectoryConfigurationClass
export type FileConfiguration = FileConfigurationClass
export type FilePool = FilePoolClass
export type SearchConfiguration = SearchConfigurationClass
export type SecureReader = SecureReaderClass
export type Workspace = WorkspaceClass
