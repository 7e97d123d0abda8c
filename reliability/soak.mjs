// Random operations from several worker threads for as long as wanted, with an adversary beside them; what must hold is looked at
// all along.
//
//   npm run soak -- [MINUTES] [--workers N] [--seed N] [--json FILE]
//
// Holds: no answer shows what is outside, and nothing there changes; every rejection has a documented code; every operation ends;
// files that the adversary leaves alone are whole, and hold every acknowledged change once and no refused one; no temporary file is
// left beside them; descriptors, threads and memory do not grow. Every half minute one worker is terminated in the middle of its
// work and another takes its place. As root the tree lies on a disk of its own that the adversary fills. Ends with 1 if
// anything did not hold.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import { footprint, slope } from './footprint.mjs'
import { makeOutside, makeTree } from './random-tree.mjs'
import { isTemporary, textOf } from './versions.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    json: { type: 'string' }
  }
})
const minutes = Number(positionals[0] ?? 1)
if (!(minutes > 0)) throw new Error('usage: npm run soak -- MINUTES')
const count = Number(values.workers)
const seed = Number(values.seed)

/** Milliseconds between two looks at what the process holds, and between two terminations. */
const [perSample, perTermination] = [5_000, 30_000]
/** Share of the samples that do not count: pools and arenas fill up. */
const warmUp = 0.25
/** Minutes from which on the slope of memory tells something, and megabytes a minute that it may be. */
const [enoughForMemory, flat] = [10, 0.5]
/** Threads that may be more at the end than at the first look: those of the addon's pool come and go. */
const pool = 16

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-soak-')))
const [disk, outside] = [join(scratch, 'disk'), join(scratch, 'outside')]
mkdirSync(disk)
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'none', disk]).status === 0
const tree = join(disk, 'tree')
const kept = join(tree, 'kept')

/** All that is outside, in one hash. */
function outsideHash() {
  const hash = createHash('sha256')
  for (const name of readdirSync(outside, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(outside, name)
    const stat = lstatSync(path)
    hash.update(`${name} ${stat.mode} ${stat.mtimeMs} ${stat.ino}\0`)
    if (stat.isFile()) hash.update(readFileSync(path))
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path))
  }
  return hash.digest('hex')
}

const total = { operations: 0, refused: 0, checks: 0, terminated: 0 }
/** @type {string[]} */
const faults = []
let generation = 0
let isOver = false

/** Starts the worker of that name. @param {number} index */
function start(index) {
  generation += 1
  const worker = new Worker(join(import.meta.dirname, 'soak-worker.mjs'), { workerData: { tree, kept, name: String(index), seed: seed * 1000 + generation } })
  worker.on('message', (told) => {
    total.operations += told.operations
    total.refused += told.refused
    total.checks += told.checks
    faults.push(...told.faults)
  })
  worker.on('error', (error) => faults.push(`a worker failed: ${error.stack}`))
  return worker
}

/** Samples, terminates and looks until it is over. @param {Worker[]} workers @param {string} unchanged hash of what is outside */
async function watch(workers, unchanged) {
  const began = performance.now()
  const samples = []
  let nextTermination = perTermination
  while (performance.now() - began < minutes * 60_000) {
    await pause(perSample)
    const passed = performance.now() - began
    if (outsideHash() !== unchanged) faults.push('what is outside was changed')
    total.checks += 1
    samples.push({ minutes: passed / 60_000, ...(await footprint()) })
    if (passed >= nextTermination) {
      nextTermination += perTermination
      const index = total.terminated % count
      await workers[index].terminate()
      total.terminated += 1
      workers[index] = start(index)
    }
    if (faults.length > 100) break
    const last = samples[samples.length - 1]
    if (samples.length % 12 === 0) {
      console.log(`${last.minutes.toFixed(1)} min: ${total.operations} operations, ${total.checks} checks, ${faults.length} faults, ${(last.rss / 1e6).toFixed(1)} MB, ${last.descriptors} descriptors, ${last.threads} threads`)
    }
  }
  return samples
}

