// Uses the engine where no agent framework is installed.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const engine = await import('llm-chat-file-native/engine')
const root = await realpath(await mkdtemp(join(tmpdir(), 'llm-chat-engine-')))
try {
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n')
  const access = { type: engine.AccessType.Write, path: root }
  const workspace = new engine.Workspace(new engine.DirectoryConfiguration([access]))
  const { text } = await workspace.readText('a.txt')
  await workspace.writeText('b.txt', 'three\n')
  const { entries } = await workspace.list('.')
  const written = await readFile(join(root, 'b.txt'), 'utf8')
  const whole = await import('llm-chat-file-native').then(
    () => 'loaded',
    (error) => `${error.code}: ${error.message}`
  )
  const names = entries.map(({ name }) => name)
  console.log(JSON.stringify({ exports: Object.keys(engine), text, names, written, whole }))
} finally {
  await rm(root, { recursive: true, force: true })
}
