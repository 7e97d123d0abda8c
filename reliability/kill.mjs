// Kills a program at random moments while it writes: what stands under the name is always one whole version.
//
//   node reliability/kill.mjs [--cycles N] [--seed N]
//
// N cycles of kill -9 with a file of 100 KB and a tenth as many with 5 MB, and a quarter of that without flushing; then two
// processes that edit one file, one of which is killed again and again. Another process reads the files all the while. Ends
// with 1 if a file was not whole, an acknowledged version was lost or temporary files stayed.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import * as api from '../index.js'
import { start } from './lines-of.mjs'
import { randomFrom } from './random.mjs'
import { isTemporary, linesFor, textOf, versionOf } from './versions.mjs'

const { values } = parseArgs({ options: { cycles: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } } })
const cycles = Number(values.cycles)
const random = randomFrom(Number(values.seed))
const faults = []

/** Programs that are killed at the same time, each with a file of its own. */
const lanes = 2

/** Largest part of the kills that may leave a temporary file, with the content flushed. */
const staleShare = 0.01

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-kill-')))

/** Temporary files in a directory. @param {string} directory */
const temporaries = (directory) => readdirSync(directory).filter(isTemporary)

/**
 * Starts a writer, kills it and looks at what it left.
 * @param {string} directory
 * @param {string[]} args
 * @param {number} patience milliseconds within which it is killed
 */
async function cycle(directory, args, patience) {
  const file = join(directory, 'a.txt')
  const leftBefore = temporaries(directory)
  const writer = start('writer.mjs', [file, ...args])
  const first = await writer.first
  await setTimeout(random(patience))
  writer.process.kill('SIGKILL')
  const { stderr } = await writer.ended
  if (first !== 'ready' || stderr !== '') faults.push(`a writer said ${JSON.stringify(first)} and ${stderr}`)
  const version = versionOf(readFileSync(file))
  const acknowledged = writer.lines.length > 1 ? Number(writer.lines.at(-1)) : 0
  if (typeof version === 'string') {
    faults.push(`torn: ${version}`)
    writeFileSync(file, textOf(1, Number(args[0])))
  } else if (version < acknowledged) {
    faults.push(`version ${version} stands there and ${acknowledged} was acknowledged`)
  }
  const left = temporaries(directory)
  // A write was through, and so was its look for leftovers.
  const kept = acknowledged > 0 ? left.filter((name) => leftBefore.includes(name)) : []
  if (kept.length > 0) faults.push(`the next write left ${kept.join(', ')}`)
  return { isTorn: typeof version === 'string', stale: left.some((name) => !leftBefore.includes(name)), writes: writer.lines.length - 1 }
}

/**
 * @param {string} name
 * @param {{ times: number, bytes: number, durability: string, patience: number }} how
 */
async function killOver({ times, bytes, durability, patience }) {
  const lines = linesFor(bytes)
  const directories = Array.from({ length: lanes }, (_, lane) => join(scratch, `${durability}-${bytes}-${lane}`))
  for (const directory of directories) {
    mkdirSync(directory)
    writeFileSync(join(directory, 'a.txt'), textOf(1, lines))
  }
  const watcher = start('watcher.mjs', directories.map((directory) => join(directory, 'a.txt')))
  const count = { torn: 0, stale: 0, writes: 0 }
  let started = 0
  await Promise.all(directories.map(async (directory) => {
    while (started < times) {
      started += 1
      // Most by the engine alone, which starts three times as fast.
      const through = started % 5 === 0 ? 'tools' : 'engine'
      const { isTorn, stale, writes } = await cycle(directory, [String(lines), durability, through], patience)
      count.torn += Number(isTorn)
      count.stale += Number(stale)
      count.writes += writes
    }
  }))
  watcher.process.stdin.end()
  await watcher.ended
  const seen = JSON.parse(watcher.lines[0])
  faults.push(...seen.faults.map((fault) => `a reader saw ${fault}`))
  for (const directory of directories) {
    const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: api.AccessType.Write, path: directory }]))
    await workspace.writeText('a.txt', 'swept')
    if (temporaries(directory).length > 0) faults.push(`temporary files after the last write: ${temporaries(directory).join(', ')}`)
  }
  if (durability !== 'none' && count.stale > Math.max(3, times * staleShare)) {
    faults.push(`${count.stale} of ${times} kills left a temporary file`)
  }
  console.log(`${bytes} bytes, durability ${durability}: ${times} kills, ${count.writes} writes acknowledged, ${count.torn} torn, ` +
    `${count.stale} left a temporary file; a reader read ${seen.reads} times, saw ${seen.versions} versions, ${seen.faultCount} not whole`)
}

