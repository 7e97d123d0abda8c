import { getEventListeners } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PageLimits, SecureReadOptions, SecureReadResult } from '../index.js';
import { SecureReader } from '../index.js';
import { linesOf, randomText } from './support/lines.js';
import { Random } from './support/random.js';
import type { TreeLayout } from './support/tree.js';
import { fifo, link, openToAll, temporaryTree } from './support/tree.js';
import { canRunUnprivileged, unprivileged } from './support/unprivileged.js';

function on(layout: TreeLayout, limits?: PageLimits): { dir: string; reader: SecureReader } {
  const dir = temporaryTree(layout);
  return { dir, reader: new SecureReader(dir, limits) };
}

/** The answer for one file with this content. */
async function answerFor(content: string | Uint8Array, options?: SecureReadOptions, limits?: PageLimits): Promise<SecureReadResult> {
  return await on({ 'a.txt': content }, limits).reader.read('a.txt', options);
}

async function textOf(content: string | Uint8Array, options?: SecureReadOptions, limits?: PageLimits): Promise<string> {
  return (await answerFor(content, options, limits)).content[0].text;
}

/** The lines of an answer without the hint. */
function shownLines({ content: [{ text }], details: { nextOffset } }: SecureReadResult): string[] {
  return text.slice(0, nextOffset === null ? undefined : text.lastIndexOf('\n\n[Showing lines ')).split('\n');
}

/** Why a read fails. */
async function failureOf(read: Promise<unknown>): Promise<Error & { code?: string; path?: string }> {
  return await read.then(() => expect.fail('the read succeeded'), (error: unknown) => error as Error);
}

describe('SecureReader: lines', () => {
  it('gives the lines of a file, and how many there are', async () => {
    expect(await answerFor('one\ntwo\n')).toEqual({
      content: [{ type: 'text', text: 'one\ntwo' }],
      details: { totalLines: 2, nextOffset: null, truncatedBy: null },
    });
  });

  it.each<[string, string, number]>([
    ['', '', 0],
    ['\n', '', 1],
    ['\n\n', '\n', 2],
    ['a', 'a', 1],
    ['a\n', 'a', 1],
    ['a\nb', 'a\nb', 2],
    ['a\n\nb\n', 'a\n\nb', 3],
    ['a\r\nb\r\n', 'a\nb', 2],
    ['a\r\nb', 'a\nb', 2],
    ['a\rb', 'a\rb', 1],
    ['a\r', 'a\r', 1],
    ['a\r\r\n', 'a\r', 1],
    ['\r\n', '', 1],
    ['a\u2028b', 'a\u2028b', 1],
    ['\ufeff', '', 0],
    ['\ufeffa\n', 'a', 1],
  ])('reads %j as %j, %i lines', async (content, text, totalLines) => {
    expect(await answerFor(content)).toEqual({ content: [{ type: 'text', text }], details: { totalLines, nextOffset: null, truncatedBy: null } });
  });

  it.each<[SecureReadOptions, string, number | null]>([
    [{ offset: 1 }, '1\n2\n3\n4', null],
    [{ offset: 3 }, '3\n4', null],
    [{ offset: 4 }, '4', null],
    [{ limit: 4 }, '1\n2\n3\n4', null],
    [{ limit: 9 }, '1\n2\n3\n4', null],
    [{ limit: 3 }, '1\n2\n3\n\n[Showing lines 1-3 of 4. Use offset=4 to continue.]', 4],
    [{ offset: 2, limit: 1 }, '2\n\n[Showing lines 2-2 of 4. Use offset=3 to continue.]', 3],
    [{ offset: 4, limit: 1 }, '4', null],
    [{ offset: undefined, limit: undefined, signal: undefined }, '1\n2\n3\n4', null],
  ])('takes %j', async (options, text, nextOffset) => {
    for (const content of ['1\n2\n3\n4\n', '1\r\n2\r\n3\r\n4']) {
      expect(await answerFor(content, options)).toEqual({ content: [{ type: 'text', text }], details: { totalLines: 4, nextOffset, truncatedBy: null } });
    }
  });

  it('names the number of lines when the offset is beyond them', async () => {
    for (const [content, offset, told] of [['a\nb\n', 3, '2 lines'], ['a', 2, '1 line'], ['', 2, '0 lines']] as const) {
      const error = await failureOf(answerFor(content, { offset }));
      expect(error).toBeInstanceOf(RangeError);
      expect(error).toMatchObject({ code: 'ERR_OUT_OF_RANGE', message: `Offset ${offset} is beyond the end of the file, which has ${told}` });
    }
    expect(await textOf('', { offset: 1 })).toBe('');
  });

  it('decodes UTF-16 and UTF-32 by their marks, and shows other bytes as U+FFFD', async () => {
    expect(await textOf(Buffer.from('\ufeffeins\r\nzwei\u0a0a\n😀', 'utf16le'))).toBe('eins\nzwei\u0a0a\n😀');
    expect(await textOf(Buffer.from('\ufeffeins\r\nzwei\u0a0a\n😀', 'utf16le').swap16())).toBe('eins\nzwei\u0a0a\n😀');
    const wide = Buffer.concat([...'\ufeffa\nb'].map((character) => { const unit = Buffer.alloc(4); unit.writeUInt32LE(character.codePointAt(0)!); return unit; }));
    expect(await textOf(wide)).toBe('a\nb');
    expect(await textOf(wide.swap32())).toBe('a\nb');
    expect(await textOf(Buffer.from('caf\xe9 and enough plain words around it\nx', 'latin1'))).toBe('caf\ufffd and enough plain words around it\nx');
  });

  it.skipIf(process.platform !== 'linux')('reads files of size 0 that have content', async () => {
    const { content, details } = await new SecureReader('/proc/self').read('status', { limit: 1 });
    expect(content[0].text).toMatch(/^Name:\t/);
    expect(details.totalLines).toBeGreaterThan(10);
  });
});

