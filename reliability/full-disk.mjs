// A disk with no room left: what was there stays, and the error says so. Takes root, for the mount.
import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import * as api from '../index.js'

const old = `old\n${'o'.repeat(50_000)}`
const long = 'n'.repeat(99_000)

/**
 * @param {string} directory where to mount the disk
 * @returns {Promise<string[]>} what was wrong
 */
export async function fullDisk(directory) {
  mkdirSync(directory)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'none', directory])
  if (mounted.status !== 0) {
    console.log('no full disk was tried: nothing can be mounted')
    rmSync(directory, { recursive: true })
    return []
  }
  try {
    return await fill(directory)
  } finally {
    // The workspace may still hold its root.
    spawnSync('umount', ['-l', directory])
  }
}

/** @param {string} disk */
async function fill(disk) {
  const faults = []
  const outside = `${disk}-outside`
  mkdirSync(outside)
  writeFileSync(join(disk, 'a.txt'), old)
  writeFileSync(join(disk, 'one.txt'), old)
  linkSync(join(disk, 'one.txt'), join(disk, 'two.txt'))
  writeFileSync(join(disk, 'filler'), 'f'.repeat(120_000))
  writeFileSync(join(outside, 'c.txt'), long)
  const names = readdirSync(disk).join(' ')
  const workspace = new api.Workspace(new api.DirectoryConfiguration([disk, outside].map((path) => ({ type: api.AccessType.Write, path }))))
  const limits = new api.FileConfiguration(200_000, undefined, false)
  const keeping = new api.FileConfiguration(200_000, undefined, false, 'data', 'keep')
  /** @param {api.FileConfiguration} how @param {string} name @param {object} args */
  const call = (how, name, args) => new api.FileToolPackage(workspace, undefined, how).tools().find((tool) => tool.name === name).execute(args)
  const attempts = {
    'write a new file': () => call(limits, 'write_file', { path: join(disk, 'd/new.txt'), content: long }),
    'write over a file': () => call(limits, 'write_file', { path: join(disk, 'a.txt'), content: long }),
    'write in place': () => call(keeping, 'write_file', { path: join(disk, 'one.txt'), content: long }),
    edit: () => call(limits, 'replace_file_content', { paths: [join(disk, 'a.txt')], old_content: 'old', new_content: long }),
    'edit in place': () => call(keeping, 'insert_file_content', { path: join(disk, 'one.txt'), line: 1, content: long }),
    'move a file to it': () => call(limits, 'move_file', { source: join(outside, 'c.txt'), destination: join(disk, 'd/c.txt') })
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    const [{ status, result }] = await attempt()
    if (status === 'success' || !result.includes('ENOSPC: no space left on device')) faults.push(`full disk, ${name}: ${result}`)
    for (const file of ['a.txt', 'one.txt', 'two.txt']) {
      if (readFileSync(join(disk, file), 'utf8') !== old) faults.push(`full disk, ${name}: ${file} is not what it was`)
    }
    if (readFileSync(join(outside, 'c.txt'), 'utf8') !== long) faults.push(`full disk, ${name}: the source is not what it was`)
    if (readdirSync(disk).join(' ') !== names) faults.push(`full disk, ${name}: ${readdirSync(disk).join(' ')} is there`)
  }
  console.log(`a full disk: ${Object.keys(attempts).length} operations, ${faults.length} faults`)
  return faults
}
