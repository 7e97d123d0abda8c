// An editor of somebody else's: saves versions of a file by rename and looks, for a while after each, whether it is still
// there. Started by edits.mjs with the file and the number of saves.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'

const [path, count] = process.argv.slice(2)

/** Milliseconds that a save may be out of sight while another program puts it back. */
const patience = 2000

/** Looks at each save, the last right before the next: what overwrites a save may come after it was first seen. */
const looks = 40

/** The version that stands in the file. */
const version = () => Number(/^v=(\d+)$/m.exec(readFileSync(path, 'utf8'))?.[1])

/**
 * Whether a save is there, at once or after a while.
 * @param {number} save
 */
function isThere(save) {
  const start = performance.now()
  while (version() !== save) {
    if (performance.now() - start > patience) return false
  }
  return true
}

let lost = 0
for (let save = 1; save <= Number(count); save += 1) {
  const temporary = `${path}.saving`
  writeFileSync(temporary, `first\nv=${save}\n`)
  renameSync(temporary, path)
  const isKept = Array.from({ length: looks }).every(() => isThere(save))
  if (!isKept) lost += 1
}
console.log(lost)
