// The package is installed twice under two names. Both copies are loaded here.
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import * as files from '@johannes.latzel/llm-chat-file'
import * as workspaces from '@johannes.latzel/llm-chat-workspace'

import { play } from './support.mjs'

const slots = 40

/** @param {number} slot */
const name = (slot) => `slot ${slot};`

await play(async (root) => {
  const locations = []
  for (const alias of ['@johannes.latzel/llm-chat-file', '@johannes.latzel/llm-chat-workspace']) {
    locations.push(await realpath(fileURLToPath(import.meta.resolve(alias))))
  }
  const classes = Object.keys(workspaces).filter((key) => typeof workspaces[key] === 'function')
  const different = classes.filter((key) => workspaces[key] !== files[key])

  const directory = new workspaces.DirectoryConfiguration([{ type: workspaces.AccessType.Write, path: root }])
  const workspace = new workspaces.Workspace(directory)
  const path = join(root, 'slots.txt')
  const all = Array.from({ length: slots }, (_, slot) => name(slot))
  await writeFile(path, all.join('\n'))

  // One tool of each copy, one Workspace between them; every edit starts before the first one ends.
  const tools = [new files.ReplaceFileContentTool(workspace), new workspaces.ReplaceFileContentTool(workspace)]
  const edits = all.map((text, slot) =>
    tools[slot % 2].execute({ paths: ['slots.txt'], old_content: text, new_content: text.toUpperCase() })
  )
  const statuses = (await Promise.all(edits)).flat().map(({ status }) => status)
  return {
    locations,
    different,
    classes: classes.length,
    accepted: workspace instanceof files.Workspace,
    failed: statuses.filter((status) => status !== 'success').length,
    lost: slots - ((await readFile(path, 'utf8')).match(/SLOT \d+;/g) ?? []).length
  }
})
