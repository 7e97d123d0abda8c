import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { describe, expect, it } from 'vitest'

import { runOrThrow } from '../clients/support/command.js'
import { packageRoot } from '../clients/support/scratch-project.js'
import { temporaryDirectory } from '../support/tree.js'

interface Answer {
  pages: { lines: number; total: number; read: number }[]
  /** Rise of the largest resident memory, in bytes. */
  grown: number
}

const mebibyte = 1024 * 1024
const entry = pathToFileURL(join(packageRoot, 'index.js')).href
const program = fileURLToPath(new URL('./programs/paging.mjs', import.meta.url))

async function page(file: string, ...offsets: number[]): Promise<Answer> {
  return JSON.parse(await runOrThrow(process.execPath, [program, entry, file, ...offsets.map(String)])) as Answer
}

/** A file of lines of 32 bytes. */
async function fileOf(lines: number): Promise<string> {
  const file = join(temporaryDirectory(), 'large.log')
  const handle = await open(file, 'w')
  const block = Buffer.from(`${'x'.repeat(31)}\n`.repeat(mebibyte / 32))
  for (let written = 0; written < lines; written += mebibyte / 32) await handle.write(block)
  await handle.close()
  return file
}

describe.skipIf(process.platform !== 'linux')('pages of a large file', () => {
  it('take memory for the page, not for the file', async () => {
    const lines = (256 * mebibyte) / 32
    const { pages, grown } = await page(await fileOf(lines), lines - 9, 1)
    expect(pages.map(({ lines, total }) => [lines, total])).toEqual([[10, lines], [12, lines]])
    expect(grown).toBeLessThan(20 * mebibyte)
  }, 60_000)

  it('are found without what lies before them, once the file has been read', async () => {
    // Long unchanged: what has just been written is read again, in case its times hide a change.
    const file = join(packageRoot, 'node_modules/typescript/lib/typescript.js')
    const { pages } = await page(file, 1, 150_000, 2, 75_000, 199_000)
    const [first, ...later] = pages
    expect(first?.read).toBeGreaterThan(8 * mebibyte)
    for (const { read } of later) expect(read).toBeLessThan(mebibyte)
  })
})
