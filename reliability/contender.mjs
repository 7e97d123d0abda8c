// Counts up a line of a file that another process counts up another line of, until it is killed or its input ends.
//
//   node reliability/contender.mjs FILE a|b
//
// Says `done N`, `refused` when the other was first, and `fault …` for anything else: an answer that is neither, or a number
// of its own that is not the one last acknowledged.
import { writeSync } from 'node:fs'
import { basename, dirname } from 'node:path'

import { AccessType, DirectoryConfiguration, FileConfiguration, FilePool, Workspace } from '../engine.js'

const [path, key] = process.argv.slice(2)
const limits = new FileConfiguration(undefined, undefined, undefined, 'none')
const workspace = new Workspace(new DirectoryConfiguration([{ type: AccessType.Write, path: dirname(path) }]))
const pool = new FilePool()
const name = basename(path)

/** Milliseconds that an edit may be out of sight while the other process puts it back. */
const patience = 2000

/** @param {string} line */
const say = (line) => writeSync(1, `${line}\n`)

async function read() {
  const { text } = await workspace.readText(name, { limits, pool })
  return Number(new RegExp(`^${key}=(\\d+)$`, 'm').exec(text)?.[1])
}

/** Reads until the number is the one that was acknowledged. @param {number} mine */
async function find(mine) {
  const start = performance.now()
  for (;;) {
    const found = await read()
    if (found === mine) return
    if (performance.now() - start > patience) {
      say(`fault ${key}=${found} is there and ${mine} was acknowledged`)
      process.exit(1)
    }
  }
}

let isWanted = true
process.stdin.on('end', () => {
  isWanted = false
}).resume()
let mine = await read()
say('ready')
while (isWanted) {
  try {
    await find(mine)
    await workspace.edit(name, { kind: 'replaceContent', oldContent: `${key}=${mine}\n`, content: `${key}=${mine + 1}\n` }, { limits, pool })
    mine += 1
    say(`done ${mine}`)
  } catch (error) {
    say(error.code === 'ERR_CHANGED' ? 'refused' : `fault ${error.message}`)
  }
}
