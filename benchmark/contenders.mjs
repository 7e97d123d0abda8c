// The packages that are compared, each behind the same face.
import * as publishedFiles from '@johannes.latzel/llm-chat-file'
import * as publishedWorkspaces from '@johannes.latzel/llm-chat-workspace'

import * as native from '../index.js'

/** Far above anything a benchmark meets: no limit is to cut an answer short. */
const noLimit = 10_000_000

/**
 * @typedef {object} Grant
 * @property {'Read' | 'Write'} right
 * @property {string} path
 */

/**
 * What a case needs of one package.
 * @typedef {object} Kit
 * @property {import('../index.js').Workspace} workspace
 * @property {(tool: string, args: object) => Promise<{status: string, result: string}[]>} call
 */

/**
 * A Workspace with these grants and the package of all tools on it, limits raised.
 * @param {object} api exports of a package, or of the two published ones together
 * @param {Grant[]} grants
 * @returns {Kit}
 */
function makeKit(api, grants) {
  const { AccessType, DirectoryConfiguration, FileConfiguration, FileToolPackage, SearchConfiguration, Workspace } = api
  const accesses = grants.map(({ right, path }) => ({ type: AccessType[right], path }))
  const workspace = new Workspace(new DirectoryConfiguration(accesses))
  const search = new SearchConfiguration(noLimit, noLimit, noLimit, 600_000)
  const tools = new FileToolPackage(workspace, search, new FileConfiguration()).tools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return { workspace, call: (tool, args) => byName.get(tool).execute(args) }
}

/**
 * The published packages and this one, on Workspaces of their own with the same grants.
 * @param {Grant[]} grants
 * @returns {{published: Kit, native: Kit}}
 */
export function makeKits(grants) {
  return {
    published: makeKit({ ...publishedWorkspaces, ...publishedFiles }, grants),
    native: makeKit(native, grants)
  }
}

/**
 * Contenders that make the same call through both kits.
 * @param {{published: Kit, native: Kit}} kits
 * @param {(kit: Kit) => unknown} run
 * @param {(kit: Kit) => unknown} [answer]
 */
export function pair(kits, run, answer = run) {
  const contender = (/** @type {Kit} */ kit) => ({ run: () => run(kit), answer: () => answer(kit) })
  return { rival: 'published', contenders: { published: contender(kits.published), native: contender(kits.native) } }
}
