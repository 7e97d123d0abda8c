// The packages that are compared, each behind the same face.
import * as publishedFiles from '@johannes.latzel/llm-chat-file'
import * as publishedWorkspaces from '@johannes.latzel/llm-chat-workspace'

import * as native from '../index.js'

/** Far above anything a benchmark meets: no limit is to cut an answer short. */
export const noLimit = 10_000_000

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
 * A Workspace with these grants and the package of all tools on it.
 * @param {object} api exports of a package, or of the two published ones together
 * @param {Grant[]} grants
 * @param {boolean} raised whether limits are far above anything met, or the default ones
 * @param {{ durability?: import('../index.js').Durability, resolveSymlinks?: boolean }} [options] what native writes wait for, and
 *   whether it is checked where links lead to
 * @returns {Kit}
 */
function makeKit(api, grants, raised, { durability, resolveSymlinks } = {}) {
  const { AccessType, DirectoryConfiguration, FileConfiguration, FileToolPackage, SearchConfiguration, Workspace } = api
  const accesses = grants.map(({ right, path }) => ({ type: AccessType[right], path }))
  const workspace = new Workspace(new DirectoryConfiguration(accesses, undefined, resolveSymlinks))
  const [search, files] = raised
    ? [new SearchConfiguration(noLimit, noLimit, noLimit, 600_000), new FileConfiguration(1e9, 1e9)]
    : [new SearchConfiguration(), new FileConfiguration()]
  if (durability !== undefined) {
    files.durability = durability
  }
  const tools = new FileToolPackage(workspace, search, files).tools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return { workspace, call: (tool, args) => byName.get(tool).execute(args) }
}

/**
 * The published packages and this one, on Workspaces of their own with the same grants, limits raised.
 * @param {Grant[]} grants
 * @returns {{published: Kit, native: Kit}}
 */
export function makeKits(grants) {
  return makeBoth(grants, true)
}

/**
 * The same with the native package's writes as durable as said; the published ones wait for nothing.
 * @param {Grant[]} grants
 * @param {import('../index.js').Durability} durability
 */
export function makeWritingKits(grants, durability) {
  return makeBoth(grants, true, durability)
}

/**
 * The same with default limits.
 * @param {Grant[]} grants
 */
export function makeDefaultKits(grants) {
  return makeBoth(grants, false)
}

/**
 * Contenders that make the same call through this package, once where links lead to is checked and once where it is not.
 * @param {Grant[]} grants
 * @param {(kit: Kit) => unknown} run
 */
export function resolvedAgainstFollowed(grants, run) {
  const [followed, resolved] = [false, true].map((resolveSymlinks) => makeKit(native, grants, true, { resolveSymlinks }))
  const contender = (/** @type {Kit} */ kit) => ({ run: () => run(kit), answer: () => run(kit) })
  return { rival: 'links followed', contenders: { 'links followed': contender(followed), native: contender(resolved) } }
}

/**
 * @param {Grant[]} grants
 * @param {boolean} raised
 * @param {import('../index.js').Durability} [durability]
 */
function makeBoth(grants, raised, durability) {
  return {
    published: makeKit({ ...publishedWorkspaces, ...publishedFiles }, grants, raised),
    native: makeKit(native, grants, raised, { durability })
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
