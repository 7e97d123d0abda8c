import { describe, expect, it } from 'vitest';
import type { LineResult, SearchOptions, SearchQuery } from '../engine.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

const workspace = (): ReturnType<typeof workspaceOn> => workspaceOn(temporaryTree({ a: '  x one\n', 'b.txt': 'x'.repeat(100) }));

describe('search refuses what it cannot make sense of', () => {
  it.each<[string, unknown, string, string]>([
    ['no query', undefined, 'ERR_INVALID_ARG_VALUE', "The argument 'query' must be an object. Received undefined"],
    ['a text for a query', 'TODO', 'ERR_INVALID_ARG_TYPE', 'The "query" argument must be of type object. Received type string'],
    ['a field that is none', { contnet: 'x' }, 'ERR_INVALID_ARG_VALUE', "The argument 'query' must have no fields but dir, name, content, flags, kind, createdAfter, createdBefore, modifiedAfter, modifiedBefore, maxSize, maxResults. Received { contnet: 'x' }"],
    ['a directory that is no text', { dir: 5 }, 'ERR_INVALID_ARG_TYPE', 'The "dir" argument must be of type string. Received type number'],
    ['a RegExp', { content: /x/ }, 'ERR_INVALID_ARG_TYPE', 'The "content" argument must be of type string. Received type object'],
    ['flags that are no text', { content: 'x', flags: null }, 'ERR_INVALID_ARG_TYPE', 'The "flags" argument must be of type string. Received null'],
    ['a sticky pattern', { content: 'x', flags: 'y' }, 'ERR_INVALID_ARG_VALUE', "The argument 'flags' must be made of i, m, s and u. Received 'y'"],
    ['a kind that is none', { kind: 'dir' }, 'ERR_INVALID_ARG_VALUE', "The argument 'kind' must be one of: 'file', 'directory', 'both'. Received 'dir'"],
    ['null for a kind', { kind: null }, 'ERR_INVALID_ARG_VALUE', "The argument 'kind' must be one of: 'file', 'directory', 'both'. Received null"],
    ['a date as a text', { modifiedAfter: '2021-01-01' }, 'ERR_INVALID_ARG_TYPE', 'The "modifiedAfter" argument must be of type number. Received type string'],
    ['a date that is none', { createdBefore: new Date('x') }, 'ERR_OUT_OF_RANGE', 'The value of "createdBefore" is out of range. It must be a number. Received NaN'],
    ['NaN', { maxResults: NaN }, 'ERR_OUT_OF_RANGE', 'The value of "maxResults" is out of range. It must be a number. Received NaN'],
    ['a BigInt', { maxSize: 5n }, 'ERR_INVALID_ARG_TYPE', 'The "maxSize" argument must be of type number. Received type bigint'],
  ])('%s', async (_, query, code, message) => {
    await expect(workspace().search(query as SearchQuery)).rejects.toMatchObject({ code, message });
    await expect(workspace().searchBatches(query as SearchQuery).next()).rejects.toMatchObject({ code, message });
  });

  it.each<[string, unknown, string]>([
    ['limits that are none', { limits: 5 }, 'ERR_INVALID_ARG_TYPE'],
    ['a signal that is none', { signal: { aborted: true } }, 'ERR_INVALID_ARG_TYPE'],
    ['a size that is none', { maxFileSize: '5' }, 'ERR_INVALID_ARG_TYPE'],
    ['a listener that is none', { onProgress: null }, 'ERR_INVALID_ARG_TYPE'],
  ])('%s', async (_, options, code) => {
    await expect(workspace().search({ content: 'x' }, options as SearchOptions)).rejects.toMatchObject({ code });
  });
});

describe('search takes', () => {
  it('some of the limits, and the defaults of the others', async () => {
    const answer = await workspace().search({}, { limits: { maxSearchResults: 1 } });
    expect(answer).toMatchObject({ stoppedBy: 'limit', results: [{ kind: 'file' }] });
    expect(await workspace().search({}, { limits: {} })).toMatchObject({ complete: true, visited: 2 });
  });

  it('dates as numbers, however far away', async () => {
    const found = async (query: SearchQuery): Promise<number> => (await workspace().search(query)).results.length;
    expect(await found({ modifiedAfter: -Infinity, modifiedBefore: Infinity })).toBe(2);
    expect(await found({ modifiedAfter: new Date(0), createdAfter: 0 })).toBe(2);
    expect(await found({ modifiedBefore: 0 })).toBe(0);
  });

  it('a size for files, with content and without', async () => {
    for (const content of [undefined, 'x']) {
      const { results, complete } = await workspace().search({ content, maxSize: 50 });
      expect(results.map(({ path }) => path.at(-1))).toEqual(['a']);
      expect(complete).toBe(true);
    }
  });
});

it('search tells where the shown text begins in its line', async () => {
  const long = ` ${'é'.repeat(500)}needle${'b'.repeat(500)}`;
  const { results } = await workspaceOn(temporaryTree({ a: `\t needle 1\n${long}\n` })).search({ content: 'needle' });
  expect(results.map(({ textColumn }) => textColumn)).toEqual([2, 404]);
  for (const { columns: [start, end], text, textColumn } of results satisfies LineResult[]) {
    expect(text.slice(start - textColumn, end - textColumn)).toBe('needle');
  }
});

it('a search ends with what its listener rejects with', async () => {
  const endless = workspaceOn(temporaryTree({ a: `${'a'.repeat(4000)}!b` }));
  const search = endless.search({ content: '^(?:(a+)\\1?)+\\1b$' }, { limits: { timeoutMs: 600_000 }, onProgress: () => Promise.reject(new Error('boom')) });
  await expect(search).rejects.toThrow('boom');
});
