// The published shell tools, unmodified, sharing a native workspace with native file tools. The
// code names the published packages; package.json says what they are. In a project of your own
// write "npm:llm-chat-file-native@^0.2.0" there instead of "file:../..".
// Run: cd examples/alias && npm install && npm start
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { FileToolPackage } from '@johannes.latzel/llm-chat-file'
import {
  BashShellExecutorFactory,
  PermissionAction,
  ShellConfiguration,
  ShellPackage,
  ShellSessionManager
} from '@johannes.latzel/llm-chat-shell'
import { DirectoryConfiguration, Workspace } from '@johannes.latzel/llm-chat-workspace'

const dir = mkdtempSync(path.join(tmpdir(), 'alias-'))
const workspace = new Workspace(new DirectoryConfiguration([{ type: 'write', path: dir }]))
const config = new ShellConfiguration()
config.permissionRules = [{ pattern: 'cat *', action: PermissionAction.Allow }]
const sessions = new ShellSessionManager(new BashShellExecutorFactory(config), config, workspace)
const shell = new ShellPackage(config, sessions)
const tools = [...new FileToolPackage(workspace).tools(), ...shell.tools()]

async function run(name, args) {
  const tool = tools.find((candidate) => candidate.name === name)
  const [{ status, result }] = await tool.execute(args)
  console.log(`${name}: ${status}\n${result}\n`)
  return result
}

try {
  await run('write_file', { path: 'greeting.txt', content: 'Hello from a native tool\n' })
  const created = await run('shell_create', {})
  const [sessionId] = /[0-9a-f-]{8,}/.exec(created) ?? []
  await run('shell_command', { sessionId, command: 'cat greeting.txt' })
} finally {
  await sessions.close()
  rmSync(dir, { recursive: true })
}
