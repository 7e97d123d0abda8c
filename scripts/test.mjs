// Builds what is stale and runs every check; stops at the first that fails. A step's output is
// shown as it comes, and its time when it is done.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

import { build } from './build.mjs'

const root = path.resolve(import.meta.dirname, '..')

const node = (program, ...args) => [process.execPath, path.join('node_modules', program), ...args]

/** Commands in order, and what they need in their environment. */
const steps = [
  { name: 'cargo fmt', command: ['cargo', 'fmt', '--all', '--check'] },
  {
    name: 'cargo clippy',
    command: ['cargo', 'clippy', '--workspace', '--all-targets', '--', '-D', 'warnings']
  },
  {
    name: 'cargo doc',
    command: ['cargo', 'doc', '--workspace', '--no-deps'],
    env: { RUSTDOCFLAGS: '-Dwarnings' }
  },
  { name: 'cargo test', command: ['cargo', 'test', '--workspace'] },
  { name: 'tsc', command: node('typescript/bin/tsc', '-p', 'tsconfig.json') },
  { name: 'eslint', command: node('eslint/bin/eslint.js', '.', '--max-warnings', '0') },
  { name: 'vitest', command: node('vitest/vitest.mjs', 'run') }
]

const times = []

function step(name, work) {
  console.log(`\n=== ${name}`)
  const start = performance.now()
  const isDone = work()
  times.push(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`)
  console.log(`=== ${times.at(-1)}`)
  if (!isDone) {
    console.error(`\nfailed: ${name}`)
    process.exit(1)
  }
}

step('build', () => {
  try {
    build()
    return true
  } catch (error) {
    console.error(error.message)
    return false
  }
})
for (const { name, command, env } of steps) {
  step(name, () => {
    const [program, ...args] = command
    const { status, error } = spawnSync(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: 'inherit'
    })
    if (error) console.error(error.message)
    return status === 0
  })
}
console.log(`\nall passed: ${times.join(', ')}`)
