// Cuts the power of a disk at random moments while files are written to it: what comes up is one whole version.
//
//   node reliability/power-cut.mjs [--cycles N] [--seed N]
//
// The disk is an ext4 image behind a loop device. While a program writes, the image is copied N times at random moments, as a
// disk would be found after a power cut; each copy is mounted, which replays its journal, and looked at. That is done with the
// default durability (`data`); again with the program stopped while the image is copied, right after a write as often as not;
// and so with `full`. Takes root. Ends with 1 if a copy held anything but a whole version, or one older than the last that was
// acknowledged before the copy was begun; with `data`, which does not wait for the new name, the one before that is let pass.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { start } from './lines-of.mjs'
import { randomFrom } from './random.mjs'
import { isTemporary, linesFor, textOf, versionOf } from './versions.mjs'

const { values } = parseArgs({ options: { cycles: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } } })
const cycles = Number(values.cycles)
const random = randomFrom(Number(values.seed))
const faults = []
const lines = linesFor(100_000)

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'llm-chat-power-')))
const disk = join(scratch, 'disk')
const found = join(scratch, 'found')
const [image, copy] = ['image', 'copy'].map((name) => join(scratch, name))
mkdirSync(disk)
mkdirSync(found)

/** @param {string} program @param {string[]} args */
function run(program, ...args) {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
}

/** The last version that a writer acknowledged. @param {import('./lines-of.mjs').Child} writer */
const acknowledged = (writer) => Number(writer.lines.at(-1).replace('ready', '1'))

/** Looks at a copy of the disk as it comes up. @returns {{ version: number | string, stale: number }} */
function comeUp() {
  run('mount', '-o', 'loop', copy, found)
  try {
    return { version: versionOf(readFileSync(join(found, 'a.txt'))), stale: readdirSync(found).filter(isTemporary).length }
  } catch (error) {
    return { version: error.message, stale: 0 }
  } finally {
    run('umount', found)
  }
}

/**
 * @param {string} durability
 * @param {{ stopped: boolean }} how whether the writer stands still while the image is copied
 */
async function cutOver(durability, { stopped }) {
  run('truncate', '-s', '0', image)
  run('truncate', '-s', '64M', image)
  run('mkfs.ext4', '-q', '-F', image)
  run('mount', '-o', 'loop', image, disk)
  const count = { whole: 0, behind: 0, stale: 0 }
  try {
    writeFileSync(join(disk, 'a.txt'), textOf(1, lines))
    run('sync', '-f', disk)
    const writer = start('writer.mjs', [join(disk, 'a.txt'), String(lines), durability, 'engine'])
    await writer.first
    for (let cut = 0; cut < cycles; cut += 1) {
      await setTimeout(random(150))
      if (stopped) {
        writer.process.kill('SIGSTOP')
        // What it said until now is read before the copy is begun.
        await setTimeout(5)
      }
      const before = acknowledged(writer)
      run('cp', '--sparse=always', image, copy)
      if (stopped) writer.process.kill('SIGCONT')
      const { version, stale } = comeUp()
      count.stale += stale
      if (typeof version === 'string') {
        faults.push(`durability ${durability}, cut ${cut}: ${version}`)
        continue
      }
      count.whole += 1
      if (version < before) count.behind += 1
      if (version < before - (durability === 'full' ? 0 : 1)) {
        faults.push(`durability ${durability}, cut ${cut}: version ${version}, and ${before} was acknowledged`)
      }
    }
    const last = acknowledged(writer)
    writer.process.kill('SIGKILL')
    const { stderr } = await writer.ended
    if (stderr !== '') faults.push(stderr)
    console.log(`durability ${durability}${stopped ? ', writer stopped' : ''}: ${cycles} power cuts in ${last} writes, ${count.whole} came up whole, ` +
      `${count.behind} older than acknowledged, ${count.stale} temporary files`)
  } finally {
    run('umount', '-l', disk)
  }
}

await cutOver('data', { stopped: false })
await cutOver('data', { stopped: true })
await cutOver('full', { stopped: true })
rmSync(scratch, { recursive: true, force: true })
console.log(faults.length === 0 ? 'one whole version after every power cut' : faults.slice(0, 20).join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