describe('SecureReader: limits', () => {
  it('gives 2000 lines and 51200 bytes unless told otherwise', async () => {
    const lines = await answerFor('x\n'.repeat(2001));
    expect(lines.details).toEqual({ totalLines: 2001, nextOffset: 2001, truncatedBy: 'lines' });
    expect(lines.content[0].text.endsWith('\n\n[Showing lines 1-2000 of 2001 (limit of 2000 lines). Use offset=2001 to continue.]')).toBe(true);
    expect((await answerFor('x\n'.repeat(2000))).details).toEqual({ totalLines: 2000, nextOffset: null, truncatedBy: null });
    // 512 lines of 99 bytes and the 511 newlines between them are 51199 bytes.
    const line = 'x'.repeat(99);
    expect((await answerFor(`${line}\n`.repeat(512))).details).toEqual({ totalLines: 512, nextOffset: null, truncatedBy: null });
    expect((await answerFor(`${line}\n`.repeat(511) + `${line}xx`)).details).toEqual({ totalLines: 512, nextOffset: 512, truncatedBy: 'bytes' });
    expect((await answerFor(`${line}\n`.repeat(511) + `${line}x`)).details).toMatchObject({ nextOffset: null });
  });

  it.each<[PageLimits, SecureReadOptions, string, 'lines' | 'bytes' | null]>([
    [{ maxLines: 2 }, {}, 'aa\nbb', 'lines'],
    [{ maxLines: 3 }, {}, 'aa\nbb\ncc', null],
    [{ maxLines: 2 }, { limit: 2 }, 'aa\nbb', null],
    [{ maxLines: 2 }, { limit: 3 }, 'aa\nbb', 'lines'],
    [{ maxLines: 2 }, { offset: 2, limit: 3 }, 'bb\ncc', null],
    [{ maxBytes: 8 }, {}, 'aa\nbb\ncc', null],
    [{ maxBytes: 7 }, {}, 'aa\nbb', 'bytes'],
    [{ maxBytes: 5 }, {}, 'aa\nbb', 'bytes'],
    [{ maxBytes: 4 }, {}, 'aa', 'bytes'],
    [{ maxBytes: 2 }, {}, 'aa', 'bytes'],
    [{ maxBytes: 2 }, { limit: 1 }, 'aa', null],
    [{ maxBytes: 5, maxLines: 2 }, {}, 'aa\nbb', 'lines'],
  ])('%j and %j give %j', async (limits, options, text, truncatedBy) => {
    for (const content of ['aa\nbb\ncc', 'aa\nbb\ncc\n', 'aa\r\nbb\r\ncc\r\n', Buffer.from('\ufeffaa\nbb\ncc', 'utf16le')]) {
      const answer = await answerFor(content, options, limits);
      expect(shownLines(answer).join('\n')).toBe(text);
      expect(answer.details.truncatedBy).toBe(truncatedBy);
      const last = (options.offset ?? 1) + text.split('\n').length - 1;
      expect(answer.details.nextOffset).toBe(last === 3 ? null : last + 1);
    }
  });

  it('counts bytes of UTF-8, in whatever encoding the file is', async () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const content = Buffer.from('\ufeffé€\n😀\n', encoding);
      expect((await answerFor(content, {}, { maxBytes: 10 })).details.truncatedBy).toBe(null);
      expect((await answerFor(content, {}, { maxBytes: 9 })).details).toEqual({ totalLines: 2, nextOffset: 2, truncatedBy: 'bytes' });
      expect((await answerFor(content, {}, { maxBytes: 5 })).content[0].text).toMatch(/^é€\n\n\[Showing lines 1-1 of 2 \(limit of 5 bytes\)\. Use offset=2 to continue\.\]$/);
      expect((await failureOf(answerFor(content, {}, { maxBytes: 4 }))).message).toBe('Line 1 is too long to be shown (5 bytes, max 4)');
    }
  });

  it('never cuts a line: one that no answer can hold is an error that names its size', async () => {
    const { dir, reader } = on({ a: `short\n${'é'.repeat(40_000)}\r\nend\n` });
    expect((await reader.read('a')).details).toEqual({ totalLines: 3, nextOffset: 2, truncatedBy: 'bytes' });
    const error = await failureOf(reader.read('a', { offset: 2 }));
    expect(error).toMatchObject({ code: 'ERR_LINE_TOO_LONG', message: 'Line 2 is too long to be shown (80000 bytes, max 51200)', path: `${dir}/a` });
    expect(await failureOf(reader.read('a', { offset: 2, limit: 1 }))).toMatchObject({ code: 'ERR_LINE_TOO_LONG' });
    expect((await reader.read('a', { offset: 3 })).content[0].text).toBe('end');
  });

  it('following nextOffset gives every line exactly once', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = new Random(seed);
      const text = randomText(random, random.pick([3, 20, 300]));
      const expected = linesOf(text);
      const longest = Math.max(1, ...expected.map((line) => Buffer.byteLength(line)));
      const { reader } = on({ a: text }, { maxLines: random.int(1, 40), maxBytes: longest + random.int(0, 60) });
      const shown: string[] = [];
      for (let offset: number | null = 1; offset !== null;) {
        const answer: SecureReadResult = await reader.read('a', { offset, limit: random.chance(0.3) ? random.int(1, 9) : undefined });
        expect(answer.details.totalLines, `seed ${seed}`).toBe(expected.length);
        if (expected.length > 0) shown.push(...shownLines(answer));
        offset = answer.details.nextOffset;
        if (offset !== null) expect(offset, `seed ${seed}`).toBe(shown.length + 1);
      }
      expect(shown, `seed ${seed}`).toEqual(expected);
    }
  });
});

