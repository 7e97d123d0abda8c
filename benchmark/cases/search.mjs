// Search of contents, beside ripgrep and beside the published tool.
import { Buffer } from 'node:buffer'
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { rgPath } from '@vscode/ripgrep'

import { Workspace as Engine } from '../../engine.js'
import { isBinary, SearchConfiguration } from '../../index.js'
import { makeDefaultKits, makeKits, noLimit, pair } from '../contenders.mjs'

/** Patterns with the highest ratio to ripgrep that passes. */
const beside = [
  { pattern: 'PM_RESUME', bar: 0.75 },
  { pattern: 'TODO|FIXME', bar: 0.75 },
  { pattern: 'zzzqqqnotthere', bar: 0.75 },
  { pattern: '\\bstruct \\w+_ops\\b', bar: 0.9 },
  { pattern: '[a-z_]+_register\\(', bar: 0.9 },
  { pattern: '\\p{Lu}\\w+Error', bar: 0.9 }
]

/** Patterns that the published tool is held against; ripgrep cannot run the last. */
const published = ['PM_RESUME', 'TODO|FIXME', 'unwrap(?!_or)']

/** Entries that a search with default limits may look at, less a few. */
const defaultEntries = 4900

/**
 * Runs ripgrep on all files, hidden and ignored ones too.
 * @param {string[]} more
 * @param {string} pattern
 * @param {string} tree
 * @param {'ignore' | 'pipe'} output
 * @returns {Promise<string>} what it printed
 */
function ripgrep(more, pattern, tree, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(rgPath, ['-n', '-i', '-uu', ...more, pattern, tree], { stdio: ['ignore', output, 'inherit'] })
    /** @type {Buffer[]} */
    const printed = []
    child.stdout?.on('data', (part) => printed.push(part))
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(printed).toString()))
  })
}

/**
 * The pattern with the word characters of JavaScript, which are ASCII; ripgrep's are those of Unicode.
 * @param {string} pattern
 */
function inAscii(pattern) {
  return pattern.replaceAll(/\\[wb]/g, '(?-u:$&)')
}

/**
 * Places as `path:line`, in one order, but for those in files that are binary by our rule: ripgrep's is another.
 * @param {{path: string, line: number | string}[]} places
 */
async function comparable(places) {
  /** @type {Map<string, boolean>} */
  const binary = new Map()
  for (const { path } of places) {
    if (!binary.has(path)) {
      binary.set(path, await isBinary(path))
    }
  }
  return places.filter(({ path }) => !binary.get(path)).map(({ path, line }) => `${path}:${line}`).sort()
}

/**
 * How many matches an answer of search_entries tells of: the published tool shows none where it met many entries.
 * @param {{result: string}[]} answers
 */
function matches([{ result }]) {
  if (result === 'No matching entries found') {
    return 0
  }
  const told = /found (\d+) matches/.exec(result)
  return told === null ? result.split('\n').length : Number(told[1])
}

/**
 * The directory beneath `tree` with the most entries beneath it that are no more than `most`.
 * @param {string} tree
 * @param {number} most
 */
function subtree(tree, most) {
  let best = { path: tree, count: 0 }
  /** @param {string} path */
  const count = (path) => {
    let sum = 0
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      sum += 1 + (entry.isDirectory() ? count(join(path, entry.name)) : 0)
    }
    if (sum <= most && sum > best.count) {
      best = { path, count: sum }
    }
    return sum
  }
  count(tree)
  return best
}

/**
 * @param {string} tree a directory with many files that have lines
 * @returns {import('../measure.mjs').Case[]}
 */
export function searchCases(tree) {
  const grants = [{ right: /** @type {const} */ ('Read'), path: tree }]
  const engine = new Engine({ accesses: [{ type: 'read', path: tree }] })
  const limits = new SearchConfiguration(noLimit, noLimit, noLimit, 600_000)
  /** @param {string} content */
  const search = (content) => engine.search({ content }, { limits, maxFileSize: Infinity })
  const kits = makeKits(grants)
  const small = subtree(tree, defaultEntries)
  const defaults = makeDefaultKits(grants)
  /** @param {{path: string, line?: number}} result */
  const place = ({ path, line }) => ({ path, line: line ?? 0 })
  return [
    ...beside.map(({ pattern, bar }) => ({
      name: `search: ${pattern}`,
      unit: /** @type {const} */ ('ms'),
      bar,
      samples: 9,
      calls: 1,
      rival: 'ripgrep',
      contenders: {
        ripgrep: {
          run: () => ripgrep([], pattern, tree, 'ignore'),
          answer: async () => {
            const options = ['--null', '--no-heading', '--max-columns=1']
            const printed = await ripgrep(options, inAscii(pattern), tree, 'pipe')
            const places = printed.split('\n').filter((line) => line.includes('\0'))
            return comparable(
              places.map((line) => {
                const [path, rest] = line.split('\0')
                return { path, line: rest.slice(0, rest.indexOf(':')) }
              })
            )
          }
        },
        native: {
          run: () => search(pattern),
          answer: async () => comparable((await search(pattern)).results.map(place))
        }
      }
    })),
    {
      name: `search_entries: default limits, ${String(small.count)} entries`,
      unit: 'ms',
      bar: 1 / 60,
      samples: 9,
      calls: 1,
      ...pair(
        defaults,
        ({ call }) => call('search_entries', { path: small.path, content_pattern: 'zzzqqqnotthere' }),
        async ({ call }) => matches(await call('search_entries', { path: small.path, content_pattern: 'zzzqqqnotthere' }))
      )
    },
    {
      name: 'search_entries: e, max_results 50',
      unit: 'ms',
      bar: 2,
      samples: 15,
      calls: 10,
      gap: 5,
      ...pair(defaults, ({ call }) => call('search_entries', { path: tree, content_pattern: 'e', max_results: 50 }))
    },
    ...published.map((pattern) => ({
      name: `search_entries: ${pattern}, limits raised`,
      unit: /** @type {const} */ ('ms'),
      bar: 1 / 80,
      samples: 2,
      warmUp: 0,
      calls: 1,
      ...pair(kits, ({ call }) => call('search_entries', { path: tree, content_pattern: pattern }))
    }))
  ]
}