/** One process edits a file all the while, another one does until it is killed and started again. */
async function killBeside(times) {
  const directory = join(scratch, 'beside')
  mkdirSync(directory)
  const file = join(directory, 'a.txt')
  writeFileSync(file, 'a=0\nb=0\nc=0\n')
  const survivor = start('contender.mjs', [file, 'a'])
  await survivor.first
  let acknowledged = 0
  const refusals = { kills: 0, other: 0 }
  for (let kill = 0; kill < times; kill += 1) {
    const victim = start('contender.mjs', [file, 'b'])
    await victim.first
    await setTimeout(random(40))
    victim.process.kill('SIGKILL')
    const { stderr } = await victim.ended
    const said = victim.lines.slice(1).map((line) => line.split(' '))
    refusals.kills += said.filter(([word]) => word === 'refused').length
    faults.push(...said.filter(([word]) => word === 'fault').map((words) => `the one that is killed: ${words.join(' ')}`))
    if (stderr !== '') faults.push(stderr)
    acknowledged = Math.max(acknowledged, ...said.filter(([word]) => word === 'done').map(([, value]) => Number(value)))
  }
  survivor.process.stdin.end()
  const { stderr } = await survivor.ended
  if (stderr !== '') faults.push(stderr)
  const said = survivor.lines.map((line) => line.split(' '))
  faults.push(...said.filter(([word]) => word === 'fault').map((words) => `the one that lives: ${words.join(' ')}`))
  const done = said.filter(([word]) => word === 'done')
  const found = /^a=(\d+)\nb=(\d+)\nc=0\n$/.exec(readFileSync(file, 'utf8'))
  if (found === null) faults.push(`not whole: ${JSON.stringify(readFileSync(file, 'utf8'))}`)
  else if (Number(found[1]) !== Number(done.at(-1)?.[1]) || Number(found[2]) < acknowledged) {
    faults.push(`${found[0]} at the end, but ${done.at(-1)?.[1]} and ${acknowledged} were acknowledged`)
  }
  const left = temporaries(directory).length
  if (left > 0) {
    const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: api.AccessType.Write, path: directory }]))
    await workspace.writeText('a.txt', 'swept')
    if (temporaries(directory).length > 0) faults.push(`temporary files of two processes: ${temporaries(directory).join(', ')}`)
  }
  const refused = said.filter(([word]) => word === 'refused').length
  console.log(`two processes edit one file, ${times} kills of one: the other ${done.length} edits applied, ${refused} refused as changed; ` +
    `of the killed ${acknowledged} applied, ${refusals.kills} refused; ${left} temporary files at the end`)
}

// Without flushing, what is left behind is for the figure only.
for (const [durability, times] of [['data', cycles], ['none', Math.ceil(cycles / 4)]]) {
  await killOver({ times, bytes: 100_000, durability, patience: 40 })
  await killOver({ times: Math.ceil(times / 10), bytes: 5_000_000, durability, patience: 300 })
}
await killBeside(Math.ceil(cycles / 10))
rmSync(scratch, { recursive: true, force: true })
console.log(faults.length === 0 ? 'one whole version after every kill' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