describe('SecureReader: pages of large files', () => {
  /** Long unchanged, so that its lines are found by an index after the first page. */
  const LARGE = path.resolve(import.meta.dirname, '../node_modules/typescript/lib/typescript.js');

  it('gives the lines of a plain split, in whatever order the pages are asked for', async () => {
    const expected = linesOf(fs.readFileSync(LARGE, 'utf8'));
    const reader = new SecureReader(path.dirname(LARGE), { maxBytes: 10_000_000 });
    const random = new Random(7);
    for (const offset of [expected.length, 1, 2, expected.length - 1, ...random.several(100, 100, () => random.int(1, expected.length))]) {
      const answer = await reader.read(path.basename(LARGE), { offset, limit: 20 });
      expect(shownLines(answer)).toEqual(expected.slice(offset - 1, offset + 19));
      expect(answer.details).toEqual({ totalLines: expected.length, nextOffset: offset + 20 > expected.length ? null : offset + 20, truncatedBy: null });
    }
    expect(await failureOf(reader.read(LARGE, { offset: expected.length + 1 }))).toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  });

  it('never answers from what a file was before, whatever its times say', async () => {
    const { dir, reader } = on({ a: 'one\n'.repeat(50_000) });
    const { mtime } = fs.statSync(path.join(dir, 'a'));
    expect((await reader.read('a', { offset: 50_000 })).details.totalLines).toBe(50_000);
    for (const [line, count] of [['seven..\n', 25_000], ['one\n', 50_000], ['\n', 200_000]] as const) {
      fs.writeFileSync(path.join(dir, 'a'), line.repeat(count));
      fs.utimesSync(path.join(dir, 'a'), mtime, mtime);
      expect((await reader.read('a', { offset: count })).details.totalLines).toBe(count);
      expect(shownLines(await reader.read('a', { offset: 20_000, limit: 1 }))).toEqual([line.trim()]);
    }
    fs.appendFileSync(path.join(dir, 'a'), 'last');
    expect((await reader.read('a', { offset: 200_001 })).content[0].text).toBe('last');
    fs.truncateSync(path.join(dir, 'a'), 10);
    expect(await failureOf(reader.read('a', { offset: 11 }))).toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  });
});

