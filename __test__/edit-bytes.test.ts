import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryTree } from './support/tree.js';
import { answers, toolsOn, workspaceOn } from './support/tools.js';

type Args = Record<string, unknown>;

/** Edits a file with these bytes; gives the status of the result and the bytes afterwards. */
async function edited(tool: string, content: Uint8Array, args: Args): Promise<[string | undefined, Buffer]> {
  const dir = temporaryTree({ 'a.txt': content });
  const [result] = await answers(toolsOn(workspaceOn(dir))(tool), { path: 'a.txt', paths: ['a.txt'], ...args });
  return [result?.status, fs.readFileSync(path.join(dir, 'a.txt'))];
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
/** Enough plain text that a few odd bytes do not make the file binary. */
const PLAIN = 'plain words to drown the odd byte in, as many as it takes\n'.repeat(3);

describe('bytes outside an edit', () => {
  it.each<[string, Args, string]>([
    ['replace_file_lines', { content: 'X', start_line: 2 }, `caf\xe9\nX\nend \xff`],
    ['insert_file_content', { content: 'X', line: 2 }, `caf\xe9\nX\ntwo\nend \xff`],
    ['replace_file_content', { old_content: 'two', new_content: 'X' }, `caf\xe9\nX\nend \xff`],
    ['replace_file_content', { old_content: 'e', new_content: '', replace_all: true }, `caf\xe9\ntwo\nnd \xff`],
  ])('faults D3: stay as they are in Latin-1, by %s %j', async (tool, args, after) => {
    const plain = args['replace_all'] === true ? PLAIN.replaceAll('e', '') : PLAIN;
    expect(await edited(tool, latin1(`caf\xe9\ntwo\nend \xff${PLAIN}`), args)).toEqual(['success', latin1(after + plain)]);
  });

  it('faults D3: text that is no ASCII is not put into a file of unknown encoding', async () => {
    const before = latin1(`caf\xe9\ntwo\n${PLAIN}`);
    expect(await edited('replace_file_lines', before, { content: 'é', start_line: 2 })).toEqual(['error', before]);
    expect(await edited('insert_file_content', before, { content: 'é', line: 2 })).toEqual(['error', before]);
    expect(await edited('replace_file_content', before, { old_content: 'two', new_content: 'é' })).toEqual(['error', before]);
  });

  it('faults D3: U+FFFD in old_content does not match bytes that are shown as it', async () => {
    const before = latin1(`caf\xe9\ntwo\n${PLAIN}`);
    expect(await edited('replace_file_content', before, { old_content: 'caf\ufffd', new_content: 'tea' })).toEqual(['error', before]);
  });

  it.each([false, true])('faults D4: stay UTF-16, big-endian: %s', async (bigEndian) => {
    const utf16 = (text: string): Buffer => {
      const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
      return bigEndian ? bytes.swap16() : bytes;
    };
    const before = utf16('eins\nzwei\ndrei 😀');
    expect(await edited('replace_file_lines', before, { content: 'é', start_line: 2 })).toEqual(['success', utf16('eins\né\ndrei 😀')]);
    expect(await edited('insert_file_content', before, { content: 'x', line: 4 })).toEqual(['success', utf16('eins\nzwei\ndrei 😀\nx')]);
    expect(await edited('replace_file_content', before, { old_content: 'ei', new_content: '', replace_all: true })).toEqual(['success', utf16('ns\nzw\ndr 😀')]);
  });

  it('faults D5: a binary tail survives', async () => {
    const tail = Buffer.concat([Buffer.from(PLAIN.repeat(60)), Buffer.from([0, 1, 0x80, 0xff, 0xfe, 0, 13, 10, 13])]);
    const [status, after] = await edited('replace_file_lines', Buffer.concat([Buffer.from('one\ntwo\n'), tail]), { content: 'X', start_line: 1 });
    expect(status).toBe('success');
    expect(after).toEqual(Buffer.concat([Buffer.from('X\ntwo\n'), tail]));
  });

  it('faults D5: a cut or overlong sequence survives', async () => {
    const odd = Buffer.from([0xe2, 0x82, 0x0a, 0xc0, 0xaf, 0x0a, 0xed, 0xa0, 0x80, 0x0a, 0xf0, 0x9f, 0x98]);
    const before = Buffer.concat([Buffer.from('one\n'), Buffer.from(PLAIN.repeat(2)), odd]);
    const [status, after] = await edited('replace_file_content', before, { old_content: 'one', new_content: 'two' });
    expect(status).toBe('success');
    expect(after).toEqual(Buffer.concat([Buffer.from('two\n'), Buffer.from(PLAIN.repeat(2)), odd]));
  });
});

describe('line ends', () => {
  const text = async (tool: string, content: string, args: Args): Promise<string> => (await edited(tool, Buffer.from(content), args))[1].toString();

  it.each<[string, Args, string]>([
    ['replace_file_lines', { content: 'X', start_line: 2 }, 'one\r\nX\r\nthree\r\n'],
    ['replace_file_lines', { content: 'X\nY', start_line: 2 }, 'one\r\nX\r\nY\r\nthree\r\n'],
    ['replace_file_lines', { content: 'X\nY', start_line: 1, end_line: 3 }, 'X\r\nY\r\n'],
    ['insert_file_content', { content: 'X', line: 2 }, 'one\r\nX\r\ntwo\r\nthree\r\n'],
    ['insert_file_content', { content: 'X\nY', line: 1 }, 'X\r\nY\r\none\r\ntwo\r\nthree\r\n'],
    ['replace_file_content', { old_content: 'one\ntwo', new_content: 'X' }, 'X\r\nthree\r\n'],
    ['replace_file_content', { old_content: 'one\r\ntwo', new_content: 'X' }, 'X\r\nthree\r\n'],
    ['replace_file_content', { old_content: 'one\ntwo\n', new_content: 'X\nY\n' }, 'X\r\nY\r\nthree\r\n'],
    ['replace_file_content', { old_content: 'two', new_content: 'X\nY' }, 'one\r\nX\r\nY\r\nthree\r\n'],
  ])('faults E2: a CRLF file keeps CRLF, by %s %j', async (tool, args, after) => {
    expect(await text(tool, 'one\r\ntwo\r\nthree\r\n', args)).toBe(after);
  });

  it('faults E2: CRLF in old_content matches LF when it is nowhere as it is', async () => {
    expect(await text('replace_file_content', 'one\ntwo\n', { old_content: 'one\r\ntwo', new_content: 'X' })).toBe('X\n');
  });

  it('prefers the exact text to its likeness', async () => {
    expect(await text('replace_file_content', 'a\r\nb a\nb', { old_content: 'a\nb', new_content: 'X' })).toBe('a\r\nb X');
  });

  it('takes old_content that is nothing but line ends literally', async () => {
    const before = Buffer.from('a\r\nb');
    expect(await edited('replace_file_content', before, { old_content: '\n\n', new_content: 'X' })).toEqual(['error', before]);
    expect(await text('replace_file_content', 'a\n\nb', { old_content: '\n\n', new_content: '\n' })).toBe('a\nb');
  });

  it('leaves mixed line ends elsewhere alone', async () => {
    expect(await text('replace_file_content', 'a\r\nb\nc\rd\n', { old_content: 'b', new_content: 'X' })).toBe('a\r\nX\nc\rd\n');
    expect(await text('replace_file_lines', 'a\r\nb\nc\rd\n', { content: 'X', start_line: 2 })).toBe('a\r\nX\nc\rd\n');
  });
});
