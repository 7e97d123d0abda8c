// Does the operations that system calls fail under: reads one as a line of JSON, answers with a line of JSON.
//
//   node reliability/faulted.mjs engine|tools GRANT…
import { createInterface } from 'node:readline'

import * as api from '../index.js'

const [through, ...grants] = process.argv.slice(2)
const workspace = new api.Workspace(new api.DirectoryConfiguration(grants.map((path) => ({ type: api.AccessType.Write, path }))))

/** @typedef {{ path: string, to?: string, text?: string, durability?: 'full', hardLinks?: 'keep' }} Arguments */

/** @type {Record<string, (pool: api.FilePool, args: Arguments) => Promise<unknown>>} */
const byEngine = {
  read: (pool, { path }) => workspace.readText(path, { pool }),
  write: (pool, { path, text, durability, hardLinks }) => workspace.writeText(path, text, { pool, durability, hardLinks }),
  blind: (_, { path, text }) => workspace.writeText(path, text),
  edit: (pool, { path, text, hardLinks }) => workspace.edit(path, { kind: 'replaceContent', oldContent: 'old', content: text }, { pool, hardLinks }),
  move: (pool, { path, to }) => workspace.rename(path, to, { pool }),
  delete: (pool, { path }) => workspace.remove(path, { pool }),
  create: (_, { path }) => workspace.createDirectory(path)
}

/** @type {typeof byEngine} */
const byTools = {
  read: (pool, { path }) => call(pool, 'read_file', { paths: [path] }),
  write: (pool, { path, text, ...how }) => call(pool, 'write_file', { path, content: text }, how),
  blind: (_, { path, text }) => call(undefined, 'write_file', { path, content: text }),
  edit: (pool, { path, text, ...how }) => call(pool, 'replace_file_content', { paths: [path], old_content: 'old', new_content: text }, how),
  move: (pool, { path, to }) => call(pool, 'move_file', { source: path, destination: to }),
  delete: (pool, { path }) => call(pool, 'delete_file', { paths: [path] }),
  create: (pool, { path }) => call(pool, 'create_folder', { paths: [path] })
}

/**
 * @param {api.FilePool | undefined} pool
 * @param {string} name
 * @param {object} args
 * @param {{ durability?: 'full', hardLinks?: 'keep' }} [how]
 */
async function call(pool, name, args, { durability, hardLinks } = {}) {
  const limits = new api.FileConfiguration(undefined, undefined, pool !== undefined, durability, hardLinks)
  const tool = new api.FileToolPackage(workspace, undefined, limits, pool).tools().find((one) => one.name === name)
  for (const { status, result } of await tool.execute(args)) {
    if (status !== 'success') throw new Error(result)
  }
}

const ways = through === 'tools' ? byTools : byEngine
let pool = new api.FilePool()
console.log('"ready"')
for await (const line of createInterface(process.stdin)) {
  const { kind, ...args } = JSON.parse(line)
  if (kind === 'read') pool = new api.FilePool()
  try {
    await ways[kind](pool, args)
    console.log(JSON.stringify({ done: true }))
  } catch (error) {
    console.log(JSON.stringify({ done: false, message: error.message, code: error.code, path: error.path, dest: error.dest }))
  }
}
