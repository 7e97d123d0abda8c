import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { run } from '../clients/support/command.js'
import { packageRoot, removeDirectory, temporaryDirectory } from '../clients/support/scratch-project.js'

const entry = pathToFileURL(join(packageRoot, 'index.js')).href
let directory: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  await writeFile(join(directory, 'small.txt'), 'small')
})
afterAll(() => removeDirectory(directory))

/** What a program does after it made `workspace`, whose hook it keeps. */
const programs: [name: string, body: string][] = [
  ['drops a Workspace with a hook', ''],
  ['switched, and the hook ran', 'await workspace.switchWorkspace(process.cwd())'],
  ['read a file', "await new api.ReadFileTool(workspace).execute({ paths: ['small.txt'] })"],
  ['used the package of all tools', "await new api.FileToolPackage(workspace).tools()[1].execute({ path: '.' })"],
  ['abandons a walk', "await workspace.walk('.').next()"],
  ['does not wait for its last call', "void new api.ReadFileTool(workspace).execute({ paths: ['small.txt'] })"]
]

it.each(programs)('a program exits by itself when it %s', async (_, body) => {
  const code = `
    import * as api from ${JSON.stringify(entry)}
    let heard = 0
    const access = { type: api.AccessType.Write, path: process.cwd() }
    let workspace = new api.Workspace(new api.DirectoryConfiguration([access]), () => { heard += 1 })
    ${body}
    workspace = undefined
    process.on('exit', (code) => { console.log('left with', code) })`
  const finished = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: directory, timeout: 30_000 })
  expect(finished).toEqual({ code: 0, stdout: 'left with 0\n', stderr: '' })
}, 40_000)
