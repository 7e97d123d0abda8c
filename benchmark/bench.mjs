// Side by side with the published packages in one process, and with ripgrep.
//
//   node benchmark/bench.mjs [--tree DIR] [--only PATTERN] [--json FILE] [--check]
//
// --tree   a directory of at least 80,000 entries to walk, list and search; without it one is made
// --only   regular expression that the names of the cases to run must match
// --json   file for everything measured, every sample included
// --check  exit with 1 when a ratio misses its bar, not only when answers differ
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { accessCases } from './cases/access.mjs'
import { fileCases } from './cases/files.mjs'
import { searchCases } from './cases/search.mjs'
import { treeCases } from './cases/tree.mjs'
import { writeCases } from './cases/writes.mjs'
import { measure } from './measure.mjs'
import { busy, heading, machine, passes, tableRow } from './report.mjs'
import { makeTree } from './tree.mjs'

const { values: options } = parseArgs({
  options: {
    tree: { type: 'string' },
    only: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false }
  }
})

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-bench-')))
try {
  const where = machine()
  const warning = busy(where)
  if (warning !== undefined) {
    console.error(warning)
  }
  let tree = options.tree
  if (tree === undefined) {
    tree = join(directory, 'tree')
    makeTree(tree)
  }
  const wanted = new RegExp(options.only ?? '', 'i')
  const root = realpathSync(tree)
  const cases = [...accessCases(directory), ...fileCases(directory), ...writeCases(directory), ...treeCases(root), ...searchCases(root)]
  const outcomes = []
  console.log(heading())
  for (const row of cases.filter(({ name }) => wanted.test(name))) {
    const outcome = await measure(row)
    outcomes.push(outcome)
    console.log(tableRow(outcome))
  }
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ machine: where, tree, outcomes }, undefined, 2)}\n`)
  }
  const differ = outcomes.some(({ difference }) => difference !== undefined)
  if (differ || (options.check && !outcomes.every(passes))) {
    process.exitCode = 1
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
