// What memory operations on large files take: the rise of the peak of a process of its own for each.
//
//   node benchmark/memory.mjs
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { FileConfiguration, SecureReader, Workspace } from '../engine.js'

const line = 'const answer = compute(question) // as ever, in a line of eighty bytes or so  \n'
const limits = new FileConfiguration(1e8, 1e8)

/** @type {Record<string, (workspace: Workspace, directory: string) => Promise<unknown>>} */
const operations = {
  'one replacement in 10 MB': (workspace) =>
    workspace.edit('10mb', { kind: 'replaceContent', oldContent: 'the one needle', content: 'another' }, { limits }),
  'every line of 10 MB replaced': (workspace) =>
    workspace.edit('10mb', { kind: 'replaceContent', oldContent: 'question', content: 'puzzle', all: true }, { limits }),
  '10 lines at the end of 10 MB': (workspace) => workspace.readText('10mb', { startLine: 130_000, endLine: 130_009, limits }),
  'a page at the end of 1 GB': async (_, directory) => {
    const reader = new SecureReader(directory, { maxLines: 10 })
    return reader.read('1gb', { offset: 12_000_000 })
  }
}

const { values } = parseArgs({ options: { child: { type: 'string' }, directory: { type: 'string' } } })
if (values.child === undefined) {
  report()
} else {
  await measure(values.child, String(values.directory))
}

/** Prints the rise of this process's peak, in bytes. */
async function measure(/** @type {string} */ name, /** @type {string} */ directory) {
  const workspace = new Workspace({ accesses: [{ type: 'write', path: directory }] })
  await workspace.edit('small', { kind: 'insert', content: 'x' })
  const before = process.resourceUsage().maxRSS
  await operations[name](workspace, directory)
  console.log((process.resourceUsage().maxRSS - before) * 1024)
}

/** Writes a file of about so many bytes. */
function make(/** @type {string} */ path, /** @type {number} */ size) {
  const block = line.repeat(10_000)
  const file = openSync(path, 'w')
  for (let written = 0; written < size; written += block.length) {
    writeSync(file, block)
  }
  writeSync(file, 'the one needle\n')
  closeSync(file)
}

function report() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-memory-')))
  try {
    writeFileSync(join(directory, 'small'), 'small\n')
    make(join(directory, '1gb'), 1e9)
    console.log('| operation | memory added at the peak |')
    console.log('|---|---|')
    for (const child of Object.keys(operations)) {
      make(join(directory, '10mb'), 1e7)
      const printed = execFileSync(process.execPath, [import.meta.filename, '--child', child, '--directory', directory])
      console.log(`| ${child} | ${(Number(printed) / 1e6).toFixed(1)} MB |`)
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
