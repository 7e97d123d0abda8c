/**
 * How a file's bytes are text, by the rules that this package promises: UTF-8 and UTF-16 by BOM are
 * decoded, the BOM is no part of the text, and bytes that are no text survive every edit.
 */

/** A decoded file. Invalid bytes stand as lone low surrogates U+DC80..U+DCFF, so that encoding gives them back. */
export interface Decoded {
  text: string;
  encoding: 'utf8' | 'utf16le' | 'utf16be';
  bom: boolean;
  /** true when some byte was not valid UTF-8 */
  invalid: boolean;
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const WIDE_BOMS = [[0xff, 0xfe], [0xfe, 0xff], [0, 0, 0xfe, 0xff]].map((bom) => Buffer.from(bom));

/** The decoded text of a file. */
export function decode(bytes: Buffer): Decoded {
  if (bytes.subarray(0, 3).equals(UTF8_BOM)) return { ...decodeUtf8(bytes.subarray(3)), bom: true };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: bytes.subarray(2).toString('utf16le'), encoding: 'utf16le', bom: true, invalid: bytes.length % 2 === 1 };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    const even = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
    return { text: even.swap16().toString('utf16le'), encoding: 'utf16be', bom: true, invalid: bytes.length % 2 === 1 };
  }
  return { ...decodeUtf8(bytes), bom: false };
}

function decodeUtf8(bytes: Buffer): Omit<Decoded, 'bom'> {
  const whole = bytes.toString('utf8');
  if (Buffer.from(whole).equals(bytes)) return { text: whole, encoding: 'utf8', invalid: false };
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] as number);
    const piece = bytes.subarray(at, at + length);
    const text = piece.toString('utf8');
    if (length > 0 && piece.length === length && Buffer.from(text).equals(piece)) {
      parts.push(text);
      at += length;
    } else {
      parts.push(String.fromCharCode(0xdc00 + (bytes[at] as number)));
      at += 1;
    }
  }
  return { text: parts.join(''), encoding: 'utf8', invalid: true };
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

/** The bytes of a text in the file's own encoding, with its BOM and its invalid bytes. */
export function encode(text: string, like: Decoded): Buffer {
  if (like.encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (like.encoding === 'utf16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const body = like.invalid ? encodeEscaped(text) : Buffer.from(text);
  return like.bom ? Buffer.concat([UTF8_BOM, body]) : body;
}

function encodeEscaped(text: string): Buffer {
  return Buffer.concat(
    Array.from(text, (character) => {
      const unit = character.charCodeAt(0);
      return character.length === 1 && unit >= 0xdc80 && unit <= 0xdcff ? Buffer.from([unit - 0xdc00]) : Buffer.from(character);
    }),
  );
}

/** The text as it is shown and counted: invalid bytes become U+FFFD, as Node's decoder makes them. */
export function shown(bytes: Buffer, decoded: Decoded): string {
  if (decoded.encoding !== 'utf8' || !decoded.invalid) return decoded.text;
  return bytes.subarray(decoded.bom ? 3 : 0).toString('utf8');
}

/** A NUL in the first 8 KiB makes a file binary unless a UTF-16 or UTF-32 BOM explains it. */
export function isBinaryByNul(bytes: Buffer): boolean {
  return bytes.subarray(0, 8192).includes(0) && !WIDE_BOMS.some((bom) => bytes.subarray(0, bom.length).equals(bom));
}

/** Cuts a text to `units` UTF-16 units without splitting a pair. */
export function cut(text: string, units: number): string {
  const kept = text.slice(0, Math.max(0, units));
  return /[\ud800-\udbff]$/.test(kept) && /^[\udc00-\udfff]/.test(text.slice(kept.length)) ? kept.slice(0, -1) : kept;
}
