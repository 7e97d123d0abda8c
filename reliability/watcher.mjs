// Reads files over and over, as another program would, until its input ends; then tells what it saw.
import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'

import { versionOf } from './versions.mjs'

const files = process.argv.slice(2).map((path) => ({ path, last: -1 }))
const seen = { reads: 0, versions: 0, faults: /** @type {string[]} */ ([]) }

/** Reads a file once. @param {{ path: string, last: number }} file */
function look(file) {
  seen.reads += 1
  let version
  try {
    version = versionOf(readFileSync(file.path))
  } catch (error) {
    version = error.message
  }
  if (typeof version === 'string') seen.faults.push(version)
  else if (version < file.last) seen.faults.push(`version ${version} after ${file.last}`)
  else if (version > file.last) {
    file.last = version
    seen.versions += 1
  }
}

// The programs under test have the processor when they want it.
setPriority(10)
let isWatching = true
process.stdin.on('end', () => {
  isWatching = false
}).resume()
while (isWatching) {
  files.forEach(look)
  await setImmediate()
}
console.log(JSON.stringify({ ...seen, faults: seen.faults.slice(0, 10), faultCount: seen.faults.length }))
