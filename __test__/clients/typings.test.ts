import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { run, type Finished } from './support/command.js'
import { packageRoot, removeDirectory, temporaryDirectory } from './support/scratch-project.js'

const scope = '@johannes.latzel'
const fixture = fileURLToPath(new URL('./fixtures/published-code.ts', import.meta.url))

/** Compiles a copy of the published-code fixture, strictly, in a directory of its own. */
async function compile(directory: string): Promise<Finished> {
  await cp(fixture, join(directory, 'published-code.ts'))
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc')
  // What lies outside this package (Node's and OpenAI's typings) is not what is asked about.
  const args = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'ES2023', '--module', 'NodeNext', '--types', 'node']
  return run(process.execPath, [tsc, ...args, 'published-code.ts'], { cwd: directory, timeout: 120_000 })
}

/** Makes `directory/node_modules`: the packages of this project, with `aliases` resolving to us. */
async function layOut(directory: string, aliases: string[]): Promise<void> {
  const modules = join(directory, 'node_modules')
  const installed = join(packageRoot, 'node_modules')
  await mkdir(join(modules, scope), { recursive: true })
  // Copies, where a link would have the compiler resolve imports from this project's own folder.
  for (const name of ['llm-chat', 'llm-chat-file', 'llm-chat-shell', 'llm-chat-workspace']) {
    if (!aliases.includes(name)) {
      await cp(join(installed, scope, name), join(modules, scope, name), { recursive: true, dereference: true })
    }
  }
  for (const name of ['@types', 'async-mutex', 'openai', 'undici-types']) {
    await symlink(join(installed, name), join(modules, name), 'junction')
  }
  for (const name of aliases) {
    const target = join(modules, scope, name)
    await mkdir(target, { recursive: true })
    const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as { files: string[] }
    const typings = ['package.json', ...manifest.files.filter((file) => /^dist$|^(index|engine)\./.test(file))]
    for (const file of typings) {
      await cp(join(packageRoot, file), join(target, file), { recursive: true })
    }
  }
}

describe('TypeScript written for the published packages', () => {
  let directory: string | undefined

  beforeAll(async () => {
    directory = await temporaryDirectory()
  })
  afterAll(() => removeDirectory(directory))

  it.each([
    ['the published packages', []],
    ['this package as the workspace package', ['llm-chat-workspace']],
    ['this package under both names', ['llm-chat-workspace', 'llm-chat-file']]
  ])('compiles against %s', async (label, aliases) => {
    const place = join(directory ?? '', String(aliases.length))
    await layOut(place, aliases)
    expect(await compile(place), label).toMatchObject({ code: 0, stdout: '' })
  }, 180_000)
})
