import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isBinary } from '../index.js';
import { published } from './support/published.js';
import { Random } from './support/random.js';
import { fifo, temporaryDirectory, temporaryTree } from './support/tree.js';

const bytes = (...values: number[]): Buffer => Buffer.from(values);
const repeat = (value: string, times: number): Buffer => Buffer.from(value.repeat(times));

/** Name, content, verdict. */
const CORPUS: [string, Buffer, boolean][] = [
  ['empty', Buffer.alloc(0), false],
  ['plain text', Buffer.from('hello\nworld\n'), false],
  ['tabs, form feeds and escapes of the C0 range 7 to 14', bytes(7, 8, 9, 10, 11, 12, 13, 14, 65), false],
  ['CRLF', Buffer.from('a\r\nb\r\n'), false],
  ['UTF-8', Buffer.from('日本語 naïve 😀\n'.repeat(20)), false],
  ['UTF-8 with BOM', Buffer.from('\ufefftext'), false],
  ['UTF-16LE with BOM', Buffer.from('\ufefftext', 'utf16le'), false],
  ['UTF-16BE with BOM', Buffer.from('\ufefftext', 'utf16le').swap16(), false],
  ['UTF-32LE with BOM', bytes(0xff, 0xfe, 0, 0, 65, 0, 0, 0), false],
  ['UTF-32BE with BOM', bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 65), false],
  ['GB18030 with BOM', bytes(0x84, 0x31, 0x95, 0x33, 65), false],
  ['Latin-1 with few accents', Buffer.from('caf\u00e9 au lait, and more of plain text to drown it\n', 'latin1'), false],
  ['KOI8-R', bytes(...Array.from({ length: 60 }, (_, index) => 0xc1 + (index % 30))), true],
  ['PDF', Buffer.from('%PDF-1.7\nrest of it'), true],
  ['a NUL', bytes(65, 0, 66), true],
  ['00 01 02 FF', bytes(0, 1, 2, 255), true],
  ['ELF', Buffer.concat([bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0), Buffer.alloc(56)]), true],
  ['PNG', bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d), true],
  ['a NUL as byte 511', Buffer.concat([repeat('a', 511), bytes(0)]), true],
  ['control characters by the dozen', bytes(...Array.from({ length: 64 }, (_, index) => (index % 5 === 0 ? 1 : 65))), true],
];

const file = (content: Uint8Array): string => path.join(temporaryTree({ it: content }), 'it');

describe('isBinary', () => {
  it.each(CORPUS)('%s', async (_, content, expected) => {
    expect(await isBinary(file(content))).toBe(expected);
  });

  it('is true for what cannot be read', async () => {
    const dir = temporaryTree({ pipe: fifo() });
    expect(await isBinary(path.join(dir, 'missing'))).toBe(true);
    expect(await isBinary(dir)).toBe(true);
    expect(await isBinary(path.join(dir, 'pipe'))).toBe(true);
    expect(await isBinary(`${dir}/a\0b`)).toBe(true);
  });

  it.each([
    ['right after the 512 bytes of the published sample', 512],
    ['at the end of the first 8 KiB', 8191],
  ])('faults binary sample: a NUL %s makes a file binary', async (_, offset) => {
    expect(await isBinary(file(Buffer.concat([repeat('a', offset), bytes(0), repeat('b', 50)])))).toBe(true);
  });

  it('does not look beyond 8 KiB', async () => {
    expect(await isBinary(file(Buffer.concat([repeat('a', 8192), bytes(0), repeat('b', 50)])))).toBe(false);
  });

  it('faults binary sample: UTF-16 without a BOM is full of NULs, so it is binary', async () => {
    expect(await isBinary(file(Buffer.from('plain words without a mark\n'.repeat(4), 'utf16le')))).toBe(true);
  });

  it('takes a character cut by the end of the sample for no evidence', async () => {
    for (let shift = 0; shift < 4; shift += 1) {
      expect(await isBinary(file(Buffer.concat([repeat('a', shift), repeat('😀', 300)])))).toBe(false);
      expect(await isBinary(file(Buffer.concat([repeat('a', shift), repeat('語', 300)])))).toBe(false);
    }
  });

  it('agrees with the published check on random samples without NUL', { timeout: 60_000 }, async () => {
    const random = new Random(7);
    const dir = temporaryDirectory();
    for (let round = 0; round < 600; round += 1) {
      const share = random.pick([0, 0.02, 0.08, 0.1, 0.12, 0.3, 1]);
      const content = Buffer.from(
        Array.from({ length: random.int(1, 700) }, () => (random.chance(share) ? random.int(1, 255) : random.int(32, 126))),
      );
      const at = path.join(dir, 'it');
      fs.writeFileSync(at, content);
      expect(await isBinary(at), content.toString('hex')).toBe(await published.isBinary(at));
    }
  });
});
