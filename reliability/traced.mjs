// System calls of the threads that do a program's work, listed or made to fail by strace.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync } from 'node:fs'

/** Whether there is a strace that can attach to a process of ours. */
export const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

/** Threads of a process that the package works on. @param {number} pid */
function workers(pid) {
  return readdirSync(`/proc/${pid}/task`).filter((task) => readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').startsWith('llm-chat-file'))
}

/**
 * Runs `during` with the threads under strace and gives what it gave and the lines of the trace.
 * @template T
 * @param {number} pid
 * @param {string[]} options
 * @param {string} output a file for the trace
 * @param {() => Promise<T>} during
 * @returns {Promise<{ result: T, trace: string[] }>}
 */
export async function traced(pid, options, output, during) {
  const threads = workers(pid)
  const strace = spawn('strace', ['-y', '-s', '300', '-o', output, ...options, ...threads.flatMap((thread) => ['-p', thread])])
  await new Promise((resolve, reject) => {
    let said = ''
    strace.stderr.on('data', (piece) => {
      said += piece
      if (said.split(' attached').length > threads.length) resolve()
    })
    strace.once('close', () => reject(new Error(`strace: ${said}`)))
  })
  const result = await during()
  await new Promise((resolve) => {
    strace.removeAllListeners('close')
    strace.once('close', resolve)
    strace.kill('SIGINT')
  })
  const trace = readFileSync(output, 'utf8').split('\n')
  rmSync(output)
  return { result, trace }
}

/**
 * The calls of a trace that are about a directory: each with its name and its number among the calls of that name.
 * @param {string[]} trace
 * @param {string} directory
 */
export function callsOn(trace, directory) {
  const numbers = new Map()
  const calls = []
  for (const line of trace) {
    const found = /^(?:(\d+) +)?(\w+)\(/.exec(line)
    if (found === null) continue
    const key = `${found[1]} ${found[2]}`
    const number = (numbers.get(key) ?? 0) + 1
    numbers.set(key, number)
    if (line.includes(directory)) calls.push({ call: found[2], number, line })
  }
  return calls
}
