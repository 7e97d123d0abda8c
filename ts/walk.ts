import * as fs from 'node:fs'

import type { WalkEntry } from './access-types.js'
import type { Failure, NativeWalk, WalkBatch } from './binding.js'
import { direntKinds } from './dirent-kinds.js'
import { requirePath } from './engine/options.js'
import { toError } from './failure.js'
import { binding } from './native.js'
import { admit, callContext, type Snapshot } from './snapshot.js'

/** Entries of the first batch, which ends before the first subdirectory is read in any case. */
const FIRST_BATCH = 64

/** Entries of the largest batch. */
const LARGEST_BATCH = 4096

/** What a walk meets, by the numbers of {@link WalkBatch.kinds}. */
const LEAVE = 0
const FILE = 1
const UNREADABLE = 3

/** `fs.Dirent` takes name, kind and parent; its constructor is missing in the typings. */
const Dirent = fs.Dirent as unknown as new (name: string, kind: number, parent: string) => fs.Dirent

/**
 * Yields what lies beneath a directory: depth first, a directory before its children, names in
 * the order of their bytes. A root outside the grants yields nothing.
 *
 * @param snapshot - The call's snapshot.
 * @param dir - The root as typed.
 * @param onError - Gets each directory that could not be read; the walk goes on.
 * @throws Error `Cannot walk '<root>': …` when the root cannot be walked, with `code` (`ENOENT`, `ENOTDIR`, …) and `path`.
 */
export async function* walkTree(
  snapshot: Snapshot,
  dir: string,
  onError?: (dirPath: string, error: Error) => void
): AsyncGenerator<WalkEntry, void, undefined> {
  requirePath(dir)
  const admission = admit(snapshot, dir, false)
  const { path, failure, walk, batch } = admission.failure
    ? { ...admission, walk: undefined, batch: undefined }
    : await binding().openWalk(callContext(snapshot), admission.path, FIRST_BATCH)
  if (failure) {
    if (failure.code === 'ERR_NOT_GRANTED') return
    throw cannotWalk(path ?? failure.path ?? dir, failure)
  }
  if (!walk || !batch || path === undefined) return
  const place = new Place(path)
  for await (const { names, kinds, failures } of batches(walk, batch)) {
    const nameList = names.split('/')
    let named = 0
    let failed = 0
    // An index and not an iterator: this loop runs once for every entry of the tree.
    // eslint-disable-next-line @typescript-eslint/prefer-for-of
    for (let step = 0; step < kinds.length; step++) {
      const kind = kinds[step]
      if (kind === LEAVE) {
        place.leave()
      } else if (kind === UNREADABLE) {
        const unreadable = failures[failed++]
        if (unreadable) onError?.(place.directory, toError(unreadable))
      } else {
        const name = nameList[named++] ?? ''
        const filePath = place.child(name)
        const type = kind === FILE ? direntKinds.UV_DIRENT_FILE : direntKinds.UV_DIRENT_DIR
        const dirent = new Dirent(name, type, place.directory)
        if (kind !== FILE) place.enter(filePath)
        yield { filePath, dirent }
      }
    }
  }
}

/**
 * Whether a failure says that a root exists and is no directory; with syscall `stat` it says that
 * something on the way to it is none.
 *
 * @param failure - What the engine reported.
 */
export function isFileRoot(failure: Failure): boolean {
  return failure.code === 'ENOTDIR' && failure.syscall === 'scandir'
}

function cannotWalk(root: string, failure: Failure): Error {
  const { code } = failure
  const reason = isFileRoot(failure)
    ? 'it is a file, not a directory'
    : code === 'ENOENT'
      ? 'the path does not exist'
      : failure.message
  const error = new Error(`Cannot walk '${root}': ${reason}`, { cause: toError(failure) })
  return Object.assign(error, { code, path: root })
}

/** Where a walk is: the directory whose entries come next. */
class Place {
  readonly #above: string[] = []
  directory: string
  /** What the paths of its entries begin with. */
  #prefix: string

  constructor(root: string) {
    this.directory = root
    this.#prefix = root.endsWith('/') ? root : `${root}/`
  }

  child(name: string): string {
    return this.#prefix + name
  }

  enter(directory: string): void {
    this.#above.push(this.directory, this.#prefix)
    this.directory = directory
    this.#prefix = `${directory}/`
  }

  leave(): void {
    this.#prefix = this.#above.pop() ?? this.#prefix
    this.directory = this.#above.pop() ?? this.directory
  }
}

/**
 * Batches in order. From the second on, the next is fetched while the last is used. A walk that is
 * left early gives its descriptors back at once.
 */
async function* batches(
  walk: NativeWalk,
  first: WalkBatch
): AsyncGenerator<WalkBatch, void, undefined> {
  let size = FIRST_BATCH
  let batch: WalkBatch | null = first
  try {
    for (let isFirst = true; batch; isFirst = false) {
      size = Math.min(size * 4, LARGEST_BATCH)
      const ahead = isFirst ? undefined : walk.next(size)
      // A caller who stops early never asks what became of it.
      ahead?.catch(() => undefined)
      yield batch
      batch = await (ahead ?? walk.next(size))
    }
  } finally {
    walk.close()
  }
}
