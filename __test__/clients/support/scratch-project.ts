import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runOrThrow } from './command.js'

/** Root of this package. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

const programs = fileURLToPath(new URL('../programs', import.meta.url))

/** Milliseconds for what asks the npm registry. */
export const installTimeout = 240_000

/** Makes a directory of a test's own, links in its path resolved. */
export async function temporaryDirectory(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), 'llm-chat-file-native-')))
}

/** Packs this package as `npm publish` would, from the files already built; gives the tarball's path. */
export async function packOurs(directory: string): Promise<string> {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory]
  const answer: unknown = JSON.parse(await runOrThrow('npm', args, { cwd: packageRoot, timeout: installTimeout }))
  // npm 11 gives a list, npm 12 an object keyed by package name.
  const [packed] = Object.values(answer as Record<string, { filename: string }>)
  if (packed === undefined) {
    throw new Error('npm pack named no tarball')
  }
  return join(directory, packed.filename)
}

/** Exact versions of the development dependencies that the tests hold the package against. */
export async function publishedVersions(): Promise<Record<string, string>> {
  const manifest = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  return manifest.devDependencies
}

/** Extra dependencies and overrides of a scratch project. */
export interface ProjectNeeds {
  dependencies: Record<string, string>
  overrides?: Record<string, string>
}

/** A project of somebody else that installed packages from the registry and our tarball. */
export class ScratchProject {
  private constructor(readonly directory: string) {}

  /** Makes the project beneath `parent` and installs what it needs. */
  static async create(parent: string, name: string, needs: ProjectNeeds): Promise<ScratchProject> {
    const directory = join(parent, name)
    await mkdir(directory, { recursive: true })
    const manifest = { name: 'scratch', version: '1.0.0', private: true, type: 'module', ...needs }
    await writeFile(join(directory, 'package.json'), JSON.stringify(manifest, undefined, 2))
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
    await runOrThrow('npm', args, { cwd: directory, timeout: installTimeout })
    await cp(programs, join(directory, 'programs'), { recursive: true })
    return new ScratchProject(directory)
  }

  /** Runs one of the programs in a process of its own and gives the JSON that it printed. */
  async run<Answer>(program: string, timeout = 60_000): Promise<Answer> {
    const path = join(this.directory, 'programs', program)
    return JSON.parse(await runOrThrow(process.execPath, [path], { cwd: this.directory, timeout })) as Answer
  }

  /** Name and version that the manifest of an installed package states. */
  async installed(name: string): Promise<{ name: string; version: string }> {
    const manifest = await readFile(join(this.directory, 'node_modules', name, 'package.json'), 'utf8')
    return JSON.parse(manifest) as { name: string; version: string }
  }
}

/** Removes what {@link temporaryDirectory} made. */
export async function removeDirectory(directory: string | undefined): Promise<void> {
  if (directory !== undefined) {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
