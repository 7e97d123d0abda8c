// A tree to work on, where the caller names none.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const endings = ['c', 'h', 'txt', 'md', 'rst']

/** Subdirectories of a directory on the first three levels. */
const width = 16

/** Files of a directory on the third level. */
const files = 19

/** Lines that files are made of; each begins at another. */
const lines = [
  '/* Suspends what is idle. TODO: resume it in order. */',
  'static const struct file_operations sample_ops = {',
  '\t.open = sample_open, .release = sample_release,',
  '};',
  '',
  'int sample_register(struct device *dev, unsigned long flags)',
  '{',
  '\tif (!dev || flags & PM_SUSPEND)',
  '\t\treturn -EINVAL; // reported as ParseError above',
  '\treturn device_add(dev);',
  '}'
]

/**
 * About 2 KB of source.
 * @param {number} seed
 */
function content(seed) {
  return Array.from({ length: 60 }, (_, index) => lines[(seed + index * 7) % lines.length]).join('\n')
}

/**
 * Makes 4,368 directories with 77,824 files of source.
 * @param {string} root is made
 */
export function makeTree(root) {
  mkdirSync(root)
  for (let leaf = 0; leaf < width ** 3; leaf += 1) {
    const names = [Math.floor(leaf / width ** 2), Math.floor(leaf / width) % width, leaf % width]
    const directory = join(root, ...names.map((part, level) => `${'abc'[level]}-${String(part)}`))
    mkdirSync(directory, { recursive: true })
    for (let file = 0; file < files; file += 1) {
      writeFileSync(join(directory, `file-${String(file)}.${endings[file % endings.length]}`), content(leaf + file))
    }
  }
}