describe('SecureReader: what lies outside', () => {
  const TREE: TreeLayout = {
    root: { 'a.txt': 'inside', '..foo': 'dots', sub: { 'b.txt': 'below', up: link('../a.txt') }, in: link('sub/b.txt'), dir: link('sub'), out: link('../out/secret.txt'), outdir: link('../out'), slash: link('../out/'), nowhere: link('../out/none'), twice: link('out'), absolute: link('/etc/passwd'), deep: link('../out/none/none'), round: link('../out/loop'), circle: link('circle') },
    rootling: { 'secret.txt': 'TOPSECRET' },
    out: { 'secret.txt': 'TOPSECRET', loop: link('loop') },
    alias: link('root'),
  };

  it.each([
    ['security A01', '../out/secret.txt'],
    ['security A01', '../out/none'],
    ['security A01', 'sub/../../out/secret.txt'],
    ['security A01', '..'],
    ['security A02', '/etc/passwd'],
    ['security A02', '/'],
    ['security A03', '../rootling/secret.txt'],
    ['security A04', 'ROOT/../out/secret.txt'],
    ['security A11', 'outdir/secret.txt'],
    ['security A11', 'out/'],
    ['security A11', 'slash/secret.txt'],
    ['security B01', 'out'],
    ['security B01', 'nowhere'],
    ['security B01', 'deep'],
    ['security B01', 'twice'],
    ['security B01', 'absolute'],
    ['security B01', 'round'],
    ['security B01', 'circle'],
    ['security B02', 'outdir/none'],
    ['security B02', 'outdir'],
  ])('%s: refuses %s, whether or not it exists', async (_, spelled) => {
    const dir = temporaryTree(TREE);
    const root = path.join(dir, 'root');
    const typed = spelled.replace('ROOT', root);
    const error = await failureOf(new SecureReader(root).read(typed));
    expect(error).toMatchObject({ code: 'ERR_NOT_GRANTED', path: path.resolve(root, typed) });
    expect(error.message).toBe(`Access denied: '${path.resolve(root, typed)}' is not within a directory granted for this operation`);
  });

  it('refuses by the spelling alone: a path outside is not looked at, even if its links lead in', async () => {
    const dir = temporaryTree(TREE);
    const reader = new SecureReader(path.join(dir, 'root'));
    expect(await failureOf(reader.read('../alias/a.txt'))).toMatchObject({ code: 'ERR_NOT_GRANTED', path: `${dir}/alias/a.txt` });
    expect(await failureOf(new SecureReader(path.join(dir, 'missing')).read('../root/a.txt'))).toMatchObject({ code: 'ERR_NOT_GRANTED' });
  });

  it('security A05 B06: reads what lies inside by any spelling and through links', async () => {
    const dir = temporaryTree(TREE);
    const root = path.join(dir, 'root');
    const reader = new SecureReader(root);
    for (const [spelled, text] of [['a.txt', 'inside'], ['./a.txt', 'inside'], ['sub/../a.txt', 'inside'], ['nowhere/../a.txt', 'inside'], ['..foo', 'dots'], ['in', 'below'], ['dir/b.txt', 'below'], ['sub/up', 'inside'], [`${root}/a.txt`, 'inside'], [`${dir}/out/../root/a.txt`, 'inside'], [' a.txt ', 'inside'], ['"a.txt"', 'inside']] as const) {
      expect((await reader.read(spelled)).content[0].text, spelled).toBe(text);
    }
  });

  it('security B10: takes a root that is a link, by both spellings', async () => {
    const dir = temporaryTree(TREE);
    const reader = new SecureReader(path.join(dir, 'alias'));
    expect(reader.root).toBe(`${dir}/alias`);
    for (const spelled of ['a.txt', `${dir}/alias/a.txt`, `${dir}/root/a.txt`]) expect((await reader.read(spelled)).content[0].text).toBe('inside');
    expect(await failureOf(reader.read('out'))).toMatchObject({ code: 'ERR_NOT_GRANTED' });
    expect(await failureOf(reader.read(`${dir}/rootling/secret.txt`))).toMatchObject({ code: 'ERR_NOT_GRANTED' });
  });

  it.skipIf(process.platform !== 'linux')('security B16: refuses what leads through /proc', async () => {
    const dir = temporaryTree({ 'a.txt': 'x', root: link('/proc/self/root/etc/passwd'), cwd: link('/proc/self/cwd/package.json') });
    const reader = new SecureReader(dir);
    for (const name of ['root', 'cwd']) expect(await failureOf(reader.read(name))).toMatchObject({ code: 'ERR_NOT_GRANTED', path: `${dir}/${name}` });
  });

  it('keeps the root that it was given when the process moves', async () => {
    const { dir } = on({ 'a.txt': 'x' });
    const before = process.cwd();
    const relative = new SecureReader(path.relative(before, dir));
    expect(relative.root).toBe(dir);
    try {
      process.chdir('/');
      expect((await relative.read('a.txt')).content[0].text).toBe('x');
    } finally {
      process.chdir(before);
    }
  });

  it('follows a root that is made, removed and made again', async () => {
    const dir = temporaryTree({});
    const root = path.join(dir, 'late');
    const reader = new SecureReader(root);
    expect(await failureOf(reader.read('a'))).toMatchObject({ code: 'ENOENT', path: `${root}/a` });
    for (const text of ['one', 'two']) {
      fs.mkdirSync(root);
      fs.writeFileSync(path.join(root, 'a'), text);
      expect((await reader.read('a')).content[0].text).toBe(text);
      fs.rmSync(root, { recursive: true });
    }
  });
});

