import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import {
  installTimeout,
  packOurs,
  publishedVersions,
  removeDirectory,
  ScratchProject,
  temporaryDirectory
} from './support/scratch-project.js'
import { expectedFiles, type FilesAnswer } from './support/expected-files.js'
import { expectedShell, type ShellAnswer } from './support/expected-shell.js'

// Child processes and servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const own = { name: 'llm-chat-file-native', version: '0.2.0' }
const workspaceName = '@johannes.latzel/llm-chat-workspace'
const fileName = '@johannes.latzel/llm-chat-file'
const shellName = '@johannes.latzel/llm-chat-shell'
const chatName = '@johannes.latzel/llm-chat'

let directory: string | undefined
let aliased: ScratchProject
let overridden: ScratchProject

beforeAll(async () => {
  directory = await temporaryDirectory()
  const tarball = `file:${await packOurs(directory)}`
  const versions = await publishedVersions()
  const chat = versions[chatName] ?? ''
  const shell = versions[shellName] ?? ''
  // A dependency under the published name: the published file and shell packages share it.
  aliased = await ScratchProject.create(directory, 'aliased', {
    dependencies: {
      [chatName]: chat,
      [workspaceName]: tarball,
      [fileName]: versions[fileName] ?? '',
      [shellName]: shell
    }
  })
  // Nobody asks for the workspace but the shell package; an override gives it ours.
  overridden = await ScratchProject.create(directory, 'overridden', {
    dependencies: { [chatName]: chat, [fileName]: tarball, [shellName]: shell },
    overrides: { [workspaceName]: tarball }
  })
}, 3 * installTimeout)

afterAll(() => removeDirectory(directory))

describe('the published packages on the native workspace', () => {
  it('are the published ones, unmodified, and share one workspace package', async () => {
    const versions = await publishedVersions()
    expect(await aliased.installed(workspaceName)).toMatchObject(own)
    expect(await aliased.installed(fileName)).toMatchObject({ name: fileName, version: versions[fileName] })
    expect(await aliased.installed(shellName)).toMatchObject({ name: shellName, version: versions[shellName] })
    for (const name of [fileName, shellName, workspaceName]) {
      await expect(aliased.installed(`${name}/node_modules/${chatName}`)).rejects.toThrow('ENOENT')
      await expect(aliased.installed(`${name}/node_modules/${workspaceName}`)).rejects.toThrow('ENOENT')
    }
  })

  it('runs the published FileToolPackage', async () => {
    expect(await aliased.run<FilesAnswer>('files.mjs')).toEqual(expectedFiles)
  })

  it('runs the published ShellPackage', async () => {
    expect(await aliased.run<ShellAnswer>('shell.mjs')).toEqual(expectedShell)
  })
})

describe('the native tools under the published names', () => {
  it('reach third packages through npm overrides', async () => {
    expect(await overridden.installed(workspaceName)).toMatchObject(own)
    expect(await overridden.installed(fileName)).toMatchObject(own)
    expect(await overridden.installed(shellName)).toMatchObject({ name: shellName })
  })

  it('run the program written for the published FileToolPackage', async () => {
    expect(await overridden.run<FilesAnswer>('files.mjs')).toEqual(expectedFiles)
  })

  it('run beside the published ShellPackage', async () => {
    expect(await overridden.run<ShellAnswer>('shell.mjs')).toEqual(expectedShell)
  })
})

describe('two copies of the package in one project', () => {
  interface CopiesAnswer {
    locations: string[]
    different: string[]
    classes: number
    accepted: boolean
    failed: number
    lost: number
  }
  let answer: CopiesAnswer

  beforeAll(async () => {
    answer = await overridden.run<CopiesAnswer>('two-copies.mjs')
  })

  it('are two sets of files', () => {
    expect(new Set(answer.locations).size).toBe(2)
  })

  it('give the same classes', () => {
    expect(answer.classes).toBeGreaterThanOrEqual(18)
    expect(answer.different).toEqual([])
  })

  it("take each other's Workspace", () => {
    expect(answer.accepted).toBe(true)
  })

  it('share one lock table: no parallel edit of a file is lost', () => {
    expect(answer).toMatchObject({ failed: 0, lost: 0 })
  })
})
