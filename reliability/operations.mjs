// Every tool and every method, asked with names and values drawn at random: what calls.mjs and soak.mjs run by the thousand.
import { join } from 'node:path'

import * as api from '../index.js'
import { directories, others, secret, texts } from './random-tree.mjs'

/** Codes that an operation may end with: those of the docs, and of the kernel for names that others change meanwhile. */
const codes = new Set([
  ...['ERR_BINARY', 'ERR_CHANGED', 'ERR_ENCODING', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE', 'ERR_LINE_TOO_LONG', 'ERR_NOT_GRANTED', 'ERR_NOT_READ'],
  ...['ERR_NOT_REGULAR', 'ERR_NO_MATCH', 'ERR_OUT_OF_RANGE', 'ERR_PATTERN_LIMIT', 'ERR_ROOT', 'ERR_TOO_LARGE', 'ABORT_ERR'],
  ...['EACCES', 'EBUSY', 'EEXIST', 'EINVAL', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'ENOTEMPTY', 'ENXIO', 'EXDEV', 'ETIMEDOUT']
])

/** Words that files are made of and that are looked for. */
const words = ['alpha', 'beta', 'gamma', 'Delta', 'TODO', 'é', '\u{1f600}', '"', '$&', '\r\n', '\n', '\t']

/** A random choice. @template T @param {(below: number) => number} random @param {readonly T[]} from @returns {T} */
export const pick = (random, from) => from[random(from.length)]

/**
 * A signal that is aborted within milliseconds, every third time; else none.
 * @param {(below: number) => number} random
 */
export function sometimesAborted(random) {
  if (random(3) > 0) return undefined
  const controller = new AbortController()
  setTimeout(() => controller.abort(), random(4))
  return controller.signal
}

/**
 * Every tool and method on such a tree, by name. Each call draws new names and values.
 * @param {string} directory the tree
 * @param {(below: number) => number} random
 * @param {{ signal?: () => AbortSignal | undefined, resolveSymlinks?: boolean, durability?: 'none' | 'data' }} [options] `signal` is
 *   asked at every call of a method that takes one
 */
export function operationsOn(directory, random, { signal = () => undefined, resolveSymlinks = true, durability = 'none' } = {}) {
  const access = { type: api.AccessType.Write, path: directory }
  const workspace = new api.Workspace(new api.DirectoryConfiguration([access], ['node_modules'], resolveSymlinks, directory, undefined, ['.env']))
  const pool = new api.FilePool()
  const fileLimits = new api.FileConfiguration(undefined, undefined, undefined, durability)
  const searchLimits = new api.SearchConfiguration(1000, 1000, 200, 50_000)
  const tools = new api.FileToolPackage(workspace, searchLimits, fileLimits, pool).tools()
  tools.push(new api.ReadTool(workspace, pool))
  const reader = new api.SecureReader(directory)

  const choose = (/** @type {readonly any[]} */ from) => pick(random, from)
  const path = () => {
    const relative = `${choose(directories)}/${choose(random(3) === 0 ? others : texts)}`
    const one = random(12) === 0 ? `../${relative}` : relative
    return random(4) === 0 ? join(directory, one) : one
  }
  /** A path that was read, most of the time: only then an edit is more than a refusal. */
  const readPath = async () => {
    const one = path()
    if (random(5) > 0) await workspace.readText(one, { limits: fileLimits, pool }).catch(() => undefined)
    return one
  }
  const folder = () => choose([...directories, 'd0/inner', 'd1/out', 'd2/a.txt', 'none'])
  const text = () => Array.from({ length: random(12) }, () => choose(words)).join(choose(['', ' ', '\n']))
  const word = () => choose(words)
  const pattern = () => choose(['alpha', 'T.DO', '(a|b)+c', '\\w+$', '[', '(?=x)x', '\\.txt$', secret.slice(0, 3), 'é', '(\\w)\\1'])
  const line = () => 1 + random(5)
  /** @param {object} [more] */
  const options = (more = {}) => ({ limits: fileLimits, pool, signal: signal(), ...more })
  const edit = () =>
    choose([
      () => ({ kind: 'replaceLines', startLine: line(), endLine: line() + 2, content: text() }),
      () => ({ kind: 'insert', line: line(), content: text() }),
      () => ({ kind: 'replaceContent', oldContent: word(), content: text(), all: random(2) === 0 })
    ])()
  const query = () => ({ dir: folder(), content: pattern(), name: choose([undefined, pattern()]), maxResults: choose([undefined, 3]) })

  /** Arguments of every tool. @type {Record<string, () => Record<string, unknown> | Promise<Record<string, unknown>>>} */
  const given = {
    search_entries: () => ({ path: folder(), content_pattern: pattern(), name_pattern: choose([undefined, pattern()]) }),
    list_directory: () => ({ path: folder(), recursive: random(2) === 0 }),
    read_file: () => ({ paths: [path(), path()], start_line: line(), with_line_numbers: random(2) === 0 }),
    write_file: async () => ({ path: await readPath(), content: text() }),
    replace_file_lines: async () => ({ path: await readPath(), content: text(), start_line: line(), end_line: line() + 2 }),
    insert_file_content: async () => ({ path: await readPath(), content: text(), line: line() }),
    replace_file_content: async () => ({ paths: [await readPath(), await readPath()], old_content: word(), new_content: text(), replace_all: random(2) === 0 }),
    entry_info: () => ({ paths: [path(), folder()] }),
    delete_file: () => ({ paths: [path()], recursive: random(2) === 0 }),
    create_folder: () => ({ paths: [folder(), path()] }),
    move_file: () => ({ source: path(), destination: path() }),
    file_access_info: () => ({ paths: [path()] }),
    switch_workspace: () => ({ path: choose([directory, join(directory, '..'), join(directory, 'none')]) }),
    read: () => ({ path: path(), offset: choose([1, 2, -3, 100]), limit: 1 + random(50), line_numbers: random(2) === 0 })
  }

  /** @type {Record<string, () => Promise<unknown>>} */
  const methods = {
    readText: () => workspace.readText(path(), options({ startLine: line() })),
    writeText: async () => workspace.writeText(await readPath(), text(), options({ createOnly: random(3) === 0 })),
    edit: async () => workspace.edit(await readPath(), Array.from({ length: 1 + random(2) }, edit), options({ dryRun: random(4) === 0, diff: random(4) === 0 })),
    list: () => workspace.list(folder(), { recursive: random(2) === 0, limits: searchLimits, signal: signal() }),
    search: () => workspace.search(query(), { limits: searchLimits, signal: signal() }),
    searchBatches: async () => {
      const batches = []
      for await (const batch of workspace.searchBatches(query(), { limits: searchLimits, signal: signal() })) {
        batches.push(batch)
        if (random(4) === 0) break
      }
      return batches
    },
    walk: async () => {
      const entries = []
      for await (const entry of workspace.walk(folder(), () => undefined)) {
        entries.push(entry.filePath)
        if (random(10) === 0) break
      }
      return entries
    },
    info: () => workspace.info(path(), { pool, signal: signal() }),
    remove: () => workspace.remove(path(), { pool, recursive: random(2) === 0, signal: signal() }),
    rename: () => workspace.rename(path(), path(), { pool, signal: signal() }),
    createDirectory: () => workspace.createDirectory(path(), { pool, signal: signal() }),
    explain: async () => workspace.explain(path(), choose([api.AccessType.Read, api.AccessType.Write])),
    secureRead: () => reader.read(path(), { offset: line(), limit: 1 + random(50), signal: signal() })
  }

  return {
    ...Object.fromEntries(
      tools.map((tool) => {
        const draw = given[tool.name]
        if (draw === undefined) throw new Error(`nothing is drawn for the tool ${tool.name}`)
        return [tool.name, async () => tool.execute(await draw())]
      })
    ),
    ...methods
  }
}

/**
 * Runs an operation and says how it ended, or what is wrong with that.
 * @param {() => Promise<unknown>} operation
 * @returns {Promise<{ done: boolean, text: string, fault?: string }>} `text` is all that was answered
 */
export async function attempt(operation) {
  try {
    const text = JSON.stringify(await operation()) ?? ''
    return { done: true, text, ...(text.includes(secret) ? { fault: `it shows what is outside: ${text.slice(0, 300)}` } : {}) }
  } catch (error) {
    const text = `${error.code ?? error.name}: ${error.message}`
    const isKnown = codes.has(error.code) || error.name === 'AbortError' || error instanceof SyntaxError
    if (!isKnown) return { done: false, text, fault: `no known error: ${error.stack}` }
    return { done: false, text, ...(text.includes(secret) ? { fault: `it shows what is outside: ${text}` } : {}) }
  }
}
