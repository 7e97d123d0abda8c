// Calls of every tool and method, mixed, eight at a time, some of them aborted: nothing may be held that was not held before.
//
//   node --expose-gc reliability/calls.mjs [--calls N] [--seed N]
//
// Descriptors, threads and memory are sampled twenty times while nothing runs. Ends with 1 if an answer showed what is
// outside, an error was none of the documented ones, or descriptors, threads or, over 50,000 calls, memory grew.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { footprint, slope } from './footprint.mjs'
import { attempt, operationsOn, pick, sometimesAborted } from './operations.mjs'
import { makeOutside, makeTree } from './random-tree.mjs'
import { randomFrom } from './random.mjs'

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } } })
const calls = Number(values.calls)
const random = randomFrom(Number(values.seed))

const samplesWanted = 20
/** Samples that do not count: caches, compiled code and pools fill up. */
const warmUp = 5
const atOnce = 8
/** Calls after which the tree is made anew. */
const perTree = 200
/** Bytes a call that memory may grow by; the line through samples of an allocator's arenas is never level. */
const flat = 40
/** Calls from which on the slope of memory tells something. */
const enoughForMemory = 50_000
/** Threads of the addon's pool, which come and go as they please. */
const pool = 16

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-calls-')))
const [directory, outside] = [join(scratch, 'tree'), join(scratch, 'outside')]

const faults = []
const tally = { calls: 0, done: 0, refused: 0 }
const samples = []
try {
  makeOutside(outside)
  makeTree(directory, outside)
  const operations = Object.entries(operationsOn(directory, random, { signal: () => sometimesAborted(random) }))
  const perSample = Math.ceil(calls / samplesWanted)
  while (samples.length < samplesWanted) {
    for (let called = 0; called < perSample; called += perTree) {
      makeTree(directory, outside)
      let left = Math.min(perTree, perSample - called)
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left > 0) {
            left -= 1
            const [name, operation] = pick(random, operations)
            const { done, fault } = await attempt(operation)
            tally.calls += 1
            tally[done ? 'done' : 'refused'] += 1
            if (fault !== undefined) faults.push(`${name}: ${fault}`)
          }
        })
      )
    }
    samples.push({ calls: tally.calls, ...(await footprint()) })
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

const counted = samples.slice(warmUp)
const per = (/** @type {'rss' | 'descriptors' | 'threads'} */ field) => slope(counted.map((sample) => sample.calls), counted.map((sample) => sample[field]))
const [first, last] = [counted[0], counted[counted.length - 1]]
if (last.descriptors > first.descriptors) faults.push(`${first.descriptors} descriptors became ${last.descriptors}`)
if (last.threads > first.threads + pool) faults.push(`${first.threads} threads became ${last.threads}`)
if (calls >= enoughForMemory && per('rss') > flat) faults.push(`memory grew by ${per('rss').toFixed(1)} bytes a call`)
console.log(`${tally.calls} calls, ${tally.done} answered, ${tally.refused} rejected`)
console.log(`descriptors ${first.descriptors} to ${last.descriptors}, threads ${first.threads} to ${last.threads}`)
console.log(`memory ${(first.rss / 1e6).toFixed(1)} to ${(last.rss / 1e6).toFixed(1)} MB, ${per('rss').toFixed(1)} bytes a call by least squares`)
console.log(faults.length === 0 ? 'nothing grew' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
