// When searches end whose patterns cost a backtracking engine, or an automaton, more than anyone waits for.
//
//   node benchmark/ending.mjs [--timeout MS]
//
// Every pattern of __test__/support/patterns.ts is searched for in 40 characters, 5 KB, a line of 1 MB and a tree of 80 MB, with
// a time limit, in a process of its own. Shown is the worst of all: how late a search ended, how long the event loop stood still,
// what memory it took.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'

import { SearchConfiguration, Workspace } from '../engine.js'

/** Files of the tree, and the bytes of each. */
const files = 80
const fileSize = 1_000_000

const inputs = ['40 characters', '5 KB', 'line of 1 MB', 'tree of 80 MB']

const { values } = parseArgs({ options: { timeout: { type: 'string', default: '300' }, child: { type: 'string' } } })
const timeout = Number(values.timeout)
if (values.child === undefined) {
  await inChild()
} else {
  await measure(values.child)
}

/** Makes what is searched, and measures in a process that has made nothing. */
async function inChild() {
  const root = mkdtempSync(join(tmpdir(), 'llm-chat-ending-'))
  try {
    makeInputs(root)
    writeFileSync(join(root, 'patterns.json'), JSON.stringify(await costlyPatterns()))
    const args = ['--expose-gc', import.meta.filename, '--timeout', values.timeout, '--child', root]
    execFileSync(process.execPath, args, { stdio: 'inherit' })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** @returns {Promise<string[]>} */
async function costlyPatterns() {
  const { default: ts } = await import('typescript')
  const source = readFileSync(join(import.meta.dirname, '../__test__/support/patterns.ts'), 'utf8')
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } })
  const { BACKTRACKING, BACKREFERENCES, COUNTED } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`)
  return [...BACKTRACKING, ...BACKREFERENCES, ...COUNTED].map(({ source: pattern }) => pattern)
}

/** Makes the inputs, each a directory of its own. */
function makeInputs(/** @type {string} */ root) {
  const text = 'aab abba the quick_brown fox; a = b + 12\n'
  const contents = [
    [`${'a'.repeat(40)}!`],
    ['a'.repeat(5000)],
    [`${'a'.repeat(1_000_000)}!b`],
    Array(files).fill(text.repeat(fileSize / text.length))
  ]
  inputs.forEach((name, input) => {
    mkdirSync(join(root, name))
    contents[input].forEach((content, index) => {
      writeFileSync(join(root, name, String(index)), content)
    })
  })
}

/** Searches for every pattern in every input beneath `root`. */
async function measure(/** @type {string} */ root) {
  /** @type {string[]} */
  const patterns = JSON.parse(readFileSync(join(root, 'patterns.json'), 'utf8'))
  const workspace = new Workspace({ accesses: [{ type: 'read', path: root }] })
  const limits = new SearchConfiguration(undefined, undefined, undefined, timeout)
  // The timer that measures the delay rests for a millisecond between two looks.
  const delay = monitorEventLoopDelay({ resolution: 1 })
  await workspace.search({ dir: inputs[0], content: 'a' })
  globalThis.gc?.()
  const memoryBefore = process.memoryUsage.rss()
  let [searches, completed] = [0, 0]
  let late = { by: 0, where: '' }
  let stall = { time: 0, where: '' }
  let memory = { bytes: 0, where: '' }
  for (const content of patterns) {
    for (const dir of inputs) {
      const where = `${content} in ${dir}`
      globalThis.gc?.()
      delay.reset()
      delay.enable()
      const start = performance.now()
      const answer = await workspace.search({ dir, content, flags: 'iu' }, { limits })
      const by = performance.now() - start - timeout
      delay.disable()
      searches += 1
      completed += answer.complete ? 1 : 0
      if (by > late.by) late = { by, where }
      const time = delay.max / 1e6
      if (time > stall.time) stall = { time, where }
      const bytes = process.memoryUsage.rss() - memoryBefore
      if (bytes > memory.bytes) memory = { bytes, where }
    }
  }
  const peak = process.resourceUsage().maxRSS * 1024 - memoryBefore
  console.log(`${searches} searches of ${patterns.length} patterns, ${completed} complete within ${timeout} ms`)
  console.log(`latest end: ${late.by.toFixed(0)} ms after its time (${late.where})`)
  console.log(`longest delay of the event loop: ${stall.time.toFixed(1)} ms (${stall.where})`)
  console.log(`memory: ${(memory.bytes / 1e6).toFixed(0)} MB more after a search (${memory.where}), ${(peak / 1e6).toFixed(0)} MB more at the peak`)
}
