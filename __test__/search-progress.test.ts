import { describe, expect, it } from 'vitest';
import { SearchConfiguration } from '../index.js';
import type { SearchProgress } from '../engine.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

/** A search that goes on until it is ended: the backreference has exponentially many ways to fail. */
const ENDLESS = { content: '^(?:(a+)\\1?)+\\1b$' };
const LIMITS = new SearchConfiguration(undefined, undefined, undefined, 600_000);

const endless = (): ReturnType<typeof workspaceOn> => workspaceOn(temporaryTree({ a: `${'a'.repeat(4000)}!b`, b: 'b' }));

describe('search progress', () => {
  it('is told while the search runs', async () => {
    const ending = new AbortController();
    const told: SearchProgress[] = [];
    const search = endless().search(ENDLESS, {
      limits: LIMITS, signal: ending.signal, onProgress: (progress) => {
        told.push(progress);
        ending.abort('enough');
      },
    });
    await expect(search).rejects.toBe('enough');
    expect(told).toEqual([{ entries: 1, bytes: 4002, matches: 0 }]);
  });

  it('ends the search with what the listener throws', async () => {
    const boom = new Error('boom');
    const onProgress = (): never => { throw boom; };
    await expect(endless().search(ENDLESS, { limits: LIMITS, onProgress })).rejects.toBe(boom);
  });

  it('leaves the answer as it is', async () => {
    const workspace = workspaceOn(temporaryTree({ a: 'x\ny\nx', b: { c: 'x' } }));
    const answer = await workspace.search({ content: 'x' }, { onProgress: () => undefined });
    expect(answer).toEqual(await workspace.search({ content: 'x' }));
    expect(answer.results).toHaveLength(3);
  });

  it('wants a function', async () => {
    const options = { onProgress: 7 as unknown as () => void };
    await expect(endless().search({ content: 'x' }, options)).rejects.toMatchObject({
      code: 'ERR_INVALID_ARG_TYPE', message: 'The "onProgress" argument must be of type function. Received type number',
    });
  });
});

describe('property escapes of a pattern', () => {
  const scripts = 'Arab Armn Bali Beng Bopo Cyrl Deva Ethi Geor Goth Grek Gujr Guru Hang Hani Hebr Hira Kana Khmr'.split(' ');

  it('can be given up while they are resolved', async () => {
    const ending = new AbortController();
    const content = scripts.map((name) => `\\p{Script=${name}}`).join('|');
    const search = endless().search({ content }, { signal: ending.signal });
    ending.abort('enough');
    await expect(search).rejects.toBe('enough');
  });

  it('mean what they mean to RegExp, many at once', async () => {
    const lines = Array.from('aбعАאあ漢한αΩ1', (character) => character);
    const workspace = workspaceOn(temporaryTree({ a: lines.join('\n') }));
    const content = scripts.slice(0, 12).map((name) => `\\p{Script=${name}}`).join('|');
    const expected = lines.flatMap((line, index) => (new RegExp(content, 'iu').test(line) ? [index + 1] : []));
    const { results } = await workspace.search({ content });
    expect(results.map(({ line }) => line)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(3);
  });

  it('are not more than 128', async () => {
    const many = (count: number): string => '\\p{Lu}'.repeat(count);
    expect((await endless().search({ content: many(128) })).results).toHaveLength(1);
    await expect(endless().search({ content: many(129) })).rejects.toMatchObject({
      code: 'ERR_PATTERN_LIMIT', message: expect.stringContaining('128') as string,
    });
  });

  it('without an end are refused in the words of RegExp', async () => {
    await expect(endless().search({ content: '\\p{Lu' })).rejects.toThrow(
      'Invalid regular expression: /\\p{Lu/iu: Invalid property name'
    );
  });
});
