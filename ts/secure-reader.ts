import path from 'node:path'

import { abortable } from './abort.js'
import type { NativePolicy } from './binding.js'
import {
  requireCount,
  requireObject,
  requirePath,
  requireSignal,
  wrongValue
} from './engine/options.js'
import { illFormedPath, toError } from './failure.js'
import { binding } from './native.js'
import { hint, pageLimits, readPage, type PageLimits } from './page.js'

/** What to read. */
export interface SecureReadOptions {
  /** First line, from 1; by default the first. */
  offset?: number | undefined
  /** Most lines; by default, and at most, as many as the reader's limits allow. */
  limit?: number | undefined
  /** Ends the read; the promise then rejects at once with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** Part of an answer. */
export interface TextContent {
  type: 'text'
  text: string
}

/** Whole lines of a text file. */
export interface SecureReadResult {
  /**
   * One part: the lines with newlines between them. When the file has more, a hint that names the
   * next offset follows after an empty line.
   */
  content: [TextContent]
  details: {
    /** Lines of the file; a newline at its end begins no other. */
    totalLines: number
    /** The offset to go on with; `null` at the end of the file. */
    nextOffset: number | null
    /** The limit of the reader that ended the answer before the lines asked for, if one did. */
    truncatedBy: 'lines' | 'bytes' | null
  }
}

/**
 * Reads text files beneath one directory and nowhere else, some whole lines at a time.
 *
 * A path that leads out by its spelling is refused before anything is asked of the disk; what links
 * lead to is checked on the opened file. Only regular text files are read. Lines are never cut.
 *
 * @example
 * const reader = new SecureReader('/srv/project')
 * const { content, details } = await reader.read('src/main.ts', { offset: 1, limit: 100 })
 */
export class SecureReader {
  readonly #root: string
  readonly #limits: { maxLines: number; maxBytes: number }
  readonly #policy: NativePolicy

  /**
   * @param root - The directory; a relative one is resolved now. It need not exist yet.
   * @param limits - Limits of every answer.
   * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`.
   */
  constructor(root: string, limits: PageLimits = {}) {
    requireRoot(root)
    requireObject('limits', limits)
    this.#limits = pageLimits('limits', limits)
    this.#root = path.resolve(root)
    this.#policy = new (binding().Policy)({
      paths: [this.#root],
      writable: [false],
      mostSpecificWins: false,
      resolveSymlinks: true,
      skipDirs: [],
      deny: []
    })
  }

  /** Absolute path of the directory, its links unresolved. */
  get root(): string {
    return this.#root
  }

  /**
   * Reads some lines of a file. The checks come in this order: aborted, arguments, spelling of the
   * path, links, aborted, kind of the file, binary content, offset, limits.
   *
   * @param filePath - Path; a relative one is resolved against the root.
   * @param options - Lines and signal.
   * @throws The signal's reason; TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`; Error
   *   `ERR_NOT_GRANTED` for what lies outside, whether or not it exists; Node's errors of `stat`,
   *   `open` and `read`; `EISDIR` or `ERR_NOT_REGULAR` for what is no regular file; `ERR_BINARY`;
   *   RangeError `ERR_OUT_OF_RANGE` for an offset beyond the end; `ERR_LINE_TOO_LONG` when the
   *   first line alone exceeds `maxBytes`.
   */
  async read(filePath: string, options: SecureReadOptions = {}): Promise<SecureReadResult> {
    requireObject('options', options)
    const { offset = 1, limit, signal } = options
    requireSignal(signal)
    signal?.throwIfAborted()
    requireFile(filePath)
    requireCount('options.offset', offset)
    if (limit !== undefined) requireCount('options.limit', limit)
    const limits = this.#limits
    const page = await abortable(signal, (cancel) =>
      readPage(
        binding(),
        { policy: this.#policy, cwd: this.#root, ...(cancel && { cancel }) },
        filePath,
        { offset, confined: true, ...limits, ...(limit !== undefined && { limit }) }
      )
    )
    if (page.failure) throw toError(page.failure)
    const { text = '', totalLines = 0, nextOffset = null, truncatedBy = null } = page
    return {
      content: [{ type: 'text', text: text + hint(page, limits) }],
      details: { totalLines, nextOffset, truncatedBy }
    }
  }
}

function requireFile(filePath: unknown): asserts filePath is string {
  requirePath(filePath)
  if (filePath === '') throw wrongValue('path', filePath, 'must not be empty', requireFile)
  if (!filePath.isWellFormed()) throw toError(illFormedPath(filePath))
}

function requireRoot(root: unknown): asserts root is string {
  requirePath(root)
  if (root === '') throw wrongValue('root', root, 'must not be empty', requireRoot)
  if (root.includes('\0') || !root.isWellFormed()) {
    throw wrongValue('root', root, 'must be well formed and without null bytes', requireRoot)
  }
}
