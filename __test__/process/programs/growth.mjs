// Makes and drops Workspaces in rounds and samples what the process holds after each round.
// Usage: node --expose-gc growth.mjs ENTRY_URL DIRECTORY ROUNDS PER_ROUND [worker]
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { footprint } from '../../../reliability/footprint.mjs'

/**
 * @param {string} entry
 * @param {string} directory holds `small.txt`
 * @param {number} rounds
 * @param {number} perRound
 */
async function measure(entry, directory, rounds, perRound) {
  const { AccessType, DirectoryConfiguration, ReadFileTool, Workspace } = await import(entry)
  let collected = 0
  const registry = new FinalizationRegistry(() => {
    collected += 1
  })
  const samples = []
  for (let round = 0; round < rounds; round += 1) {
    for (let made = 0; made < perRound; made += 1) {
      // Many long grants make a leaked policy weigh several kilobytes.
      const accesses = Array.from({ length: 24 }, (_, grant) => ({
        type: AccessType.Read,
        path: join(directory, 'x'.repeat(150), `${round}-${made}-${grant}`)
      }))
      accesses.unshift({ type: AccessType.Write, path: directory })
      const heard = []
      const workspace = new Workspace(new DirectoryConfiguration(accesses), () => {
        // Refers to the Workspace, as hooks do: the cycle must be collectable.
        heard.push(workspace.currentPath)
      })
      registry.register(workspace, undefined)
      const [answer] = await new ReadFileTool(workspace).execute({ paths: ['small.txt'] })
      if (answer.status !== 'success' || !workspace.canRead(directory)) {
        throw new Error(answer.result)
      }
      if (made % 20 === 0) {
        await workspace.switchWorkspace(directory)
        for await (const entry of workspace.walk(directory)) {
          heard.push(entry.filePath)
          break
        }
      }
    }
    samples.push(await footprint())
  }
  return { samples, made: rounds * perRound, collected }
}

if (isMainThread) {
  const [entry, directory, rounds, perRound, where] = process.argv.slice(2)
  const input = [entry, directory, Number(rounds), Number(perRound)]
  if (where === 'worker') {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: input })
    worker.on('message', (answer) => {
      console.log(JSON.stringify(answer))
    })
  } else {
    console.log(JSON.stringify(await measure(...input)))
  }
} else {
  parentPort.postMessage(await measure(...workerData))
}
