import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { runOrThrow } from '../clients/support/command.js'
import { installTimeout, packOurs, removeDirectory, temporaryDirectory } from '../clients/support/scratch-project.js'

interface EngineAnswer {
  exports: string[]
  text: string
  names: string[]
  written: string
  /** What became of an import of the package's root entry. */
  whole: string
}

let directory: string | undefined
let answer: EngineAnswer

beforeAll(async () => {
  directory = await temporaryDirectory()
  const tarball = await packOurs(directory)
  // Unpacked by hand: npm would install the peer dependency that must be out of reach here.
  const place = join(directory, 'node_modules/llm-chat-file-native')
  await mkdir(place, { recursive: true })
  await runOrThrow('tar', ['-xzf', tarball, '-C', place, '--strip-components=1'])
  const program = join(directory, 'engine-alone.mjs')
  await copyFile(fileURLToPath(new URL('./programs/engine-alone.mjs', import.meta.url)), program)
  answer = JSON.parse(await runOrThrow(process.execPath, [program], { cwd: directory })) as EngineAnswer
}, installTimeout)

afterAll(() => removeDirectory(directory))

it('the engine works where llm-chat is not installed', () => {
  expect(answer).toMatchObject({ text: 'one\ntwo\n', names: ['a.txt', 'b.txt'], written: 'three\n' })
})

it('the root entry needs llm-chat, so the engine did not load it', () => {
  expect(answer.whole).toMatch(/^ERR_MODULE_NOT_FOUND: .*@johannes\.latzel\/llm-chat/)
})

it('exports the engine and no tool', () => {
  expect(answer.exports).toEqual(expect.arrayContaining(['AccessType', 'DirectoryConfiguration', 'FilePool', 'SecureReader', 'Workspace']))
  expect(answer.exports.filter((name) => name.includes('Tool'))).toEqual([])
})
