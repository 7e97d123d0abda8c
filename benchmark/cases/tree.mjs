// Work on a whole tree: walk, list, search by name.
import { makeKits, pair } from '../contenders.mjs'

/**
 * All entries of a walk in order, as values that can be compared.
 * @param {import('../contenders.mjs').Kit} kit
 * @param {string} tree
 */
async function entries({ workspace }, tree) {
  const answer = []
  for await (const { filePath, dirent } of workspace.walk(tree)) {
    answer.push(`${filePath} ${dirent.parentPath} ${dirent.name} ${dirent.isDirectory()} ${dirent.isFile()}`)
  }
  return answer
}

/**
 * @param {string} tree a directory of at least 80,000 entries
 * @returns {import('../measure.mjs').Case[]}
 */
export function treeCases(tree) {
  const kits = makeKits([{ right: 'Write', path: tree }])
  return [
    {
      name: 'walk: for await over the tree',
      unit: 'ms',
      bar: 0.2,
      samples: 9,
      calls: 1,
      ...pair(
        kits,
        async ({ workspace }) => {
          let count = 0
          for await (const { filePath } of workspace.walk(tree)) {
            count += filePath.length
          }
          return count
        },
        (kit) => entries(kit, tree)
      )
    },
    {
      name: 'walk: first entry, then break',
      unit: 'us',
      bar: 1.2,
      samples: 15,
      calls: 20,
      gap: 2,
      ...pair(kits, async ({ workspace }) => {
        for await (const { filePath } of workspace.walk(tree)) {
          return filePath
        }
        return undefined
      })
    },
    {
      name: 'list_directory: recursive, limits raised',
      unit: 'ms',
      bar: 0.15,
      samples: 9,
      calls: 1,
      ...pair(kits, ({ call }) => call('list_directory', { path: tree, recursive: true }))
    },
    {
      name: 'search_entries: name \\.c$, limits raised',
      unit: 'ms',
      bar: 0.15,
      samples: 9,
      calls: 1,
      ...pair(kits, ({ call }) => call('search_entries', { path: tree, name_pattern: '\\.c$' }))
    }
  ]
}
