// A storm of edits of one file: whatever was acknowledged must be in the file, once, and the file must be whole.
//
//   node reliability/edits.mjs [--rounds N] [--saves N] [--seed N]
//
// Every kind of storm runs for N rounds of two to eight edits at once; then another program saves the file N times between
// edits, and N times a file is changed behind the pool's back in ways that time stamps hide. Ends with 1 if anything was lost.
import { execFile } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'

import * as api from '../index.js'
import { makeEditor } from './editor.mjs'
import { copyPackage } from './package-copy.mjs'
import { randomFrom } from './random.mjs'

/** @typedef {import('./editor.mjs').Said} Said */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    saves: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' }
  }
})
const rounds = Number(values.rounds)
const saves = Number(values.saves)
const random = randomFrom(Number(values.seed))

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-edits-')))
const directory = join(scratch, 'granted')
const file = join(directory, 'deep', 'a.txt')
mkdirSync(join(directory, 'deep'), { recursive: true })
symlinkSync('deep', join(directory, 'linked'))
symlinkSync('deep/a.txt', join(directory, 'link.txt'))

/** Spellings of the one file. */
const spellings = ['deep/a.txt', './deep/a.txt', 'deep/../deep/a.txt', file, 'linked/a.txt', 'link.txt', 'deep//a.txt', `${directory}/./linked/../deep/a.txt`]

const faults = []
let serial = 0

/** Tokens for a round. */
const tokens = () => Array.from({ length: 2 + random(7) }, () => `token-${(serial += 1)}`)

/** Makes the file, again as new and with its other names gone. */
function reset() {
  rmSync(file, { force: true })
  writeFileSync(file, 'first\nlast\n')
}

/**
 * Holds a file against what was said about it.
 * @param {string} where
 * @param {Said[]} said
 * @param {{ all?: boolean }} [options] whether every edit must have been acknowledged
 */
function judge(where, said, { all = false } = {}) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const isWhole = lines[0] === 'first' && lines.at(-2) === 'last' && lines.at(-1) === ''
  if (!isWhole) {
    faults.push(`${where}: the file is not whole: ${JSON.stringify(lines.join('\n'))}`)
  }
  const inserted = lines.slice(1, -2)
  for (const token of new Set(said.map((one) => one.token))) {
    const times = inserted.filter((line) => line === token).length
    const acknowledged = said.filter((one) => one.token === token && one.done).length
    if (times !== acknowledged) {
      faults.push(`${where}: ${token} was acknowledged ${acknowledged} times and is there ${times} times`)
    }
  }
  const refused = said.find(({ done }) => !done)
  if (all && refused !== undefined) {
    faults.push(`${where}: ${refused.token} was refused: ${refused.text}`)
  }
  const expected = said.filter(({ done }) => done).length
  if (inserted.length !== expected) {
    faults.push(`${where}: ${inserted.length} lines for ${expected} edits`)
  }
}

/**
 * @param {string} name
 * @param {() => Promise<Said[]>} round
 * @param {{ all?: boolean, times?: number }} [options]
 */
async function storm(name, round, { all = false, times = rounds } = {}) {
  let [edits, done] = [0, 0]
  for (let count = 0; count < times; count += 1) {
    reset()
    const said = await round()
    judge(name, said, { all })
    edits += said.length
    done += said.filter((one) => one.done).length
  }
  console.log(`${name}: ${times} rounds, ${edits} edits, ${done} applied, ${edits - done} refused`)
}

const editor = makeEditor(api, directory)
const strict = makeEditor(api, directory, { resolveSymlinks: true })
const keeping = makeEditor(api, directory, { hardLinks: 'keep' })

await storm('one call, many spellings', async () => {
  await editor.read('deep/a.txt')
  const paths = spellings.slice(0, 2 + random(7))
  const token = `token-${(serial += 1)}`
  const answers = await editor.call('replace_file_content', { paths, old_content: 'first\n', new_content: `first\n${token}\n` })
  return answers.map(({ status, result }) => ({ token, done: status === 'success', text: result }))
}, { all: true })

for (const [name, one] of [['several calls', editor], ['several calls, links resolved', strict]]) {
  await storm(name, async () => {
    await one.read('deep/a.txt')
    return Promise.all(tokens().map((token, way) => one.insert('deep/a.txt', token, way)))
  }, { all: true })
  await storm(`${name}, other spellings and links`, async () => {
    await one.read('link.txt')
    return Promise.all(tokens().map((token, way) => one.insert(spellings[random(spellings.length)], token, way)))
  }, { all: true })
}

