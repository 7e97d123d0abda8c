import type { Random } from './random.js';

/** The lines of a text as readers show them: a final newline begins no other line, and `\r\n` ends one like `\n`. */
export function linesOf(text: string): string[] {
  const pieces = text.split('\n');
  const last = pieces.pop() ?? '';
  return [...pieces.map((piece) => (piece.endsWith('\r') ? piece.slice(0, -1) : piece)), ...(last === '' ? [] : [last])];
}

/** A text of up to `most` lines, some empty, with mixed line ends, and perhaps without a final newline. */
export function randomText(random: Random, most: number): string {
  const words = ['a', 'é', '€', '😀', ' ', 'word', '\r', '0123456789'];
  const lines = random.several(0, most, () => random.several(0, 6, () => random.pick(words)).join('') + random.pick(['\n', '\n', '\r\n']));
  return lines.join('') + (random.chance(0.5) ? '' : random.pick(['end', 'é', '\r', ' ']));
}
