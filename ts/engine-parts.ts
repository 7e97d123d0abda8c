import { DirectoryConfiguration } from './directory-configuration.js'
import { FilePool, poolUse } from './file-pool.js'
import { isBinary } from './is-binary.js'
import { FileConfiguration, SearchConfiguration } from './limits.js'
import { binding } from './native.js'
import { compilePattern } from './pattern.js'
import { oneCopy } from './registry.js'
import { SecureReader } from './secure-reader.js'
import { isWorkspace, snapshotOf, Workspace } from './workspace.js'

/**
 * The engine of the copy that was imported first: its classes, and what the tools, perhaps of
 * another copy, need of it.
 */
export const engine = oneCopy('engine', () => ({
  DirectoryConfiguration,
  FileConfiguration,
  FilePool,
  SearchConfiguration,
  SecureReader,
  Workspace,
  isBinary,
  internals: { binding, compilePattern, isWorkspace, poolUse, snapshotOf }
}))
