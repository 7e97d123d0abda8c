import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import {
  ChatRole,
  ChatServiceConfiguration,
  OpenAIChatService,
  OpenAIChatServiceConfiguration
} from '@johannes.latzel/llm-chat'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { AccessType, DirectoryConfiguration, FileToolPackage, Workspace } from '../../index.js'
import { ModelStub, type ModelRequest, type Turn } from './support/model-stub.js'
import { removeDirectory, temporaryDirectory } from './support/scratch-project.js'

// Child processes and servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const script: Turn[] = [
  { calls: [{ name: 'list_directory', args: { path: '.' } }] },
  {
    calls: [
      { name: 'read_file', args: { paths: ['app.js', '/etc/hostname'] } },
      { name: 'search_entries', args: { content_pattern: 'port' } }
    ]
  },
  { calls: [{ name: 'replace_file_content', args: { paths: ['app.js'], old_content: '80', new_content: '8080' } }] },
  { calls: [{ name: 'write_file', args: { path: 'NOTES.md', content: 'The port is 8080.\n' } }] },
  { text: 'The port is 8080 now.' }
]

let directory: string
let stub: ModelStub

/** The tool results that the model saw for the first time in a request. */
function results(request: ModelRequest | undefined, after: ModelRequest | undefined): string[] {
  const fresh = request?.messages.slice(after?.messages.length ?? 0) ?? []
  return fresh.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

beforeEach(async () => {
  directory = await temporaryDirectory()
  stub = new ModelStub(script)
  vi.stubEnv('OPENAI_BASE_URL', await stub.listen())
  vi.stubEnv('OPENAI_API_KEY', 'none')
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await stub.close()
  await removeDirectory(directory)
})

it("llm-chat's own chat service drives the tools", async () => {
  const root = join(directory, 'project')
  await mkdir(root)
  await writeFile(join(root, 'app.js'), 'listen({ port: 80 })\r\n')

  const model = new OpenAIChatServiceConfiguration()
  model.model = 'stub'
  const configuration = new ChatServiceConfiguration()
  configuration.systemPromptDir = join(directory, 'prompts')
  const service = new OpenAIChatService(undefined, model, configuration)
  const workspace = new Workspace(new DirectoryConfiguration([{ type: AccessType.Write, path: root }]))
  service.tools().add(new FileToolPackage(workspace))
  const heard: string[] = []
  service
    .tools()
    .hook()
    .after()
    .do(({ tool, status }) => {
      heard.push(`${tool}: ${status}`)
    })

  await service.chat().user('Move the server to port 8080.')
  await service.send()

  const [first, second, third, fourth, last] = stub.requests
  expect(stub.requests).toHaveLength(script.length)
  expect(first?.stream).toBe(true)
  expect(first?.tools).toHaveLength(13)
  expect(first?.tools.find((tool) => tool.function.name === 'read_file')?.function.parameters.required).toEqual(['paths'])
  expect(first?.messages.find(({ role }) => role === 'system')?.content).toContain('Read before write')

  const file = join(root, 'app.js')
  expect(results(second, first)).toEqual([file])
  expect(results(third, second)).toEqual([
    `--- ${file} (lines 1-2 of 2, 22 chars) ---\nlisten({ port: 80 })\r\n`,
    expect.stringMatching(/^Invalid or inaccessible path \(Tip: /),
    `${file}:1: listen({ port: 80 })`
  ])
  expect(results(fourth, third)).toEqual([`Replaced 1 occurrence in ${file}`])
  expect(results(last, fourth)).toEqual([`Written: ${join(root, 'NOTES.md')}`])
  const answered = last?.messages.find(({ content }) => content.startsWith('Replaced'))
  expect(answered?.tool_call_id).toBe('call-3-0')

  expect(await readFile(file, 'utf8')).toBe('listen({ port: 8080 })\r\n')
  expect(await readFile(join(root, 'NOTES.md'), 'utf8')).toBe('The port is 8080.\n')
  expect(service.chat().messages().at(-1)).toMatchObject({ role: ChatRole.Assistant, content: 'The port is 8080 now.' })
  expect(heard).toEqual([
    'list_directory: success',
    'read_file: success',
    'search_entries: success',
    'replace_file_content: success',
    'write_file: success'
  ])
})