const delay = monitorEventLoopDelay({ resolution: 5 })
/** @type {Awaited<ReturnType<typeof watch>>} */
let samples
/** What the adversary did, by deed. @type {Record<string, number>} */
let deeds
try {
  makeOutside(outside)
  makeTree(tree, outside)
  mkdirSync(kept)
  writeFileSync(join(kept, 'ledger.txt'), 'ledger\n')
  for (let index = 0; index < count; index += 1) writeFileSync(join(kept, `whole-${index}.txt`), textOf(0, 100))
  const unchanged = outsideHash()
  const adversary = spawn(process.execPath, [join(import.meta.dirname, 'adversary.mjs'), tree, outside, String(seed), ...(hasDisk ? [join(disk, 'filler')] : [])], { stdio: ['pipe', 'pipe', 'inherit'] })
  let told = ''
  adversary.stdout.on('data', (text) => {
    told += text
  })
  const adversaryEnded = new Promise((resolve) => {
    adversary.once('exit', (code) => {
      if (code !== 0 || !isOver) faults.push(`the adversary ended with ${code}`)
      resolve(undefined)
    })
  })
  const workers = Array.from({ length: count }, (_, index) => start(index))
  delay.enable()
  samples = await watch(workers, unchanged)
  delay.disable()
  isOver = true
  await Promise.all(
    workers.map((worker) => {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.postMessage('end')
      return Promise.race([ended, pause(90_000).then(() => faults.push('a worker did not end'))])
    })
  )
  adversary.stdin.end()
  await adversaryEnded
  deeds = JSON.parse(told || '{}')
  if (outsideHash() !== unchanged) faults.push('what is outside was changed')
  const left = readdirSync(kept).filter(isTemporary)
  // A worker that was terminated in the middle of a write leaves what a kill leaves; the next write to the name clears it.
  if (left.length > 0) faults.push(`temporary files are left: ${left.join(' ')}`)
} finally {
  if (hasDisk) spawnSync('umount', ['-l', disk])
  rmSync(scratch, { recursive: true, force: true })
}

const counted = samples.slice(Math.floor(samples.length * warmUp))
const per = (/** @type {'rss' | 'descriptors' | 'threads'} */ field) => slope(counted.map((sample) => sample.minutes), counted.map((sample) => sample[field]))
const [first, last] = [counted[0], counted[counted.length - 1]]
const slopes = { megabytes: per('rss') / 1e6, descriptors: per('descriptors'), threads: per('threads') }
if (minutes >= enoughForMemory) {
  if (slopes.megabytes > flat) faults.push(`memory grew by ${slopes.megabytes.toFixed(2)} MB a minute`)
  if (slopes.descriptors > 1) faults.push(`descriptors grew by ${slopes.descriptors.toFixed(2)} a minute`)
}
if (last.threads > first.threads + pool) faults.push(`${first.threads} threads became ${last.threads}`)
console.log(`seed ${seed}, ${minutes} minutes, ${count} workers, ${total.terminated} of them terminated, ${hasDisk ? 'a disk that was filled' : 'no disk of its own: not filled'}`)
console.log(`${total.operations} operations (${total.refused} rejected), ${total.checks} checks, adversary: ${Object.entries(deeds).map(([name, times]) => `${name} ${times}`).join(', ')}`)
console.log(`descriptors ${first.descriptors} to ${last.descriptors} (${slopes.descriptors.toFixed(2)} a minute), threads ${first.threads} to ${last.threads} (${slopes.threads.toFixed(2)} a minute)`)
console.log(`memory ${(first.rss / 1e6).toFixed(1)} to ${(last.rss / 1e6).toFixed(1)} MB (${slopes.megabytes.toFixed(2)} MB a minute), event loop of the main thread late by ${(delay.max / 1e6).toFixed(1)} ms at most`)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ seed, minutes, count, total, deeds, slopes, samples, faults }, undefined, 2)}\n`)
console.log(faults.length === 0 ? 'everything held' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
