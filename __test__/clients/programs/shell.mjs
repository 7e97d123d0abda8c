// The published shell package on whatever Workspace its own dependency resolves to.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import {
  BashShellExecutorFactory,
  PermissionAccess,
  PermissionAction,
  ShellConfiguration,
  ShellPackage,
  ShellSessionManager
} from '@johannes.latzel/llm-chat-shell'
import { AccessType, DirectoryConfiguration, SwitchWorkspaceTool, Workspace } from '@johannes.latzel/llm-chat-workspace'

import { caller, play } from './support.mjs'

const configuration = new ShellConfiguration()
configuration.permissionRules = [
  ...['pwd', 'cd *', 'echo *', 'cat *'].map((pattern) => ({ pattern, action: PermissionAction.Allow })),
  { pattern: 'touch *', action: PermissionAction.Allow, access: PermissionAccess.Write }
]

await play(async (root) => {
  const home = join(root, 'home')
  const library = join(root, 'library')
  await mkdir(join(home, 'inner'), { recursive: true })
  await mkdir(library)
  await writeFile(join(library, 'book.txt'), 'a book\n')
  const workspace = new Workspace(
    new DirectoryConfiguration([
      { type: AccessType.Write, path: home },
      { type: AccessType.Read, path: library }
    ])
  )
  const manager = new ShellSessionManager(new BashShellExecutorFactory(configuration), configuration, workspace)
  const shell = new ShellPackage(configuration, manager)
  const call = caller(shell)
  const create = async (args) => (await call('shell_create', args))[0].replace('success: ', '')
  const command = (sessionId, text, more = {}) => call('shell_command', { sessionId, command: text, ...more })

  const steps = {}
  try {
    steps.permissions = await call('shell_permissions', {})
    const session = await create({})
    steps.pwd = await command(session, 'pwd')
    steps.cd = await command(session, 'cd inner && pwd')
    steps.echo = await command(session, 'echo made by the shell > made.txt')
    steps.cat = await command(session, 'cat made.txt')
    steps.denied = await command(session, 'rm -rf inner')
    steps.touch = await command(session, 'touch touched.txt')
    steps.touched = existsSync(join(home, 'touched.txt'))

    const inner = await create({ cwd: 'inner' })
    steps.relativeCwd = await command(inner, 'pwd')
    steps.outsideCwd = await call('shell_create', { cwd: '/etc' })

    steps.switch = await call('switch_workspace', { path: library })
    const reader = await create({})
    steps.read = await command(reader, 'cat book.txt')
    steps.readOnly = await command(reader, 'touch new.txt')
    steps.rebind = await command(inner, 'pwd', { useCurrentWorkspace: true })

    const [submitted] = await command(session, 'echo from the background', { background: true })
    const jobId = /job (\S+) submitted/.exec(submitted)[1]
    for (let poll = 0; poll < 200; poll += 1) {
      const [job] = await call('shell_job_status', { jobId })
      steps.job = job.split('\n').filter((line) => /status|background/.test(line))
      if (job.includes('completed')) {
        break
      }
      await pause(25)
    }

    const sessions = await manager.listSessions()
    const tool = shell.tools().find(({ name }) => name === 'switch_workspace')
    return {
      steps,
      roots: sessions.map(({ workspaceRoot }) => workspaceRoot),
      sameClass: manager.workspace instanceof Workspace && tool instanceof SwitchWorkspaceTool
    }
  } finally {
    await shell.dispose()
  }
})
