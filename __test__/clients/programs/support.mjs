import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs `scenario` in a directory of its own and prints its answer as JSON, with the directory's path
 * written `<root>`.
 * @param {(root: string) => Promise<unknown>} scenario
 */
export async function play(scenario) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'llm-chat-scenario-')))
  try {
    const answer = await scenario(root)
    console.log(JSON.stringify(answer).replaceAll(JSON.stringify(root).slice(1, -1), '<root>'))
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/**
 * A function that calls a package's tool by name and gives `status: result` of each answer.
 * @param {{tools(): {name: string, execute(args: object): Promise<{status: string, result: string}[]>}[]}} toolPackage
 * @returns {(name: string, args: object) => Promise<string[]>}
 */
export function caller(toolPackage) {
  const tools = new Map(toolPackage.tools().map((tool) => [tool.name, tool]))
  return async (name, args) => {
    const results = await tools.get(name).execute(args)
    return results.map(({ status, result }) => `${status}: ${result}`)
  }
}
