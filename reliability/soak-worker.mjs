// One worker thread of soak.mjs: random operations, and beside them files that nobody else may harm.
//
// Tells its parent `{ operations, refused, faults, checks }` as they come.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { parentPort, workerData } from 'node:worker_threads'

import * as api from '../index.js'
import { attempt, operationsOn, pick, sometimesAborted } from './operations.mjs'
import { randomFrom } from './random.mjs'
import { linesFor, textOf, versionOf } from './versions.mjs'

/** @type {{ tree: string, kept: string, seed: number, name: string }} */
const { tree, kept, seed, name } = workerData
const random = randomFrom(seed)

const atOnce = 6
/** After so many milliseconds an operation counts as hanging. The longest time limit of any is 10 seconds. */
const patience = 60_000
/** Operations between two looks at the files that are kept. */
const perCheck = 200
/** Lines after which a ledger is begun anew. */
const fullLedger = 500

let isOver = false
parentPort.on('message', () => {
  isOver = true
})

const told = { operations: 0, refused: 0, checks: 0, faults: /** @type {string[]} */ ([]) }
/** Tells the parent what has come together. */
function tell() {
  parentPort.postMessage({ ...told })
  Object.assign(told, { operations: 0, refused: 0, checks: 0, faults: [] })
}

/** Runs an operation; one that does not end is a fault. @param {string} what @param {() => Promise<unknown>} operation */
async function watched(what, operation) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ done: false, fault: `no answer within ${patience} ms` }), patience)
  })
  const outcome = await Promise.race([attempt(operation), late])
  clearTimeout(timer)
  told.operations += 1
  if (!outcome.done) told.refused += 1
  if (outcome.fault !== undefined) told.faults.push(`${what}: ${outcome.fault}`)
  return outcome
}

const limits = new api.FileConfiguration(1_000_000, undefined, undefined, 'none')
const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: api.AccessType.Write, path: tree }], [], true))
const pool = new api.FilePool()

/** Versions of one file, written whole: what stands there is one of them, and none older than the last acknowledged. */
async function keepVersions() {
  const path = join(kept, `whole-${name}.txt`)
  await workspace.readText(path, { limits, pool })
  let version = Number(versionOf(readFileSync(path)))
  let acknowledged = version
  while (!isOver) {
    version += 1
    const { done } = await watched('writeText of a version', () => workspace.writeText(path, textOf(version, linesFor(1 + random(100_000))), { limits, pool }))
    if (done) acknowledged = version
    const found = versionOf(readFileSync(path))
    told.checks += 1
    if (typeof found === 'string') told.faults.push(`a file that is no version: ${found}`)
    else if (found < acknowledged) told.faults.push(`version ${found} stands where ${acknowledged} was acknowledged`)
  }
}

/** Lines that every worker adds to one file: an acknowledged one is there once, a refused one is not. */
async function keepLedger() {
  const path = join(kept, 'ledger.txt')
  /** Lines of this worker since the ledger was begun. */
  let acknowledged = []
  const refused = new Set()
  for (let count = 0; !isOver; count += 1) {
    await workspace.readText(path, { limits, pool }).catch(() => undefined)
    const line = `${name} ${seed} ${count}`
    const { done } = await watched('an entry of the ledger', () => workspace.edit(path, { kind: 'insert', line: 1, content: `${line}\n` }, { limits, pool }))
    if (done) acknowledged.push(line)
    else refused.add(line)
    if (count % 20 !== 0) continue
    const lines = readFileSync(path, 'utf8').split('\n')
    const times = new Map()
    for (const each of lines) times.set(each, (times.get(each) ?? 0) + 1)
    for (const each of acknowledged) if (times.get(each) !== 1) told.faults.push(`the ledger has ${times.get(each) ?? 0} times what was acknowledged: ${each}`)
    for (const each of refused) if (times.has(each)) told.faults.push(`the ledger has what was refused: ${each}`)
    told.checks += acknowledged.length + refused.size
    // Its own oldest lines go, so that the ledger stays small.
    if (acknowledged.length > fullLedger) {
      const { done: isGone } = await watched('clearing the ledger', async () => {
        await workspace.readText(path, { limits, pool })
        const edits = acknowledged.map((each) => ({ kind: 'replaceContent', oldContent: `${each}\n`, content: '' }))
        return workspace.edit(path, edits, { limits, pool })
      })
      if (isGone) acknowledged = []
    }
  }
}

/** Operations on the tree that everybody is at. */
async function work() {
  const operations = Object.entries(operationsOn(tree, random, { signal: () => sometimesAborted(random) }))
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (!isOver) {
        await watched(...pick(random, operations))
        if (told.operations % perCheck === 0) tell()
      }
    })
  )
}

// What runs in microtasks only would never hear that it is over.
const heartbeat = setInterval(tell, 500)
await Promise.all([keepVersions(), keepLedger(), work()])
clearInterval(heartbeat)
globalThis.gc?.()
tell()
process.exit()
