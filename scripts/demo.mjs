// Shows the tools at work beside the published package: npm run demo -- DIR PATTERN
// Lists DIR, searches it by name and content for PATTERN, reads some lines, and edits a scratch
// copy of a file. Nothing in DIR is changed.
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { build } from './build.mjs'

const ROUNDS = 3
const SHOWN_LINES = 6
const SKIPPED = ['.git', 'node_modules', 'target', 'dist']

const root = path.resolve(import.meta.dirname, '..')
const [dir = root, pattern = 'workspace'] = process.argv.slice(2)

build()
const native = await import('../index.js')
const published = {
  ...(await import('@johannes.latzel/llm-chat-file')),
  ...(await import('@johannes.latzel/llm-chat-workspace'))
}

const start = path.resolve(dir)
if (!statSync(start, { throwIfNoEntry: false })?.isDirectory()) {
  console.error(`${start} is not a directory`)
  process.exit(1)
}
const scratch = mkdtempSync(path.join(tmpdir(), 'llm-chat-demo-'))
try {
  await show()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function show() {
  const tools = { native: toolsOf(native), published: toolsOf(published) }
  console.log(`${start}, pattern ${pattern}; milliseconds, median of ${ROUNDS} runs\n`)
  await compare(tools, 'list_directory', { path: start, recursive: true })
  await compare(tools, 'search_entries', { path: start, name_pattern: pattern })
  const found = await compare(tools, 'search_entries', { path: start, content_pattern: pattern })
  const [, file] = /^(?!\()(.+?):\d+: /m.exec(found) ?? []
  if (!file) {
    console.log('No file has a line that matches, so there is nothing to read and edit.')
    return
  }
  await compare(tools, 'read_file', { paths: [file], start_line: 1, end_line: 4 })
  for (const [contender, own] of Object.entries(tools)) {
    const copy = path.join(scratch, contender)
    copyFileSync(file, copy)
    await call(own, 'read_file', { paths: [copy] })
  }
  await compare(
    tools,
    'replace_file_lines',
    { start_line: 1, content: 'The first line of a scratch copy.' },
    (name) => ({ path: path.join(scratch, name) })
  )
}

/** The tools of a package by name, over the directory and the scratch directory. */
function toolsOf(library) {
  const { DirectoryConfiguration, FileConfiguration, FileToolPackage } = library
  const { SearchConfiguration, Workspace } = library
  const accesses = [
    { type: 'read', path: start },
    { type: 'write', path: scratch }
  ]
  const workspace = new Workspace(new DirectoryConfiguration(accesses, SKIPPED, false, start))
  const limits = new SearchConfiguration(1000, 1000, 1_000_000, 60_000)
  const files = new FileConfiguration(1_000_000)
  const tools = new FileToolPackage(workspace, limits, files).tools()
  return new Map(tools.map((tool) => [tool.name, tool]))
}

/** Runs a tool of both packages, prints times and the native answer, and gives that answer. */
async function compare(tools, name, args, more = () => ({})) {
  const times = {}
  let answer = ''
  for (const [contender, own] of Object.entries(tools)) {
    const runs = []
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now()
      const text = await withProgress(`${name}, ${contender}`, () =>
        call(own, name, { ...args, ...more(contender) })
      )
      runs.push(performance.now() - begin)
      if (contender === 'native') answer = text
    }
    times[contender] = runs.sort((a, b) => a - b)[ROUNDS >> 1]
  }
  const ratio = (times.native / times.published).toFixed(3)
  console.log(`${name} ${JSON.stringify(args)}`)
  console.log(
    `  native ${times.native.toFixed(2)}, published ${times.published.toFixed(2)}, ratio ${ratio}`
  )
  const lines = answer.split('\n')
  for (const line of lines.slice(0, SHOWN_LINES)) console.log(`  | ${line.slice(0, 150)}`)
  if (lines.length > SHOWN_LINES) console.log(`  | … ${lines.length - SHOWN_LINES} more lines`)
  console.log()
  return answer
}

async function call(tools, name, args) {
  const results = await tools.get(name).execute(args)
  return results.map(({ result }) => result).join('\n')
}

/** On a terminal, tells how long something has been going on. */
async function withProgress(what, work) {
  if (!process.stdout.isTTY) return await work()
  const begin = performance.now()
  const timer = setInterval(() => {
    process.stdout.write(`\r${what}: ${((performance.now() - begin) / 1000).toFixed(0)} s `)
  }, 1000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.stdout.write('\r\u001b[K')
  }
}
