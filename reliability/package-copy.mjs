// A second copy of this package, as an npm alias would install it.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * @param {string} directory where to put the copy
 * @returns {string} path of the copy's entry
 */
export function copyPackage(directory) {
  mkdirSync(directory, { recursive: true })
  const files = readdirSync(root).filter((name) => /^(dist|(index|engine)\.js|native\.cjs|package\.json|.*\.node)$/.test(name))
  for (const name of files) {
    cpSync(join(root, name), join(directory, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  return join(directory, 'index.js')
}
