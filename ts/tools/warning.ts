/** What a listing or search could not look at. */
export interface LeftOut {
  unreadableDirectories: number
  unreadableFiles?: number
  oversized?: number
  /** The limit that oversized files exceed, in bytes. */
  maxFileSize?: number
}

/**
 * The warning before an answer that is not complete; empty for one that is.
 *
 * @param leftOut - What could not be looked at.
 * @param consequence - End of the sentence.
 */
export function warning(leftOut: LeftOut, consequence: string): string {
  const { unreadableDirectories, unreadableFiles = 0, oversized = 0, maxFileSize = 0 } = leftOut
  const large = counted(oversized, 'file', 'files')
  const parts = [
    counted(unreadableDirectories, 'directory', 'directories'),
    counted(unreadableFiles, 'file', 'files'),
    large && `${large} larger than ${maxFileSize} bytes`
  ].filter((part) => part !== '')
  const last = parts.pop()
  if (last === undefined) return ''
  const list = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
  return `(Warning: could not read ${list}, ${consequence})\n\n`
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}
