// How soon an aborted operation rejects, and how much the process still works on it afterwards.
//
//   node reliability/abort.mjs [--aborts N] [--seed N] [--only OPERATION] [--other-disk DIR]
//
// Each operation is given work that takes a while, and is aborted at a random moment of it. Only aborts that came before the
// answer count. `explain` answers at once. Ends with 1 if the 99th percentile of an operation is 50 ms or more, or an abort ended
// as something else.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { AccessType, DirectoryConfiguration, FileConfiguration, FilePool, SearchConfiguration, SecureReader, Workspace } from '../index.js'
import { randomFrom } from './random.mjs'

const { values } = parseArgs({
  options: {
    aborts: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    'other-disk': { type: 'string', default: '/dev/shm' }
  }
})
const aborts = Number(values.aborts)
const random = randomFrom(Number(values.seed))

/** What the 99th percentile must stay below, in milliseconds. */
const bar = 50
/** How long the process is watched after a rejection, in milliseconds. */
const watched = 100
/** Attempts that may come too late for each that counts. */
const patience = 20

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-abort-')))
const otherDisk = realpathSync(mkdtempSync(join(values['other-disk'], 'llm-chat-abort-')))
const at = (/** @type {string[]} */ ...names) => join(scratch, ...names)

const limits = new FileConfiguration(20_000_000, 20_000_000, 20_000_000, 'data')
const searchLimits = new SearchConfiguration(1_000_000, 1_000_000, 20_000_000, 60_000)
const pool = new FilePool()
const write = (/** @type {string} */ path) => ({ type: AccessType.Write, path })
const workspace = new Workspace(new DirectoryConfiguration([write(scratch), write(otherDisk)], [], true, scratch))
const reader = new SecureReader(scratch)
const large = 'one of many lines, none of them remarkable\n'.repeat(220_000)

/** Makes a tree of so many files of some lines. @param {string} root @param {number} files */
function makeTree(root, files) {
  for (let file = 0; file < files; file += 1) {
    const directory = join(root, `d${Math.floor(file / 100)}`)
    if (file % 100 === 0) mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, `f${file}.txt`), 'some words in a line\n'.repeat(20))
  }
}

/** Names for directories to make: an aborted call may still be at work on the last one. */
let made = 0

/** Takes all that an iterator gives. @param {AsyncIterable<unknown>} iterable */
async function drain(iterable) {
  let given = 0
  for await (const each of iterable) given += each === undefined ? 0 : 1
  return given
}

/**
 * How each is prepared, if it has to be before every attempt, and called.
 * @type {Record<string, { before?: () => unknown, call: (signal: AbortSignal) => Promise<unknown> }>}
 */
const operations = {
  readText: { call: (signal) => workspace.readText('large.txt', { limits, pool, signal }) },
  writeText: {
    before: () => workspace.readText('written.txt', { limits, pool }),
    call: (signal) => workspace.writeText('written.txt', large, { limits, pool, signal })
  },
  edit: {
    before: () => workspace.readText('edited.txt', { limits, pool }),
    call: (signal) =>
      workspace.edit('edited.txt', [{ kind: 'replaceContent', oldContent: 'many', content: 'many', all: true }], { limits, pool, signal, diff: true })
  },
  list: { call: (signal) => workspace.list('tree', { recursive: true, limits: searchLimits, signal }) },
  search: { call: (signal) => workspace.search({ dir: 'tree', content: '(\\w+) \\1' }, { limits: searchLimits, signal }) },
  'search of one large file': { call: (signal) => workspace.search({ dir: 'lines', content: '(?=.*z)(\\w+) \\1x' }, { limits: searchLimits, signal }) },
  searchBatches: { call: (signal) => drain(workspace.searchBatches({ dir: 'tree', content: 'words' }, { limits: searchLimits, signal })) },
  info: { call: (signal) => workspace.info('tree', { pool, signal }) },
  remove: {
    before: () => makeTree(at('removed'), 2000),
    call: (signal) => workspace.remove('removed', { pool, recursive: true, signal })
  },
  'rename of a file to another disk': {
    before: () => writeFileSync(at('moved.txt'), large),
    call: (signal) => workspace.rename('moved.txt', join(otherDisk, 'moved.txt'), { pool, signal })
  },
  'rename of a tree to another disk': {
    before: () => makeTree(at('moved'), 500),
    call: (signal) => workspace.rename('moved', join(otherDisk, 'moved'), { pool, signal })
  },
  createDirectory: { call: (signal) => workspace.createDirectory(join(`made-${(made += 1)}`, ...Array.from({ length: 1000 }, () => 'd')), { pool, signal }) },
  'SecureReader.read': {
    // Its lines are counted once for each version of a file.
    before: () => utimesSync(at('huge.txt'), new Date(), new Date(random(2 ** 31))),
    call: (signal) => reader.read('huge.txt', { offset: 2 ** 31, signal })
  }
}

