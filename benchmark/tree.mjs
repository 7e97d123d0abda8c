// A tree to work on, where the caller names none.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const endings = ['c', 'h', 'txt', 'md', 'rst']

/** Subdirectories of a directory on the first three levels. */
const width = 16

/** Files of a directory on the third level. */
const files = 19

/**
 * Makes 4,368 directories with 77,824 empty files.
 * @param {string} root is made
 */
export function makeTree(root) {
  mkdirSync(root)
  for (let leaf = 0; leaf < width ** 3; leaf += 1) {
    const names = [Math.floor(leaf / width ** 2), Math.floor(leaf / width) % width, leaf % width]
    const directory = join(root, ...names.map((part, level) => `${'abc'[level]}-${String(part)}`))
    mkdirSync(directory, { recursive: true })
    for (let file = 0; file < files; file += 1) {
      writeFileSync(join(directory, `file-${String(file)}.${endings[file % endings.length]}`), '')
    }
  }
}
