import type { Random } from './random.js';

/** Characters that are hard to fold, to pair or to count as words, among plain ones. */
const CHARACTERS = [...'aabbccABC019__  --..kKsSiI', '\u212a', '\u017f', 'ß', 'ẞ', 'Σ', 'σ', 'ς', 'é', 'É', 'İ', 'ı', 'µ', '漢', '😀', '😁', '𐐀', '𐐨'];

/** A line of up to 16 characters, without an end. */
export function randomLine(random: Random): string {
  return random.several(0, 16, () => random.pick(CHARACTERS)).join('');
}

const CLASS_PARTS = ['a', 'b-k', 'A-Z', '0-9', '\\w', '\\d', '\\s', '\\W', '\\S', '_', 'ß', 'σ', 'k', 's', '漢', '😀', '.', '\\-', '\\b'];
const UNICODE_PARTS = ['\\p{Lu}', '\\P{Ll}', '\\p{Script=Greek}', '😀-😃', '\\u{1f600}'];
const ESCAPES = ['\\w', '\\W', '\\d', '\\D', '\\s', '\\S', '\\x61', '\\u0062', '\\.', '.', '.'];
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0,2}', '{1,3}?', '{2,}'];

/**
 * A random pattern for the flags; the `RegExp` constructor may still refuse it.
 *
 * @param random - Where its choices come from.
 * @param isUnicode - Whether it is for flag `u`.
 */
export function randomPattern(random: Random, isUnicode: boolean): string {
  return alternatives(random, isUnicode, 3);
}

function alternatives(random: Random, isUnicode: boolean, depth: number): string {
  return random.several(1, random.chance(1 / 4) ? 2 : 1, () => sequence(random, isUnicode, depth)).join('|');
}

function sequence(random: Random, isUnicode: boolean, depth: number): string {
  const terms = random.several(1, 4, () => term(random, isUnicode, depth)).join('');
  // V8 11 loses the first half of a pair that follows a reference to a later group.
  return terms.replaceAll(/(\\[12])([\u{10000}-\u{10ffff}])/gu, '$1(?:$2)');
}

function term(random: Random, isUnicode: boolean, depth: number): string {
  const choice = random.int(0, 23);
  if (choice === 0) return random.pick(['^', '$', '\\b', '\\B']);
  if (choice === 1 && depth > 0) {
    return `(${random.pick(['?=', '?!', '?<=', '?<!'])}${alternatives(random, isUnicode, depth - 1)})`;
  }
  const one = atom(random, isUnicode, depth, choice);
  // V8 11 misses matches of a lazily repeated group that begins with a lookbehind.
  const isLazy = (quantifier: string): boolean => quantifier.length > 1 && quantifier.endsWith('?');
  const quantifier = random.chance(1 / 3) ? random.pick(QUANTIFIERS) : '';
  return one + (isLazy(quantifier) && one.includes('(?<') ? '' : quantifier);
}

function atom(random: Random, isUnicode: boolean, depth: number, choice: number): string {
  if (choice < 5 && depth > 0) {
    const inner = alternatives(random, isUnicode, depth - 1);
    return `(${random.pick(['', '', '?:', `?<n${random.int(0, 999)}>`])}${inner})`;
  }
  if (choice < 8) {
    const parts = isUnicode ? [...CLASS_PARTS, ...UNICODE_PARTS] : CLASS_PARTS;
    const members = random.several(1, 3, () => random.pick(parts)).join('');
    return `[${random.pick(['', '', '^'])}${members}]`;
  }
  if (choice === 8) return random.pick(['\\1', '\\2']);
  if (choice === 9 && isUnicode) return random.pick(['\\p{Lu}', '\\P{L}', '\\p{Script=Greek}']);
  if (choice < 14) return random.pick(ESCAPES);
  return random.pick(CHARACTERS).replace('.', '\\.').replace('-', isUnicode ? '\\x2d' : '-');
}
