import { copyFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { run, runOrThrow } from '../clients/support/command.js'
import { packageRoot, removeDirectory, temporaryDirectory } from '../clients/support/scratch-project.js'

// Child processes and servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** A debug build of every dependency on a busy machine. */
const buildTimeout = 900_000

const program = fileURLToPath(new URL('./programs/panic.mjs', import.meta.url))

/** One line of cargo's output. */
interface CargoMessage {
  reason: string
  target?: { kind: string[]; name: string }
  filenames?: string[]
}

/** Builds the addon with the exports that panic, apart from the real one; gives the library's path. */
async function buildProbe(): Promise<string> {
  const target = join(packageRoot, 'target', 'panic-probe')
  const args = ['build', '--features', 'panic-probe', '--locked', '--target-dir', target]
  const output = await runOrThrow('cargo', [...args, '--message-format', 'json-render-diagnostics'], {
    cwd: packageRoot,
    timeout: buildTimeout
  })
  const messages = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CargoMessage)
  const built = messages.find(({ reason, target: made }) => reason === 'compiler-artifact' && made?.kind.includes('cdylib'))
  const library = built?.filenames?.find((file) => /\.(so|dylib|dll)$/.test(file))
  if (library === undefined) {
    throw new Error('cargo built no dynamic library')
  }
  return library
}

let directory: string | undefined
let addon: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  addon = join(directory, 'probe.node')
  await copyFile(await buildProbe(), addon)
}, buildTimeout)

afterAll(() => removeDirectory(directory))

describe('a panic reaches JavaScript as an error', () => {
  it.each([
    ['sync', 'threw'],
    ['constructor', 'threw'],
    ['getter', 'threw'],
    ['job', 'rejected'],
    ['async', 'rejected'],
    ['answer', 'rejected'],
    ['callback', 'rejected']
  ])('%s', async (kind, how) => {
    const finished = await run(process.execPath, [program, addon, kind])
    expect(finished.code, finished.stderr).toBe(0)
    const caught = JSON.parse(finished.stdout) as { how: string; isError: boolean; message: string }
    expect(caught).toMatchObject({ how, isError: true })
    expect(caught.message).toContain('probe of a')
    if (how === 'rejected') {
      expect(caught).toMatchObject({ code: 'ERR_INTERNAL_PANIC' })
    }
  })
})

it('the build that is shipped has no export that panics', () => {
  const shipped = createRequire(import.meta.url)(join(packageRoot, 'native.cjs')) as object
  expect(Object.keys(shipped).length).toBeGreaterThan(0)
  expect(Object.keys(shipped).filter((name) => /panic/i.test(name))).toEqual([])
})
