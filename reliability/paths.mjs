// Random paths, resolved by the core and by Node: `path.posix.resolve` and `path.win32.resolve` must say the same.
//
//   node reliability/paths.mjs [--count N] [--seed N]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

import { randomFrom } from './random.mjs'

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } } })
const count = Number(values.count)
const random = randomFrom(Number(values.seed))

const pieces = ['/', '/', '/', '\\', '\\', '.', '..', '...', 'a', 'b', 'Ab', 'C:', 'c:', 'D:', '//server/share', '\\\\server\\share', '\\\\', '\\\\?\\', '\\\\.\\', ' ', 'é', '😀', ':', '*', 'x'.repeat(40)]
const bases = { posix: ['/', '/a', '/a/b/c', '/é/ '], win32: ['C:\\', 'C:\\a', 'C:\\a\\b\\c', '\\\\server\\share\\', '\\\\server\\share\\a'] }

/** @param {readonly string[]} list */
const one = (list) => list[random(list.length)]

/** Node resolves a path on another drive's current directory against its own process: that is not compared. */
const isElsewhere = (/** @type {string} */ base, /** @type {string} */ input) =>
  /^[a-z]:(?![\\/])/i.test(input) && input[0].toLowerCase() !== base[0].toLowerCase()

const cases = Array.from({ length: count }, (_, index) => {
  const kind = index % 2 === 0 ? 'posix' : 'win32'
  const base = one(bases[kind])
  let input
  do {
    input = Array.from({ length: random(9) }, () => one(pieces)).join('')
  } while (kind === 'win32' && isElsewhere(base, input))
  return [kind, base, input]
})

const root = path.join(import.meta.dirname, '..')
const resolver = spawn('cargo', ['run', '--quiet', '-p', 'llm-chat-file-core', '--example', 'resolve'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
const answered = (async () => {
  let [index, differences] = [0, 0]
  for await (const line of createInterface({ input: resolver.stdout })) {
    const [kind, base, input] = cases[index]
    const expected = path[kind].resolve(base, input)
    if (JSON.parse(line) !== expected) {
      differences += 1
      if (differences <= 10) console.log(`${kind}: ${JSON.stringify([base, input])} is ${line} and should be ${JSON.stringify(expected)}`)
    }
    index += 1
  }
  return { index, differences }
})()
for (const one of cases) {
  if (!resolver.stdin.write(`${JSON.stringify(one)}\n`)) await once(resolver.stdin, 'drain')
}
resolver.stdin.end()
const { index, differences } = await answered
console.log(`${index} paths, ${differences} differences`)
process.exitCode = index === count && differences === 0 ? 0 : 1
