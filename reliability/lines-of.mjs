// A child process whose lines of output are heard one by one.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * @typedef {object} Child
 * @property {import('node:child_process').ChildProcess} process
 * @property {import('node:readline').Interface} reader
 * @property {string[]} lines what it has said so far
 * @property {Promise<string>} first its first line; '' if it ends without one
 * @property {Promise<{ code: number | null, stderr: string }>} ended
 */

/**
 * Starts a program of this directory.
 * @param {string} program
 * @param {string[]} args
 * @returns {Child}
 */
export function start(program, args) {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args])
  const lines = []
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    stderr += piece
  })
  const reader = createInterface(child.stdout)
  const first = new Promise((resolve) => {
    reader.once('line', resolve).once('close', () => resolve(''))
  })
  reader.on('line', (line) => lines.push(line))
  const ended = new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stderr }))
  })
  return { process: child, reader, lines, first, ended }
}

/**
 * The same for a program that answers each line of JSON with one.
 * @param {string} program
 * @param {string[]} args
 * @returns {Child & { ask(request: object): Promise<any> }}
 */
export function startAsking(program, args) {
  const child = start(program, args)
  const waiting = []
  child.reader.on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  child.reader.once('close', () => waiting.forEach(({ reject }) => reject(new Error(`${program} ended`))))
  const ask = (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      child.process.stdin.write(`${JSON.stringify(request)}\n`)
    })
  return { ...child, ask }
}