describe('SecureReader: what is no text file', () => {
  it('names what is missing, no regular file, or binary', async () => {
    const { dir, reader } = on({ d: {}, a: 'x', bin: Uint8Array.of(65, 0, 66), late: `${'x'.repeat(8191)}\0`, after: `${'x'.repeat(8192)}\0`, pipe: fifo(), to: link('pipe') });
    expect(await failureOf(reader.read('none'))).toMatchObject({ code: 'ENOENT', syscall: 'stat', errno: -2, path: `${dir}/none`, message: `ENOENT: no such file or directory, stat '${dir}/none'` });
    expect(await failureOf(reader.read('a/b'))).toMatchObject({ code: 'ENOTDIR' });
    for (const directory of ['d', 'd/', '.', dir]) expect(await failureOf(reader.read(directory))).toMatchObject({ code: 'EISDIR' });
    for (const pipe of ['pipe', 'to']) expect(await failureOf(reader.read(pipe))).toMatchObject({ code: 'ERR_NOT_REGULAR', path: `${dir}/pipe` });
    for (const binary of ['bin', 'late']) expect(await failureOf(reader.read(binary))).toMatchObject({ code: 'ERR_BINARY', path: `${dir}/${binary}` });
    expect((await reader.read('after')).content[0].text).toHaveLength(8193);
    expect(await failureOf(reader.read('n'.repeat(6000)))).toMatchObject({ code: 'ENAMETOOLONG' });
  });

  it.skipIf(process.platform !== 'linux')('security C03: refuses devices', async () => {
    for (const device of ['zero', 'null']) expect(await failureOf(new SecureReader('/dev').read(device))).toMatchObject({ code: 'ERR_NOT_REGULAR' });
  });

  it.skipIf(!canRunUnprivileged)('tells that a file may not be read', () => {
    const dir = openToAll(temporaryTree({ a: 'x' }));
    fs.chmodSync(path.join(dir, 'a'), 0);
    const body = `return await new api.SecureReader(input.dir).read('a').catch(({ code, message }) => [code, message]);`;
    expect(unprivileged(body, { dir })).toEqual(['EACCES', `EACCES: permission denied, open '${dir}/a'`]);
  });
});

