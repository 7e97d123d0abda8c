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
  const unread = [
    counted(unreadableDirectories, 'directory', 'directories'),
    counted(unreadableFiles, 'file', 'files')
  ].filter((part) => part !== '')
  const parts = []
  if (unread.length > 0) parts.push(`could not read ${unread.join(' and ')}`)
  if (oversized > 0) {
    parts.push(`${counted(oversized, 'file', 'files')} skipped as larger than ${maxFileSize} bytes`)
  }
  return parts.length === 0 ? '' : `(Warning: ${parts.join(', ')}, ${consequence})\n\n`
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`
}
