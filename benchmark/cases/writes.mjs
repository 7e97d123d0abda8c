// Writes and edits. Each package has files of its own, so that neither finds its files changed by the other.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { makeWritingKits } from '../contenders.mjs'

/** Exactly 4 KiB of text in lines of 64 bytes. */
const small = `${'A line of a small source file, as agents write them all day. '.padEnd(63, '.')}\n`.repeat(64)

/** 90 KB in 1,000 lines. */
const lines = 1000
const large = `${'const answer = compute(question)'.padEnd(89, ' ')}\n`.repeat(lines)

/** Files that are written in turn: a file that is written again at once costs a truncating writer more. */
const files = 100

/**
 * Contenders that write beneath directories of their own.
 * @param {string} directory
 * @param {import('../../index.js').Durability} durability
 * @param {(kit: import('../contenders.mjs').Kit, folder: string) => () => Promise<unknown>} prepare gives the call to measure
 */
function apart(directory, durability, prepare) {
  const kits = makeWritingKits([{ right: 'Write', path: directory }], durability)
  const contenders = Object.entries(kits).map(([name, kit]) => {
    const folder = join(directory, name, durability)
    mkdirSync(folder, { recursive: true })
    const run = prepare(kit, folder)
    const answer = async () => JSON.stringify(await run()).replaceAll(folder, '')
    return [name, { run, answer }]
  })
  return { rival: 'published', contenders: Object.fromEntries(contenders) }
}

/**
 * @param {string} directory
 * @param {import('../../index.js').Durability} durability
 */
function writing(directory, durability) {
  return apart(directory, durability, ({ call }, folder) => {
    let count = 0
    return () => {
      count += 1
      return call('write_file', { path: join(folder, `file-${(count % files) + 1}.txt`), content: small })
    }
  })
}

/**
 * @param {string} directory
 * @param {import('../../index.js').Durability} durability
 */
function editing(directory, durability) {
  return apart(directory, durability, ({ call }, folder) => {
    const path = join(folder, 'edited.txt')
    const made = call('write_file', { path, content: large })
    return async () => {
      await made
      let answer
      for (let line = 1; line <= lines; line += 1) {
        const content = `const line${String(line)} = compute(question)`.padEnd(89, ' ')
        answer = await call('replace_file_lines', { path, start_line: line, end_line: line, content })
      }
      return answer
    }
  })
}

/**
 * @param {string} directory where the files are made
 * @returns {import('../measure.mjs').Case[]}
 */
export function writeCases(directory) {
  const folder = join(directory, 'written')
  return [
    { name: 'write_file: 4 KB, not flushed', unit: 'us', bar: 1, samples: 25, calls: 100, ...writing(folder, 'none') },
    { name: 'write_file: 4 KB, flushed as by default', unit: 'us', samples: 9, calls: 100, ...writing(folder, 'data') },
    { name: '1,000 line edits of 90 KB, not flushed', unit: 'ms', bar: 0.3, samples: 5, calls: 1, warmUp: 1, ...editing(folder, 'none') },
    { name: '1,000 line edits of 90 KB, flushed', unit: 'ms', samples: 5, calls: 1, warmUp: 1, ...editing(folder, 'data') }
  ]
}
