// How the time of a content search grows with threads and files, and what memory it takes.
//
//   node benchmark/scaling.mjs --tree DIR [--pattern PATTERN]
//
// Every figure is that of a process of its own. One thread is measured by leaving the process one processor (taskset).
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'

import { SearchConfiguration, Workspace } from '../engine.js'
import { median } from './measure.mjs'

/** Far above anything a benchmark meets: no limit is to cut an answer short. */
const noLimit = 10_000_000

/** Files of the trees that are searched. */
const sizes = [1_000, 10_000, 78_000]

/** Bytes of the large file. */
const large = 300_000_000

/** Searches of which the median counts. */
const runs = 7

const { values: options } = parseArgs({
  options: {
    tree: { type: 'string' },
    pattern: { type: 'string', default: 'PM_RESUME' },
    child: { type: 'boolean', default: false }
  }
})
if (options.tree === undefined) {
  throw new Error('usage: node benchmark/scaling.mjs --tree DIR [--pattern PATTERN]')
}
const tree = realpathSync(options.tree)
if (options.child) {
  console.log(JSON.stringify(await searched(tree, options.pattern)))
} else {
  report()
}

/**
 * What searches of a directory take in this process.
 * @param {string} path
 * @param {string} content
 */
async function searched(path, content) {
  const workspace = new Workspace({ accesses: [{ type: 'read', path }] })
  const limits = new SearchConfiguration(noLimit, noLimit, noLimit, 600_000)
  const times = []
  let matches = 0
  // Makes the pattern, and warms the cache.
  await workspace.search({ content, maxResults: 1 }, { limits, maxFileSize: Infinity })
  const before = process.resourceUsage().maxRSS
  for (let run = -1; run < runs; run += 1) {
    const start = performance.now()
    const { results } = await workspace.search({ content }, { limits, maxFileSize: Infinity })
    if (run >= 0) {
      times.push(performance.now() - start)
    }
    matches = results.length
  }
  return { time: median(times), matches, memory: (process.resourceUsage().maxRSS - before) / 1024 }
}

/**
 * The same in a process of its own.
 * @param {string} path
 * @param {string} pattern
 * @param {boolean} isAlone whether it has one processor
 */
function inChild(path, pattern, isAlone) {
  const self = [process.execPath, fileURLToPath(import.meta.url), '--child', '--tree', path, '--pattern', pattern]
  const [command, ...args] = isAlone ? ['taskset', '-c', '0', ...self] : self
  return JSON.parse(execFileSync(command, args, { encoding: 'utf8' }))
}

/**
 * The directory beneath `root` whose number of files is nearest to `wanted`.
 * @param {string} root
 * @param {number} wanted
 */
function nearest(root, wanted) {
  let best = { path: root, count: Infinity }
  /** @param {string} path */
  const count = (path) => {
    let sum = 0
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      sum += entry.isDirectory() ? count(join(path, entry.name)) : 1
    }
    if (Math.abs(sum - wanted) < Math.abs(best.count - wanted)) {
      best = { path, count: sum }
    }
    return sum
  }
  count(root)
  return best
}

/** Makes a file of lines, of which one in a thousand matches. */
function makeLarge(/** @type {string} */ path, /** @type {string} */ match) {
  const plain = 'static int sample_suspend(struct device *dev) { return 0; }\n'
  const block = `${plain.repeat(999)}${match}\n`
  const file = openSync(path, 'w')
  for (let written = 0; written < large; written += block.length) {
    writeSync(file, block)
  }
  closeSync(file)
}

function report() {
  const directory = mkdtempSync(join(tmpdir(), 'llm-chat-scaling-'))
  try {
    const places = sizes.map((size) => {
      const { path, count } = nearest(tree, size)
      return { name: `${String(count)} files`, path }
    })
    makeLarge(join(directory, 'large'), options.pattern)
    places.push({ name: 'one file of 300 MB', path: directory })
    console.log('| tree | 2 threads | 1 thread | matches | memory added |')
    console.log('|---|---|---|---|---|')
    for (const { name, path } of places) {
      const both = inChild(path, options.pattern, false)
      const alone = inChild(path, options.pattern, true)
      const memory = `${both.memory.toFixed(0)} MB`
      console.log(`| ${name} | ${both.time.toFixed(1)} ms | ${alone.time.toFixed(1)} ms | ${both.matches} | ${memory} |`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
