/**
 * Everything that a typed path may mean: the name as typed, the name without the blanks around
 * it, and the name that a quoted string stands for. The core chooses among them by what exists;
 * rules of the host must agree to all of them.
 *
 * @param raw - The path as typed.
 */
export function meanings(raw: string): string[] {
  const trimmed = raw.trim()
  const unquoted = unquote(trimmed)
  const all = unquoted === undefined ? [trimmed, raw] : [trimmed, raw, unquoted]
  return [...new Set(all)]
}

/**
 * The absolute path that an answer shows: quoted if it could mislead.
 *
 * @param shown - The path as shown.
 */
export function nameOf(shown: string): string {
  return unquote(shown) ?? shown
}

/** The name that a quoted string stands for; a byte that is not UTF-8 (`\xNN`) becomes U+FFFD. */
function unquote(text: string): string | undefined {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return undefined
  const json = text.replace(/\\(?:x[0-9a-fA-F]{2}|[^])/g, (escape) =>
    escape.startsWith('\\x') ? '\ufffd' : escape
  )
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
