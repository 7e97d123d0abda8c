// canRead and canWrite on a live configuration of three grants.
import { join } from 'node:path'

import { makeKits, pair } from '../contenders.mjs'

/**
 * @param {string} directory
 * @returns {import('../measure.mjs').Case[]}
 */
export function accessCases(directory) {
  const [home, library, shared] = ['home', 'library', 'shared'].map((name) => join(directory, name))
  const kits = makeKits([
    { right: 'Write', path: home },
    { right: 'Read', path: library },
    { right: 'Read', path: shared }
  ])
  /** @type {[string, 'canRead' | 'canWrite', string][]} */
  const questions = [
    ['canRead: third grant', 'canRead', join(shared, 'src/lib/module.ts')],
    ['canRead: relative path', 'canRead', 'src/lib/module.ts'],
    ['canRead: refused', 'canRead', '/etc/passwd'],
    ['canWrite: refused', 'canWrite', join(library, 'src/lib/module.ts')],
    ['canWrite: first grant', 'canWrite', join(home, 'src/lib/module.ts')]
  ]
  return questions.map(([name, method, path]) => ({
    name,
    unit: 'us',
    bar: 0.5,
    samples: 15,
    calls: 10_000,
    synchronous: true,
    ...pair(kits, ({ workspace }) => workspace[method](path))
  }))
}
