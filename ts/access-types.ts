import type { Dirent } from 'node:fs'

import { oneCopy } from './registry.js'

const shared = oneCopy('access-types', () => ({
  AccessType: { Read: 'read', Write: 'write' } as const,
  AccessPrecedence: {
    WriteWins: 'write-wins',
    LastAddedWins: 'last-added-wins',
    MostSpecificWins: 'most-specific-wins'
  } as const
}))

/** Kinds of access to a directory. */
export const AccessType: {
  /** Listing, searching and reading. */
  readonly Read: 'read'
  /** Everything that read access allows, and creating, changing and deleting. */
  readonly Write: 'write'
} = shared.AccessType

/** Kind of access to a directory: a member of the object of this name, or its plain literal. */
export type AccessType = 'read' | 'write'

export declare namespace AccessType {
  type Read = 'read'
  type Write = 'write'
}

/** How several accesses that concern one path are weighed. */
export const AccessPrecedence: {
  /** Write access wins over read access, in whatever order they were given. */
  readonly WriteWins: 'write-wins'
  /** Of several accesses to the same directory the last one given counts. */
  readonly LastAddedWins: 'last-added-wins'
  /** The longest directory that contains a path decides about it alone. */
  readonly MostSpecificWins: 'most-specific-wins'
} = shared.AccessPrecedence

/** Weighing of accesses: a member of the object of this name, or its plain literal. */
export type AccessPrecedence = 'write-wins' | 'last-added-wins' | 'most-specific-wins'

export declare namespace AccessPrecedence {
  type WriteWins = 'write-wins'
  type LastAddedWins = 'last-added-wins'
  type MostSpecificWins = 'most-specific-wins'
}

/** A right to a directory and everything below it. */
export interface Access {
  /** What is allowed. */
  type: AccessType
  /** The directory. A relative one is resolved against the process's directory when first seen. */
  path: string
}

/** What {@link Workspace.walk} yields. */
export interface WalkEntry {
  /** Absolute path of the file or directory. */
  filePath: string
  /** Name and kind, as `fs.readdir` gives them. */
  dirent: Dirent
}
