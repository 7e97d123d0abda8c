import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { FileConfiguration, FileToolPackage, SearchConfiguration } from '@johannes.latzel/llm-chat-file'
import type { Workspace as PublishedWorkspace } from '@johannes.latzel/llm-chat-workspace'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { AccessType, DirectoryConfiguration, Workspace } from '../../index.js'
import { removeDirectory, temporaryDirectory } from './support/scratch-project.js'

// Child processes and servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let directory: string
let root: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  root = join(directory, 'granted')
  await mkdir(join(root, 'docs'), { recursive: true })
  await mkdir(join(root, 'skipped'))
  await writeFile(join(root, 'docs/a.txt'), 'needle\nhay')
  await writeFile(join(root, 'skipped/b.txt'), 'needle')
  await writeFile(join(directory, 'secret.txt'), 'needle')
})
afterAll(() => removeDirectory(directory))

/** The published tools on a Workspace of ours, called by name; gives the results of a call. */
function publishedTools(workspace: Workspace): (name: string, args: Record<string, unknown>) => Promise<string[]> {
  // The published class has private members, so TypeScript needs this one cast.
  const published = workspace as unknown as PublishedWorkspace
  const tools = new FileToolPackage(published, new SearchConfiguration(), new FileConfiguration()).tools()
  return async (name, args) => {
    const tool = tools.find((candidate) => candidate.name === name)
    const results = (await tool?.execute(args)) ?? []
    return results.map(({ result }) => result)
  }
}

it('the published tools work on a native Workspace that is handed to them', async () => {
  const switches: string[] = []
  const accesses = [{ type: AccessType.Write, path: root }]
  const workspace = new Workspace(new DirectoryConfiguration(accesses, ['skipped']), (path) => {
    switches.push(path)
  })
  const call = publishedTools(workspace)
  const file = join(root, 'docs/a.txt')

  expect(await call('list_directory', { path: '.', recursive: true })).toEqual([`${root}/docs/\n${file}`])
  expect(await call('search_entries', { content_pattern: 'needle' })).toEqual([`${file}:1: needle`])
  expect(await call('read_file', { paths: ['docs/a.txt'] })).toEqual([`--- ${file} (lines 1-2 of 2, 10 chars) ---\nneedle\nhay`])
  expect(await call('replace_file_lines', { path: file, content: 'found', start_line: 1 })).toEqual([
    `Replaced lines 1-1 in ${file}`
  ])
  expect(await readFile(file, 'utf8')).toBe('found\nhay')
  expect(await call('read_file', { paths: ['../secret.txt'] })).toEqual(['Invalid or inaccessible path'])

  await workspace.switchWorkspace(join(root, 'docs'))
  expect(switches).toEqual([join(root, 'docs')])
  expect(await call('entry_info', { paths: ['a.txt'] })).toEqual([expect.stringContaining(`Path: ${file}\nType: file`)])

  workspace.config.accesses[0] = { type: AccessType.Read, path: root }
  expect(await call('write_file', { path: 'new.txt', content: '' })).toEqual([
    'Invalid or inaccessible path (must be within writable directory)'
  ])
})

it('the published tools are held by a native Workspace that resolves links', async () => {
  await symlink(directory, join(root, 'out'), 'junction')
  const accesses = [{ type: AccessType.Write, path: root }]
  const call = publishedTools(new Workspace(new DirectoryConfiguration(accesses, [], true)))
  expect(await call('read_file', { paths: ['out/secret.txt'] })).toEqual(['Invalid or inaccessible path'])
  // A name that does not exist yet is resolved through its deepest ancestor that does.
  expect(await call('write_file', { path: 'out/new.txt', content: 'escaped' })).toEqual([
    'Invalid or inaccessible path (must be within writable directory)'
  ])
  await expect(readFile(join(directory, 'new.txt'))).rejects.toThrow('ENOENT')
})
