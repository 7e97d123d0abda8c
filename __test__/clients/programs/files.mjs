// Somebody's program that uses the file tools: it knows the published names and nothing else.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { FileConfiguration, FileToolPackage, SearchConfiguration } from '@johannes.latzel/llm-chat-file'
import { AccessType, DirectoryConfiguration, Workspace } from '@johannes.latzel/llm-chat-workspace'

import { caller, play } from './support.mjs'

await play(async (root) => {
  const home = join(root, 'home')
  const library = join(root, 'library')
  await mkdir(home)
  await mkdir(library)
  await writeFile(join(library, 'book.txt'), 'a book')
  await writeFile(join(home, 'unread.txt'), 'nobody read this')

  const switches = []
  const workspace = new Workspace(
    new DirectoryConfiguration([
      { type: AccessType.Write, path: home },
      { type: AccessType.Read, path: library }
    ]),
    async (path) => {
      await pause(5)
      switches.push(path)
    }
  )
  const call = caller(new FileToolPackage(workspace, new SearchConfiguration(), new FileConfiguration()))
  const path = 'notes/one.txt'
  const steps = {
    write: await call('write_file', { path, content: 'alpha\nbeta\ngamma' }),
    read: await call('read_file', { paths: [path, 'absent.txt'] }),
    replaceLines: await call('replace_file_lines', { path, content: 'BETA', start_line: 2, end_line: 2 }),
    insert: await call('insert_file_content', { path, content: 'first', line: 1 }),
    replaceContent: await call('replace_file_content', { paths: [path], old_content: 'gamma', new_content: 'delta' }),
    unread: await call('replace_file_content', { paths: ['unread.txt'], old_content: 'read', new_content: 'saw' }),
    range: await call('read_file', { paths: [path], start_line: 2, end_line: 3 }),
    createFolder: await call('create_folder', { paths: ['drawer/inner'] }),
    list: await call('list_directory', { path: '.', recursive: true }),
    searchContent: await call('search_entries', { content_pattern: 'DELTA' }),
    searchName: await call('search_entries', { name_pattern: '^one', type: 'file' }),
    searchNothing: await call('search_entries', { name_pattern: 'no such name' }),
    move: await call('move_file', { source: path, destination: 'drawer/two.txt' }),
    info: (await call('entry_info', { paths: ['drawer/two.txt'] })).map((text) => text.split('\n').slice(0, 3)),
    outside: await call('read_file', { paths: ['/etc/hostname'] }),
    outsideSearch: await call('search_entries', { path: '/etc', name_pattern: 'host' }),
    access: (await call('file_access_info', {})).map((text) => text.replace(/ {2,}/g, '  ')),
    switch: await call('switch_workspace', { path: library }),
    readThere: await call('read_file', { paths: ['book.txt'] }),
    writeThere: await call('write_file', { path: 'new.txt', content: 'x' }),
    switchOutside: await call('switch_workspace', { path: '/etc' }),
    switchBack: await call('switch_workspace', { path: home }),
    deleteFull: await call('delete_file', { paths: ['drawer'] }),
    content: await readFile(join(home, 'drawer/two.txt'), 'utf8'),
    delete: await call('delete_file', { paths: ['drawer'], recursive: true })
  }

  const walked = []
  for await (const { filePath, dirent } of workspace.walk(root)) {
    walked.push([filePath, dirent.isDirectory()])
  }
  for await (const { filePath, dirent } of workspace.walk(home)) {
    walked.push([filePath, dirent.isDirectory()])
  }
  return { steps, switches, walked, left: await readdir(home), currentPath: workspace.currentPath }
})
