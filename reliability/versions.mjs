// Files that tell whether they are whole: every line names the version and the number of lines.

const lineBytes = 50

/** The version in a line, zero-filled so that all lines are of one length. @param {number} version */
export const mark = (version) => `version ${String(version).padStart(10, '0')}`

/**
 * The text of a version.
 * @param {number} version
 * @param {number} lines
 */
export function textOf(version, lines) {
  return `${`${mark(version)} of ${String(lines).padStart(8, '0')} lines`.padEnd(lineBytes - 1, '.')}\n`.repeat(lines)
}

/** Lines that make up about so many bytes. @param {number} bytes */
export const linesFor = (bytes) => Math.ceil(bytes / lineBytes)

/**
 * The version that the bytes are, or what is wrong with them.
 * @param {Buffer} bytes
 * @returns {number | string}
 */
export function versionOf(bytes) {
  const found = /^version (\d{10}) of (\d{8}) lines\.*\n$/.exec(bytes.toString('latin1', 0, lineBytes))
  if (found === null) {
    return `${bytes.length} bytes that begin with ${JSON.stringify(bytes.toString('latin1', 0, lineBytes))}`
  }
  const [version, lines] = found.slice(1).map(Number)
  if (bytes.length !== lines * lineBytes) return `${bytes.length} bytes of ${lines * lineBytes}`
  // Every line is the one before it.
  return bytes.subarray(lineBytes).equals(bytes.subarray(0, -lineBytes)) ? version : `lines that differ from ${JSON.stringify(mark(version))}`
}

/** Whether a name is that of a temporary file. @param {string} name */
export const isTemporary = (name) => /^\.[0-9a-f]{16}-[0-9A-Za-z]+\.llmfs$/.test(name)
