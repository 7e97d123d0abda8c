import { binding } from './native.js'

/**
 * Whether a file looks binary, judged by its first 8 KiB.
 *
 * @param filePath - Path; a relative one is resolved against the process's directory.
 * @returns True also when the file cannot be read.
 */
export async function isBinary(filePath: string): Promise<boolean> {
  if (typeof filePath !== 'string' || !filePath.isWellFormed()) return true
  try {
    return await binding().isBinary(filePath)
  } catch {
    return true
  }
}
