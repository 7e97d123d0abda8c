import type { Random } from './random.js';
import type { Setup } from './side.js';

/** A random configuration for the trees of random-tree: up to three grants, nested or not, and small limits now and then. */
export function randomSetup(random: Random): Setup {
  const grants = random.pick<Setup['grants']>([
    [{ type: 'write', path: 'main' }],
    [{ type: 'write', path: 'main' }],
    [{ type: 'read', path: 'main' }, { type: 'write', path: 'main/src' }],
    [{ type: 'write', path: 'main' }, { type: 'read', path: 'main/src' }],
    [{ type: 'write', path: 'main' }, { type: 'read', path: 'shared' }],
    [{ type: 'read', path: 'shared' }, { type: 'write', path: 'main' }, { type: 'write', path: 'main/src' }],
    [{ type: 'read', path: 'main' }],
    [{ type: 'read', path: 'main' }, { type: 'write', path: 'main' }],
    [{ type: 'write', path: 'main/src' }, { type: 'write', path: 'shared' }],
  ]);
  return {
    grants,
    skipDirs: random.several(0, 2, () => random.pick(['node_modules', '.git', 'docs', 'src', 'many'])),
    resolveSymlinks: random.chance(0.4),
    workspacePath: random.pick([undefined, undefined, 'main', 'main/src', 'shared', 'outside', 'main/missing']),
    precedence: random.pick(['write-wins', 'write-wins', 'last-added-wins']),
    file: [random.pick([undefined, undefined, undefined, 2000, 300, 60]), random.pick([undefined, undefined, undefined, 5000, 500]), random.chance(0.5)],
    search: [random.pick([undefined, 5, 2, 200]), random.pick([undefined, 1000, 1000, 20, 3]), random.pick([undefined, undefined, 60, 200])],
  };
}
