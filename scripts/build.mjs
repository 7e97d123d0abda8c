// Builds what is stale: the addon when Rust sources changed, dist/ when TypeScript did. Sources
// are compared by content, so that a build with nothing to do takes a moment.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** What was built last, by the hash of what it was built from. */
const stampFile = path.join(root, 'target', 'build-stamp.json')

/** The addon and the output of tsc: how each is told to be stale, and made. */
const parts = {
  native: {
    sources: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'crates', 'scripts/build.mjs'],
    isSource: (file) =>
      /\.(?:rs|toml|lock|mjs)$/.test(file) && !/\/(?:tests|benches|fuzz|examples)\//.test(file),
    exists: () =>
      existsSync(path.join(root, 'native.cjs')) &&
      readdirSync(root).some((name) => name.endsWith('.node')),
    make: () => {
      const options = ['--js', 'native.cjs', '--dts', 'native.d.ts', '--no-const-enum']
      run('@napi-rs/cli/dist/cli.js', ['build', '--platform', '--release', ...options])
    }
  },
  dist: {
    sources: ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'ts'],
    isSource: () => true,
    exists: () => existsSync(path.join(root, 'dist', 'index.js')),
    make: () => {
      checkVersion()
      rmSync(path.join(root, 'dist'), { recursive: true, force: true })
      run('typescript/bin/tsc', ['-p', 'tsconfig.build.json'])
    }
  }
}

/** Builds what is stale; gives the names of the parts that were built. */
export function build() {
  const stamps = readStamps()
  const built = []
  for (const [name, part] of Object.entries(parts)) {
    const hash = hashOf(part.sources, part.isSource)
    if (stamps[name] === hash && part.exists()) continue
    part.make()
    stamps[name] = hash
    mkdirSync(path.dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, JSON.stringify(stamps))
    built.push(name)
  }
  return built
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    return {}
  }
}

function hashOf(sources, isSource) {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(source).filter(isSource)) {
      hash.update(`${file}\0`).update(readFileSync(path.join(root, file))).update('\0')
    }
  }
  return hash.digest('hex')
}

/** The file itself, or the files beneath the directory, in one order everywhere. */
function filesOf(source) {
  const entries = readdirSync(path.dirname(path.join(root, source)), { withFileTypes: true })
  const entry = entries.find(({ name }) => name === path.basename(source))
  if (!entry) return []
  if (!entry.isDirectory()) return [source]
  return readdirSync(path.join(root, source), { withFileTypes: true })
    .map(({ name }) => name)
    .filter((name) => name !== 'target')
    .sort()
    .flatMap((name) => filesOf(path.posix.join(source, name)))
}

/** The version stands in package.json and, for the code to know it, in ts/version.ts. */
function checkVersion() {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  if (!readFileSync(path.join(root, 'ts', 'version.ts'), 'utf8').includes(`'${version}'`)) {
    throw new Error(`ts/version.ts does not name the version of package.json, ${version}`)
  }
}

/** Runs a command-line program of a dependency; its output is shown as it comes. */
function run(program, args) {
  const file = path.join(root, 'node_modules', program)
  const { status, error } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    stdio: 'inherit'
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args[0]} failed`)
}

if (import.meta.filename === process.argv[1]) {
  const start = performance.now()
  try {
    const built = build()
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`${built.length > 0 ? `built ${built.join(' and ')}` : 'up to date'} (${seconds} s)`)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
