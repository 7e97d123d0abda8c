// An agent's file tools with the import changed and nothing else. Before, the two packages
// '@johannes.latzel/llm-chat-file' and '@johannes.latzel/llm-chat-workspace' were imported here.
// Run after a build, from the project's directory: node examples/change-of-import/agent.mjs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { AccessType, DirectoryConfiguration, FileToolPackage, Workspace } from 'llm-chat-file-native'

const dir = mkdtempSync(path.join(tmpdir(), 'agent-'))
const workspace = new Workspace(
  new DirectoryConfiguration([{ type: AccessType.Write, path: dir }], ['.git', 'node_modules'])
)
const files = new FileToolPackage(workspace)

// With a chat service this is `service.tools().add(files)`; here a script plays the model.
const script = [
  ['write_file', { path: 'notes/today.md', content: '# Today\n- buy milk\n- call home\n' }],
  ['read_file', { paths: ['notes/today.md'] }],
  ['replace_file_content', { paths: ['notes/today.md'], old_content: 'milk', new_content: 'tea' }],
  ['search_entries', { content_pattern: 'tea|coffee' }],
  ['read_file', { paths: ['/etc/passwd'] }]
]
try {
  for (const [name, args] of script) {
    const tool = files.tools().find((candidate) => candidate.name === name)
    for (const { status, result } of await tool.execute(args)) {
      console.log(`${name}: ${status}\n${result}\n`)
    }
  }
} finally {
  rmSync(dir, { recursive: true })
}
