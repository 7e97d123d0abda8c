// The engine without any agent framework: finds what is left to do in a directory.
// Run after a build, from the project's directory: node examples/engine-only/todos.mjs [DIR]
import path from 'node:path'

import { Workspace } from 'llm-chat-file-native/engine'

const dir = path.resolve(process.argv[2] ?? '.')
const workspace = new Workspace({
  accesses: [{ type: 'read', path: dir }],
  skipDirs: ['.git', 'node_modules', 'target', 'dist']
})

const { results, visited, complete } = await workspace.search(
  { content: 'TODO|FIXME', name: '\\.(?:[cm]?[jt]s|rs|md)$', maxResults: 20 },
  { signal: AbortSignal.timeout(10_000) }
)
for (const { path: file, line, text } of results) console.log(`${file}:${line}: ${text}`)
console.log(`${results.length} lines in ${visited} entries${complete ? '' : ', and perhaps more'}`)

const { allowed, reason } = workspace.explain('/etc/passwd', 'read')
console.log(`/etc/passwd may ${allowed ? '' : 'not '}be read: ${reason}`)
