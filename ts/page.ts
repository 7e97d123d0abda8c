import type { Binding, CallContext, PageAnswer, PageOptions } from './binding.js'
import { requireCount } from './engine/options.js'

/** How much one answer of a reader may hold. */
export interface PageLimits {
  /** Most lines; by default 2000. */
  maxLines?: number | undefined
  /**
   * Most bytes, at most 64 MiB: those of the lines in UTF-8 and of the newlines between them. By
   * default 51200.
   */
  maxBytes?: number | undefined
}

/** As much as one call of the engine gives. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Limits with their defaults.
 *
 * @param name - Name of the argument.
 * @param limits - The argument as given.
 * @throws TypeError `ERR_INVALID_ARG_TYPE` or `ERR_INVALID_ARG_VALUE`.
 */
export function pageLimits(
  name: string,
  { maxLines = 2000, maxBytes = 51_200 }: PageLimits
): { maxLines: number; maxBytes: number } {
  requireCount(`${name}.maxLines`, maxLines)
  requireCount(`${name}.maxBytes`, maxBytes, MOST_BYTES)
  return { maxLines, maxBytes }
}

/**
 * Reads a page. A large file whose lines are not known is read among the heavy work, so that other
 * reads need not wait for it.
 *
 * @param binding - The addon.
 * @param context - The call.
 * @param path - The path as typed.
 * @param options - What to read.
 */
export async function readPage(
  binding: Binding,
  context: CallContext,
  path: string,
  options: Omit<PageOptions, 'patient'>
): Promise<PageAnswer> {
  const answer = await binding.readPage(context, path, { ...options, patient: false })
  const isAnswered = answer.failure !== undefined || answer.path !== undefined
  return isAnswered ? answer : binding.readPage(context, path, { ...options, patient: true })
}

/**
 * What follows the lines of a page when the file has more: where to go on. Empty at its end.
 *
 * @param page - The page.
 * @param limits - Its limits.
 */
export function hint(
  { firstLine = 1, totalLines = 0, nextOffset, truncatedBy }: PageAnswer,
  { maxLines, maxBytes }: { maxLines: number; maxBytes: number }
): string {
  if (nextOffset === undefined) return ''
  const limits = { lines: ` (limit of ${maxLines} lines)`, bytes: ` (limit of ${maxBytes} bytes)` }
  const limit = truncatedBy === undefined ? '' : limits[truncatedBy]
  const range = `lines ${firstLine}-${nextOffset - 1} of ${totalLines}`
  return `\n\n[Showing ${range}${limit}. Use offset=${nextOffset} to continue.]`
}