describe('SecureReader: arguments', () => {
  const bad = (value: unknown): never => value as never;

  it.each<[string, unknown[], string]>([
    ['a root that is no string', [5], 'ERR_INVALID_ARG_TYPE'],
    ['no root', [undefined], 'ERR_INVALID_ARG_TYPE'],
    ['an empty root', [''], 'ERR_INVALID_ARG_VALUE'],
    ['a NUL in the root', ['/a\0b'], 'ERR_INVALID_ARG_VALUE'],
    ['half a character in the root', ['/a\ud800'], 'ERR_INVALID_ARG_VALUE'],
    ['limits that are no object', ['/', 5], 'ERR_INVALID_ARG_TYPE'],
    ['limits of null', ['/', null], 'ERR_INVALID_ARG_TYPE'],
    ['maxLines of a string', ['/', { maxLines: '5' }], 'ERR_INVALID_ARG_TYPE'],
    ['maxLines of 0', ['/', { maxLines: 0 }], 'ERR_INVALID_ARG_VALUE'],
    ['maxLines of NaN', ['/', { maxLines: Number.NaN }], 'ERR_INVALID_ARG_VALUE'],
    ['maxLines of Infinity', ['/', { maxLines: Infinity }], 'ERR_INVALID_ARG_VALUE'],
    ['maxBytes of 0', ['/', { maxBytes: 0 }], 'ERR_INVALID_ARG_VALUE'],
    ['maxBytes of 1.5', ['/', { maxBytes: 1.5 }], 'ERR_INVALID_ARG_VALUE'],
    ['maxBytes above 64 MiB', ['/', { maxBytes: 64 * 1024 * 1024 + 1 }], 'ERR_INVALID_ARG_VALUE'],
  ])('the constructor refuses %s', (_, args, code) => {
    expect(() => new SecureReader(...(args as [string]))).toThrow(expect.objectContaining({ code }) as Error);
  });

  it.each<[string, unknown[], string]>([
    ['a path that is no string', [5], 'ERR_INVALID_ARG_TYPE'],
    ['no path', [], 'ERR_INVALID_ARG_TYPE'],
    ['an empty path', [''], 'ERR_INVALID_ARG_VALUE'],
    ['a NUL in the path', ['a\0b'], 'ERR_INVALID_ARG_VALUE'],
    ['half a character in the path', ['a\ud800'], 'ERR_INVALID_ARG_VALUE'],
    ['options that are no object', ['a', 5], 'ERR_INVALID_ARG_TYPE'],
    ['options of null', ['a', null], 'ERR_INVALID_ARG_TYPE'],
    ['an offset of a string', ['a', { offset: '1' }], 'ERR_INVALID_ARG_TYPE'],
    ['an offset of null', ['a', { offset: null }], 'ERR_INVALID_ARG_TYPE'],
    ['an offset of 0', ['a', { offset: 0 }], 'ERR_INVALID_ARG_VALUE'],
    ['a negative offset', ['a', { offset: -1 }], 'ERR_INVALID_ARG_VALUE'],
    ['an offset of 1.5', ['a', { offset: 1.5 }], 'ERR_INVALID_ARG_VALUE'],
    ['an offset of NaN', ['a', { offset: Number.NaN }], 'ERR_INVALID_ARG_VALUE'],
    ['an offset of Infinity', ['a', { offset: Infinity }], 'ERR_INVALID_ARG_VALUE'],
    ['a limit of 0', ['a', { limit: 0 }], 'ERR_INVALID_ARG_VALUE'],
    ['a limit of 2 ** 53', ['a', { limit: 2 ** 53 }], 'ERR_INVALID_ARG_VALUE'],
    ['a limit of a bigint', ['a', { limit: 1n }], 'ERR_INVALID_ARG_TYPE'],
    ['a signal that is none', ['a', { signal: {} }], 'ERR_INVALID_ARG_TYPE'],
  ])('read rejects with a TypeError for %s', async (_, args, code) => {
    const read = on({ a: 'x' }).reader.read(...(args as [string]));
    const error = await failureOf(read);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.code).toBe(code);
  });

  it('takes the greatest offset and limit there are', async () => {
    const { reader } = on({ a: 'x' });
    expect((await reader.read('a', { limit: Number.MAX_SAFE_INTEGER })).content[0].text).toBe('x');
    expect(await failureOf(reader.read('a', { offset: Number.MAX_SAFE_INTEGER }))).toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
  });

  it('checks in order: aborted, arguments, spelling, links, kind, binary, offset, limits', async () => {
    const { reader } = on({ d: {}, bin: 'a\0', out: link('/etc/passwd'), long: 'xxx\ny' }, { maxBytes: 2 });
    const signal = AbortSignal.abort('enough');
    expect(await failureOf(reader.read(bad(5), { signal, offset: 0 }))).toBe('enough');
    expect(await failureOf(reader.read('../none', { offset: 0 }))).toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    expect(await failureOf(reader.read('../d\0'))).toMatchObject({ code: 'ERR_NOT_GRANTED' });
    expect(await failureOf(reader.read('out/none'))).toMatchObject({ code: 'ERR_NOT_GRANTED' });
    expect(await failureOf(reader.read('d', { offset: 9 }))).toMatchObject({ code: 'EISDIR' });
    expect(await failureOf(reader.read('bin', { offset: 9 }))).toMatchObject({ code: 'ERR_BINARY' });
    expect(await failureOf(reader.read('long', { offset: 9 }))).toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
    expect(await failureOf(reader.read('long'))).toMatchObject({ code: 'ERR_LINE_TOO_LONG' });
  });
});