/** How long an operation takes that nobody aborts: the middle of three. @param {typeof operations[string]} operation */
async function duration({ before, call }) {
  const times = []
  for (let round = 0; round < 3; round += 1) {
    clean()
    await before?.()
    const start = performance.now()
    await call(new AbortController().signal).catch((error) => {
      if (error.code !== 'ERR_OUT_OF_RANGE') throw error
    })
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[1]
}

/** Removes what an operation left behind. */
function clean() {
  for (const name of ['removed', 'moved', 'moved.txt']) {
    rmSync(at(name), { recursive: true, force: true })
    rmSync(join(otherDisk, name), { recursive: true, force: true })
  }
}

/**
 * Aborts an operation after so many milliseconds; gives how long it took to reject and how long processors worked on afterwards,
 * or nothing if it was done before.
 * @param {typeof operations[string]} operation
 * @param {number} delay
 */
async function abortAfter({ before, call }, delay) {
  clean()
  await before?.()
  const controller = new AbortController()
  let ended = 0
  const outcome = call(controller.signal)
    .catch((error) => error)
    .then((result) => {
      ended = performance.now()
      return result
    })
  // A timer takes a millisecond at least.
  if (delay >= 1) await pause(delay)
  if (ended > 0) return undefined
  const aborted = performance.now()
  controller.abort()
  const error = await outcome
  const usage = process.cpuUsage()
  await pause(watched)
  const { user, system } = process.cpuUsage(usage)
  return { error, rejected: ended - aborted, worked: (user + system) / 1000 }
}

const percentile = (/** @type {number[]} */ sorted, /** @type {number} */ share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
const faults = []

/** Aborts one kind of operation again and again, and prints what came of it. @param {string} name @param {typeof operations[string]} operation */
async function measure(name, operation) {
  const usual = await duration(operation)
  const [rejected, worked] = [[], []]
  for (let attempt = 0; rejected.length < aborts && attempt < aborts * patience; attempt += 1) {
    const outcome = await abortAfter(operation, (usual * random(1000)) / 1000)
    if (outcome === undefined) continue
    if (outcome.error?.name !== 'AbortError') faults.push(`${name}: aborted and ended with ${outcome.error?.stack ?? 'an answer'}`)
    rejected.push(outcome.rejected)
    worked.push(outcome.worked)
  }
  for (const times of [rejected, worked]) times.sort((a, b) => a - b)
  if (rejected.length === 0) return faults.push(`${name}: never aborted in time, it takes ${usual.toFixed(2)} ms`)
  if (percentile(rejected, 0.99) >= bar) faults.push(`${name}: rejects after ${percentile(rejected, 0.99).toFixed(1)} ms`)
  const columns = [usual, percentile(rejected, 0.5), percentile(rejected, 0.99), rejected.at(-1), percentile(worked, 0.5), percentile(worked, 0.99)]
  console.log(`| ${name} | ${rejected.length} | ${columns.map((value) => value.toFixed(value < 1 ? 2 : 1)).join(' | ')} |`)
}

try {
  for (const name of ['large.txt', 'written.txt', 'edited.txt']) writeFileSync(at(name), large)
  makeTree(at('tree'), 10_000)
  mkdirSync(at('lines'))
  writeFileSync(at('lines', 'one.txt'), `${'words and more words '.repeat(200_000)}\n`)
  writeFileSync(at('huge.txt'), '')
  const block = 'a line of a huge file\n'.repeat(50_000)
  for (let written = 0; written < 300; written += 1) writeFileSync(at('huge.txt'), block, { flag: 'a' })
  console.log('| operation | aborts | whole, ms | rejects after, ms | 99 % | longest | processor time after, ms | 99 % |')
  console.log('|---|---|---|---|---|---|---|---|')
  for (const [name, operation] of Object.entries(operations)) {
    if (values.only === undefined || name.startsWith(values.only)) await measure(name, operation)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
  rmSync(otherDisk, { recursive: true, force: true })
}
console.log(faults.length === 0 ? 'every abort was answered' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
