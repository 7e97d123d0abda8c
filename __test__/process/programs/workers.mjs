// Loads the package in one fresh worker after the other.
// Usage: node --expose-gc workers.mjs ENTRY_URL DIRECTORY WORKERS
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** A Workspace on a directory, and reads and listings through it. */
async function use({ entry, directory }) {
  const api = await import(entry)
  const { AccessType, DirectoryConfiguration, ListDirectoryTool, ReadFileTool, Workspace } = api
  const access = { type: AccessType.Write, path: directory }
  const workspace = new Workspace(new DirectoryConfiguration([access]), () => undefined)
  const reader = new ReadFileTool(workspace)
  const lister = new ListDirectoryTool(workspace)
  const results = []
  for (let call = 0; call < 20; call += 1) {
    results.push(...(await reader.execute({ paths: ['small.txt', './small.txt'] })))
    results.push(...(await lister.execute({ path: '.' })))
  }
  return results.every(({ status }) => status === 'success')
}

/** Starts one worker; with `terminate` ends it while its calls are under way. */
function start(data, terminate) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: data })
    let answer
    worker.on('message', (message) => {
      answer = message
      if (terminate) {
        void worker.terminate()
      }
    })
    worker.on('error', reject)
    worker.on('exit', (code) => {
      resolve({ code, answer })
    })
  })
}

if (isMainThread) {
  const [entry, directory, workers] = process.argv.slice(2)
  const data = { entry, directory }
  const ended = []
  const descriptors = []
  const threads = []
  // Parallel calls bring the addon's own threads to their full number, which is the base of comparison.
  const before = (await Promise.all(Array.from({ length: 50 }, () => use(data)))).every(Boolean)
  const count = async () => {
    for (let pass = 0; pass < 3; pass += 1) {
      globalThis.gc()
      await pause(20)
    }
    descriptors.push(process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0)
    threads.push(process.platform === 'linux' ? readdirSync('/proc/self/task').length : 0)
  }
  await count()
  for (let worker = 0; worker < Number(workers); worker += 1) {
    ended.push(await start({ ...data, calls: worker % 2 === 1 }, worker % 2 === 1))
    await count()
  }
  console.log(JSON.stringify({ before, ended, descriptors, threads, after: await use(data) }))
} else {
  const worked = await use(workerData)
  if (workerData.calls) {
    // Calls of every length are under way when the parent ends this thread.
    for (let call = 0; call < 50; call += 1) {
      void use(workerData)
    }
  }
  parentPort.postMessage(worked)
}
