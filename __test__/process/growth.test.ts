import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runOrThrow } from '../clients/support/command.js'
import { packageRoot, removeDirectory, temporaryDirectory } from '../clients/support/scratch-project.js'

interface Sample {
  rss: number
  heapUsed: number
  external: number
  descriptors: number
  threads: number
}

const entry = pathToFileURL(join(packageRoot, 'index.js')).href
const program = (name: string): string => fileURLToPath(new URL(`./programs/${name}`, import.meta.url))
const mebibyte = 1024 * 1024

/** Rounds before the first sample that counts: caches, compiled code and pools fill up. */
const warmUp = 3
const counted = 10
const perRound = 1000

let directory: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  await writeFile(join(directory, 'small.txt'), 'small')
})
afterAll(() => removeDirectory(directory))

/** Runs a program of this folder with the garbage collector exposed. */
async function runProgram<Answer>(name: string, args: (string | number)[]): Promise<Answer> {
  const words = ['--expose-gc', program(name), entry, directory, ...args.map(String)]
  return JSON.parse(await runOrThrow(process.execPath, words, { timeout: 280_000 })) as Answer
}

/** Middle of an odd number of values. */
function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Median of the last three samples less that of the first three that count. */
function growth(samples: Sample[], field: keyof Sample): number {
  const values = samples.slice(warmUp).map((sample) => sample[field])
  return median(values.slice(-3)) - median(values.slice(0, 3))
}

describe.each(['main', 'worker'])('10,000 Workspaces made and dropped in a thread: %s', (thread) => {
  let answer: { samples: Sample[]; made: number; collected: number }

  beforeAll(async () => {
    answer = await runProgram('growth.mjs', [warmUp + counted, perRound, thread])
  }, 300_000)

  it('are collected', () => {
    expect(answer.made).toBe((warmUp + counted) * perRound)
    expect(answer.collected).toBeGreaterThan(answer.made * 0.99)
  })

  // 7,000 Workspaces lie between the samples compared. Each has 25 grants of 200 bytes, so one that
  // kept its policy would cost 40 MiB, and one that kept a JavaScript object of 300 bytes 2 MiB.
  it('leave no growth of memory', () => {
    expect(growth(answer.samples, 'heapUsed')).toBeLessThan(1.5 * mebibyte)
    expect(growth(answer.samples, 'external')).toBeLessThan(mebibyte)
    expect(growth(answer.samples, 'rss')).toBeLessThan(16 * mebibyte)
  })

  it('leave no descriptor and no thread', () => {
    expect(growth(answer.samples, 'descriptors')).toBeLessThanOrEqual(2)
    // The addon's pool grows to its 16 threads when it pleases.
    expect(growth(answer.samples, 'threads')).toBeLessThanOrEqual(16)
  })
})

describe('fresh worker threads', () => {
  interface WorkersAnswer {
    before: boolean
    ended: { code: number; answer?: boolean }[]
    descriptors: number[]
    threads: number[]
    after: boolean
  }
  let answer: WorkersAnswer

  beforeAll(async () => {
    answer = await runProgram('workers.mjs', [24])
  }, 300_000)

  it('use the package and end by themselves, or when they are told to in the middle of calls', () => {
    expect(answer.before).toBe(true)
    expect(answer.ended.map((worker) => worker.answer)).toEqual(answer.ended.map(() => true))
    // A thread that was terminated ends with 1, one that came to its end with 0.
    expect(answer.ended.map((worker) => worker.code)).toEqual(answer.ended.map((_, index) => index % 2))
    expect(answer.after).toBe(true)
  })

  it('leave no descriptor and no thread behind', () => {
    const more = (values: number[]): number => median(values.slice(-5)) - (values[0] ?? Number.NaN)
    expect(more(answer.descriptors)).toBeLessThanOrEqual(4)
    expect(more(answer.threads)).toBeLessThanOrEqual(4)
  })
})
