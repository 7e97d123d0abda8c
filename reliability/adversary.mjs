// Another program at work in the tree that soak.mjs runs its operations on: it exchanges directories with links that lead out,
// deletes, truncates and overwrites files, fills the disk, and makes the tree anew.
//
//   node reliability/adversary.mjs TREE OUTSIDE SEED [FILLER]
//
// FILLER is the file that takes what the disk has left; without it the disk is not filled. Ends when its input does, and tells how
// much it did. It changes nothing outside: it goes into a directory first, and looks where that is.
import { closeSync, constants, fsyncSync, ftruncateSync, lstatSync, openSync, readdirSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { directories, makeTree, others, texts } from './random-tree.mjs'
import { randomFrom } from './random.mjs'

const [tree, outside, seed, filler] = process.argv.slice(2)
const random = randomFrom(Number(seed))
const pick = (/** @type {readonly string[]} */ from) => from[random(from.length)]
const next = join(dirname(tree), 'next')
const aside = join(dirname(tree), 'aside')

/** Bytes that are written at once to fill the disk. */
const block = Buffer.alloc(1 << 20, 'f')

/** Goes into a random directory of the tree; says whether that is one. */
function enter() {
  process.chdir(join(tree, pick(directories)))
  const here = process.cwd()
  return here === tree || here.startsWith(tree + sep)
}

/** What it does, by name. */
const deeds = {
  delete() {
    if (enter()) rmSync(basename(pick(texts)), { recursive: true, force: true })
  },
  truncate() {
    if (enter()) change((file) => ftruncateSync(file, random(40)))
  },
  overwrite() {
    if (enter()) change((file) => writeSync(file, `alpha overwritten ${random(1000)}\n`))
  },
  async flip() {
    const name = pick(['d0', 'd1', 'd2'])
    renameSync(join(tree, name), aside)
    symlinkSync(pick([outside, join(outside, 'deep'), join(tree, 'd1')]), join(tree, name))
    await pause(random(3))
    // A tool may have removed the link or written a file in its place.
    rmSync(join(tree, name), { recursive: true, force: true })
    renameSync(aside, join(tree, name))
  },
  link() {
    if (!enter()) return
    const name = basename(pick(others))
    rmSync(name, { recursive: true, force: true })
    symlinkSync(pick([outside, join(outside, 'a.txt'), '/proc/self/environ', '..', name]), name)
  },
  renew() {
    makeTree(next, outside, tree)
    rmSync(aside, { recursive: true, force: true })
    for (const name of readdirSync(next)) {
      rmSync(join(tree, name), { recursive: true, force: true })
      renameSync(join(next, name), join(tree, name))
    }
  },
  async fill() {
    if (filler === undefined) return
    const file = openSync(filler, 'w')
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error
      await pause(random(100))
    } finally {
      ftruncateSync(file, 0)
      fsyncSync(file)
      closeSync(file)
    }
  }
}

/** Opens a file of the directory it is in, and no link, and changes it. @param {(file: number) => void} how */
function change(how) {
  const file = openSync(basename(pick(texts)), constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    how(file)
  } finally {
    closeSync(file)
  }
}

/** How often each is done. @type {(keyof typeof deeds)[]} */
const often = ['renew', 'fill', 'link', 'link', ...Array(6).fill('delete'), ...Array(6).fill('truncate'), ...Array(6).fill('overwrite'), ...Array(12).fill('flip')]

let isOver = false
process.stdin.on('end', () => {
  isOver = true
})
process.stdin.resume()
/** @type {Record<string, number>} */
const done = {}
for (let turn = 0; !isOver; turn += 1) {
  // Whatever of the tree tools and adversary have destroyed comes back.
  const name = turn % 50 === 0 ? 'renew' : pick(often)
  try {
    await deeds[name]()
    done[name] = (done[name] ?? 0) + 1
  } catch (error) {
    if (error.code === undefined) throw error
  }
  await pause(random(5))
}
if (filler !== undefined) rmSync(filler, { force: true })
for (const left of [next, aside]) if (lstatSync(left, { throwIfNoEntry: false })) rmSync(left, { recursive: true, force: true })
console.log(JSON.stringify(done))
