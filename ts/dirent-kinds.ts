import { constants } from 'node:fs'

/** Kinds of directory entries, as `fs.Dirent` and the addon number them. */
export interface DirentKinds {
  readonly UV_DIRENT_FILE: number
  readonly UV_DIRENT_DIR: number
  readonly UV_DIRENT_LINK: number
  readonly UV_DIRENT_FIFO: number
  readonly UV_DIRENT_SOCKET: number
  readonly UV_DIRENT_CHAR: number
  readonly UV_DIRENT_BLOCK: number
}

/** Node's numbers; they are documented, and missing in its typings. */
export const direntKinds = constants as unknown as DirentKinds