await storm('hard links that are kept', async () => {
  const names = ['deep/a.txt', 'deep/b.txt', 'c.txt']
  for (const name of names.slice(1)) {
    rmSync(join(directory, name), { force: true })
    linkSync(file, join(directory, name))
  }
  return Promise.all(tokens().map((token, way) => keeping.edit(names[way % names.length], token)))
}, { all: true })

const other = makeEditor(api, directory)
await storm('two Workspaces with pools of their own', async () => {
  await Promise.all([editor.read('deep/a.txt'), other.read('deep/a.txt')])
  return Promise.all(tokens().map((token, way) => (way % 2 === 0 ? editor : other).insert('deep/a.txt', token, way)))
})

const copy = copyPackage(join(scratch, 'copy'))
const aliased = makeEditor(await import(copy), directory, { resolveSymlinks: true })
await storm('two copies of the package', async () => {
  await aliased.read('deep/a.txt')
  return Promise.all(tokens().map((token, way) => (way % 2 === 0 ? aliased.insert('deep/a.txt', token, way) : editor.edit('link.txt', token))))
})

for (const [name, entries] of [['two worker threads', ['../index.js', '../index.js']], ['two worker threads, two copies', ['../index.js', copy]]]) {
  const workers = entries.map((entry) => new Worker(join(import.meta.dirname, 'editor.mjs'), { workerData: { entry, directory } }))
  /** @param {Worker} worker @returns {Promise<Said[]>} */
  const answer = (worker) =>
    new Promise((resolve) => {
      worker.once('message', resolve)
    })
  await Promise.all(workers.map(answer))
  await storm(name, async () => {
    const answers = workers.map(answer)
    for (const worker of workers) {
      worker.postMessage({ path: 'deep/a.txt', tokens: tokens().slice(0, 4) })
    }
    return (await Promise.all(answers)).flat()
  })
  await Promise.all(workers.map((worker) => worker.terminate()))
}

// Another program saves by rename. Each save is looked for afterwards, by the program itself: one that is gone was overwritten
// by an edit that had not seen it.
reset()
let isSaving = true
const saving = new Promise((resolve, reject) => {
  execFile(process.execPath, [join(import.meta.dirname, 'saver.mjs'), file, String(saves)], (error, stdout) => {
    isSaving = false
    if (error === null) resolve(Number(stdout))
    else reject(error)
  })
})
const outcomes = { applied: 0, refused: 0 }
while (isSaving) {
  const said = await Promise.all(tokens().slice(0, 2).map(async (token, way) => {
    if (way === 0) return editor.edit('deep/a.txt', token)
    await editor.read('deep/a.txt')
    return editor.insert('deep/a.txt', token, 2)
  }))
  for (const { done, text } of said) {
    outcomes[done ? 'applied' : 'refused'] += 1
    if (!done && !/has changed since last read/.test(text)) {
      faults.push(`beside another program: ${text}`)
    }
  }
}
const lost = await saving
if (lost > 0) {
  faults.push(`${lost} saves of another program were overwritten unseen`)
}
console.log(`another program saves by rename: ${saves} saves, ${lost} lost; ${outcomes.applied} edits applied, ${outcomes.refused} refused`)

/** Changes of the file that its time stamps do not tell. */
const disguises = {
  'in the same moment as the read': () => writeFileSync(file, 'FIRST\nlast\n'),
  'with its old times put back': () => {
    const { atime, mtime } = statSync(file)
    writeFileSync(file, 'FIRST\nlast\n')
    utimesSync(file, atime, mtime)
  },
  'by a rename of an older file': () => {
    const { atime, mtime } = statSync(file)
    writeFileSync(`${file}.new`, 'FIRST\nlast\n')
    utimesSync(`${file}.new`, atime, mtime)
    renameSync(`${file}.new`, file)
  }
}
for (const [name, change] of Object.entries(disguises)) {
  let unseen = 0
  for (let save = 0; save < saves; save += 1) {
    reset()
    await editor.read('deep/a.txt')
    change()
    const [{ status }] = await editor.call('replace_file_content', { paths: ['deep/a.txt'], old_content: 'last', new_content: 'mine' })
    if (status === 'success' || readFileSync(file, 'utf8') !== 'FIRST\nlast\n') unseen += 1
  }
  if (unseen > 0) {
    faults.push(`${unseen} changes ${name} were not seen`)
  }
  console.log(`changed ${name}: ${saves} times, ${unseen} unseen`)
}

const leftover = readdirSync(join(directory, 'deep')).filter((name) => name.endsWith('.llmfs'))
if (leftover.length > 0) {
  faults.push(`temporary files: ${leftover.join(', ')}`)
}
rmSync(scratch, { recursive: true, force: true })
console.log(faults.length === 0 ? 'nothing was lost' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