describe('SecureReader: abort', () => {
  /** A file that takes many seconds to read, and no room. */
  function endless(): { reader: SecureReader } {
    const { dir, reader } = on({ a: 'text\n'.repeat(4000) });
    fs.truncateSync(path.join(dir, 'a'), 2 ** 36);
    return { reader };
  }

  it('rejects with the reason of a signal that is aborted, whatever it is', async () => {
    const { reader } = on({ a: 'x' });
    for (const reason of ['enough', new Error('enough'), null, 0]) {
      await expect(reader.read('a', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    }
    const signal = AbortSignal.abort();
    await expect(reader.read('../x', { signal })).rejects.toBe(signal.reason);
  });

  it('rejects at once when the signal is aborted in the same tick or in the middle of the read, and frees the thread', async () => {
    const { reader } = endless();
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController();
      const read = reader.read('a', { signal: controller.signal });
      if (round % 2 === 0) controller.abort(round);
      else setTimeout(() => controller.abort(round), 5);
      await expect(read).rejects.toBe(round);
    }
    // All permits for heavy work are free again, or this would wait for minutes.
    const { reader: other } = on({ a: 'text\n'.repeat(4_000_000) });
    expect((await other.read('a', { offset: 4_000_000 })).details.totalLines).toBe(4_000_000);
  });

  it('leaves no listener behind', async () => {
    const { reader } = on({ a: 'x' });
    const { signal } = new AbortController();
    for (let round = 0; round < 50; round++) await reader.read('a', { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ignores a signal that is aborted after the answer', async () => {
    const controller = new AbortController();
    const { reader } = on({ a: 'x' });
    expect((await reader.read('a', { signal: controller.signal })).content[0].text).toBe('x');
    controller.abort();
    expect((await reader.read('a')).content[0].text).toBe('x');
  });
});
