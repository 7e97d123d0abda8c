// Writes one version of a file after the other until it is killed, and tells each one that was acknowledged.
//
//   node reliability/writer.mjs FILE LINES DURABILITY engine|tools
//
// Started by kill.mjs and power-cut.mjs. `engine` loads only the engine, for a quick start.
import { readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

import { mark, textOf, versionOf } from './versions.mjs'

const [path, lineCount, durability, through] = process.argv.slice(2)
const lines = Number(lineCount)
const api = await import(through === 'tools' ? '../index.js' : '../engine.js')
const limits = new api.FileConfiguration(lines * 100, undefined, undefined, durability)
const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: api.AccessType.Write, path: dirname(path) }]))
const pool = new api.FilePool()

/** Ways to write a version over the one before, by the engine. @type {((version: number) => Promise<unknown>)[]} */
const byEngine = [
  (version) => workspace.writeText(path, textOf(version, lines), { limits, pool }),
  (version) => workspace.edit(path, { kind: 'replaceContent', oldContent: mark(version - 1), content: mark(version), all: true }, { limits, pool }),
  async (version) => {
    // A write that is not held against what was read, so the pool has to see what it left.
    await workspace.writeText(path, textOf(version, lines), { limits })
    await workspace.readText(path, { limits, pool })
  },
  (version) => workspace.edit(path, { kind: 'replaceLines', startLine: 1, endLine: lines, content: textOf(version, lines).slice(0, -1) }, { limits, pool })
]

/** The same by the tools. @returns {((version: number) => Promise<unknown>)[]} */
function byTools() {
  const tools = new api.FileToolPackage(workspace, undefined, limits, pool).tools()
  /** @param {string} name @param {object} args */
  const call = async (name, args) => {
    const answers = await tools.find((tool) => tool.name === name).execute(args)
    const failed = answers.find(({ status }) => status !== 'success')
    if (failed !== undefined) throw new Error(failed.result)
  }
  return [
    (version) => call('write_file', { path, content: textOf(version, lines) }),
    (version) => call('replace_file_content', { paths: [path], old_content: mark(version - 1), new_content: mark(version), replace_all: true }),
    (version) => call('replace_file_lines', { path, start_line: 1, end_line: lines, content: textOf(version, lines).slice(0, -1) })
  ]
}

const ways = through === 'tools' ? byTools() : byEngine
let version = Number(versionOf(readFileSync(path)))
await workspace.readText(path, { limits, pool })
writeSync(1, 'ready\n')
for (;;) {
  version += 1
  await ways[version % ways.length](version)
  writeSync(1, `${version}\n`)
}
