/** Reading of environment variables, by the rules of the published packages. */

/**
 * An integer of at least 1: the leading digits of the value, as `parseInt` reads them.
 *
 * @param name - Variable to read.
 * @param fallback - Answer when the variable is unset, empty or no number.
 */
export function envInteger(name: string, fallback: number): number {
  const parsed = Number.parseInt(process.env[name] ?? '', 10)
  return Math.max(1, Number.isNaN(parsed) ? fallback : parsed)
}

/**
 * A switch: unset or empty means the fallback, exactly `true` means on, anything else off.
 *
 * @param raw - The variable's value.
 * @param fallback - Answer when there is none.
 */
export function parseBoolean(raw: string | undefined, fallback: boolean): boolean {
  return raw === undefined || raw === '' ? fallback : raw === 'true'
}

/**
 * A list separated by commas; blanks around items and empty items are dropped.
 *
 * @param raw - The variable's value.
 */
export function parseList(raw: string | undefined): string[] {
  if (!raw) return []
  return raw
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * The value of a renamed variable: the older name counts when the newer one is unset.
 *
 * @param name - Name in use.
 * @param older - Name of earlier releases.
 */
export function envRenamed(name: string, older: string): string | undefined {
  return process.env[name] ?? process.env[older]
}
