// Small answers about single files: here the cost of a call shows, not that of the disk.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { makeKits, pair, resolvedAgainstFollowed } from '../contenders.mjs'

/** Exactly 4 KiB of text in lines of 64 bytes. */
const text = `${'A line of a small source file, as agents read them all day. '.padEnd(63, '.')}\n`.repeat(64)

/**
 * @param {string} directory where the files are made
 * @returns {import('../measure.mjs').Case[]}
 */
export function fileCases(directory) {
  const folder = join(directory, 'small')
  mkdirSync(folder)
  const paths = Array.from({ length: 100 }, (_, file) => `file-${file}.txt`)
  for (const path of [...paths, 'looked-at.txt']) {
    writeFileSync(join(folder, path), text)
  }
  const grants = [{ right: 'Write', path: folder }]
  const kits = makeKits(grants)
  return [
    {
      name: 'read_file: 4 KB',
      unit: 'us',
      bar: 0.2,
      samples: 25,
      calls: 40,
      ...pair(kits, ({ call }) => call('read_file', { paths: [paths[0]] }))
    },
    {
      name: 'read_file: 100 paths of 4 KB',
      unit: 'us',
      bar: 0.15,
      samples: 25,
      calls: 4,
      ...pair(kits, ({ call }) => call('read_file', { paths }))
    },
    ...[1, 100].map((count) => ({
      name: `read_file with links resolved: ${count === 1 ? '4 KB' : '100 paths of 4 KB'}`,
      unit: /** @type {const} */ ('us'),
      bar: 1.15,
      samples: 25,
      calls: count === 1 ? 40 : 4,
      ...resolvedAgainstFollowed(grants, ({ call }) => call('read_file', { paths: paths.slice(0, count) }))
    })),
    {
      name: 'entry_info: 1 path',
      unit: 'us',
      bar: 0.5,
      samples: 25,
      calls: 100,
      ...pair(kits, ({ call }) => call('entry_info', { paths: ['looked-at.txt'] }))
    }
  ]
}
