// An attacker flips names between what is inside and links that lead out, while tools use them: nothing outside may be seen or
// changed, with links resolved.
//
//   node reliability/races.mjs [--flips N]
//
// For every kind of operation each of two names is flipped N times, by a program of its own (cargo builds it). Ends with 1 if
// anything leaked.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import * as api from '../index.js'

const { values } = parseArgs({ options: { flips: { type: 'string', default: '500000' } } })
const flips = Number(values.flips)

const root = join(import.meta.dirname, '..')
const flip = ['run', '--quiet', '-p', 'llm-chat-file-core', '--example', 'flip', '--']

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-races-')))
const grant = join(scratch, 'grant')
const outside = join(scratch, 'outside')
const secret = 'TOPSECRET'

/** Makes everything anew. */
function reset() {
  rmSync(grant, { recursive: true, force: true })
  rmSync(outside, { recursive: true, force: true })
  mkdirSync(join(outside, 'tree/deep'), { recursive: true })
  for (const name of ['secret.txt', 'tree/secret.txt', 'tree/deep/secret.txt']) {
    writeFileSync(join(outside, name), secret)
  }
  mkdirSync(join(grant, 'sub/tree/deep'), { recursive: true })
  for (const name of ['leaf.txt', 'sub/secret.txt', 'sub/tree/secret.txt', 'sub/tree/deep/secret.txt', 'source.txt']) {
    writeFileSync(join(grant, name), 'inside')
  }
  symlinkSync('../outside', join(grant, 'sub.link'))
  symlinkSync('../outside/secret.txt', join(grant, 'leaf.txt.link'))
}

/** Everything outside, as text. */
const around = () =>
  readdirSync(outside, { recursive: true, withFileTypes: true })
    .map((entry) => `${entry.parentPath}/${entry.name} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'utf8') : ''}`)
    .sort()
    .join('\n')

const limits = new api.FileConfiguration(undefined, undefined, false, 'none')
const access = { type: api.AccessType.Write, path: grant }
const workspace = new api.Workspace(new api.DirectoryConfiguration([access], [], true))
const tools = new Map(new api.FileToolPackage(workspace, undefined, limits).tools().map((tool) => [tool.name, tool]))
/** @param {string} name @param {object} args */
const call = (name, args) => tools.get(name).execute(args)

/** What is done while names flip; `tries` counts. */
let tries = 0
/** @type {Record<string, () => Promise<import('@johannes.latzel/llm-chat').ToolResult[]>>} */
const operations = {
  'read beneath a directory': () => call('read_file', { paths: ['sub/secret.txt', 'sub/tree/deep/secret.txt'] }),
  'read a file': () => call('read_file', { paths: ['leaf.txt'] }),
  'write beneath a directory': () => call('write_file', { path: 'sub/written.txt', content: 'written' }),
  'write a file': () => call('write_file', { path: 'leaf.txt', content: 'inside' }),
  'edit': () => call('replace_file_content', { paths: ['sub/secret.txt'], old_content: 'i', new_content: 'i' }),
  'make directories': () => call('create_folder', { paths: [`sub/made/${tries % 50}/deep`] }),
  'list': () => call('list_directory', { path: 'sub', recursive: true }),
  'search': () => call('search_entries', { path: '.', content_pattern: secret }),
  'delete a tree': async () => {
    const results = await call('delete_file', { paths: ['sub/tree'], recursive: true })
    await call('write_file', { path: 'sub/tree/deep/secret.txt', content: 'inside' })
    return results
  },
  'move into': async () => {
    const results = await call('move_file', { source: 'source.txt', destination: `sub/moved-${tries}.txt` })
    await call('delete_file', { paths: [`sub/moved-${tries}.txt`] })
    await call('write_file', { path: 'source.txt', content: 'inside' })
    return results
  },
  'move out of': async () => {
    const results = await call('move_file', { source: 'sub/secret.txt', destination: 'taken.txt' })
    const [taken] = await call('read_file', { paths: ['taken.txt'] })
    await call('delete_file', { paths: ['taken.txt'] })
    await call('write_file', { path: 'sub/secret.txt', content: 'inside' })
    return [...results, taken]
  }
}

const faults = []
let total = 0
try {
  for (const [name, operation] of Object.entries(operations)) {
    reset()
    const before = around()
    const names = [join(grant, 'sub'), join(grant, 'leaf.txt')]
    let isFlipping = true
    const flipper = spawn('cargo', [...flip, String(flips), ...names], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    const flipped = new Promise((resolve, reject) => {
      flipper.once('error', reject)
      flipper.once('exit', (code) => {
        isFlipping = false
        if (code === 0) resolve(undefined)
        else reject(new Error(`the flipping program ended with ${code}`))
      })
    })
    let leaks = 0
    let done = 0
    for (tries = 0; isFlipping; tries += 1) {
      const results = await operation()
      // Small reads are answered at once; the flipping program's end is heard only in between.
      await pause()
      leaks += results.filter(({ result }) => result.replaceAll(`'${secret}'`, '').includes(secret)).length
      done += results.filter(({ status }) => status === 'success').length
    }
    await flipped
    total += flips * names.length
    const isChanged = around() !== before
    if (leaks > 0 || isChanged) {
      faults.push(`${name}: ${leaks} leaks${isChanged ? ', and the outside was changed' : ''}`)
    }
    console.log(`${name}: ${flips * names.length} flips, ${tries} calls, ${done} successes, ${leaks} leaks, outside ${isChanged ? 'CHANGED' : 'unchanged'}`)
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
console.log(faults.length === 0 ? `nothing leaked in ${total} flips` : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
