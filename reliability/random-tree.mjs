// The tree that random operations run on, and what its links lead to outside.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Stands in every file outside, and in no file inside. */
export const secret = 'TOPSECRET-8d1f'

/** Directories of the tree, its root first. */
export const directories = ['.', 'd0', 'd0/deep', 'd1', 'd2']

/** Files of text in each of them. */
export const texts = ['a.txt', 'b.txt', 'c.md', 'utf16.txt', 'large.txt', 'inner/a.txt']

/** Other names in each of them. The links lead to `d1`, and out of the tree to a directory and to a file. */
export const others = ['binary.bin', 'inner', 'out', 'out.txt', 'out/a.txt', 'fifo', 'new.txt', 'moved', '.env', 'none']

/**
 * Makes what the tree's links lead to.
 * @param {string} outside
 */
export function makeOutside(outside) {
  mkdirSync(join(outside, 'deep'), { recursive: true })
  for (const name of ['out.txt', 'a.txt', 'deep/a.txt']) writeFileSync(join(outside, name), `${secret}\n`)
}

/**
 * Makes the tree, anew if it is there.
 * @param {string} directory
 * @param {string} outside
 * @param {string} [place] where it is put afterwards, for its links
 */
export function makeTree(directory, outside, place = directory) {
  rmSync(directory, { recursive: true, force: true })
  for (const each of directories) {
    const at = join(directory, each)
    mkdirSync(at, { recursive: true })
    writeFileSync(join(at, 'a.txt'), 'alpha\nbeta\nTODO gamma\n')
    writeFileSync(join(at, 'b.txt'), 'beta\r\nDelta\r\n')
    writeFileSync(join(at, 'c.md'), 'é alpha\n\ngamma')
    writeFileSync(join(at, 'utf16.txt'), Buffer.from('\ufeffalpha\nTODO\n', 'utf16le'))
    writeFileSync(join(at, 'binary.bin'), Buffer.from([0x7f, 0x45, 0, 1, 2, 0xff]))
    writeFileSync(join(at, 'large.txt'), 'a line of a larger file: alpha beta\n'.repeat(5_000))
    writeFileSync(join(at, '.env'), 'denied\n')
    symlinkSync(join(place, 'd1'), join(at, 'inner'))
    symlinkSync(outside, join(at, 'out'))
    symlinkSync(join(outside, 'out.txt'), join(at, 'out.txt'))
  }
  execFileSync('mkfifo', directories.map((each) => join(directory, each, 'fifo')))
}
