import * as os from 'node:os';
import { describe, expect, it } from 'vitest';
import { SearchConfiguration, type SearchResults, type Workspace } from '../index.js';
import { BACKREFERENCES, BACKTRACKING, COUNTED, type CostlyPattern } from './support/patterns.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

const TREE = {
  short: `${'a'.repeat(40)}!`,
  middle: 'a'.repeat(5000),
  long: `${'a'.repeat(1_000_000)}!b`,
  text: 'aab abba the quick_brown fox; a = b + 12\n'.repeat(10_000),
};

function searched(workspace: Workspace, name: keyof typeof TREE, content: string, timeoutMs: number): Promise<SearchResults> {
  const limits = new SearchConfiguration(undefined, undefined, undefined, timeoutMs);
  return workspace.search({ name: `^${name}$`, content, flags: 'iu' }, { limits });
}

/** The columns of the match in a file of one line. */
function columnsOf({ results }: SearchResults): CostlyPattern['short'] {
  return results[0]?.columns ?? null;
}

describe('a search ends by its time limit, whatever the pattern', () => {
  it.each([...BACKTRACKING, ...BACKREFERENCES, ...COUNTED])('$source', async ({ source, ...columns }) => {
    const workspace = workspaceOn(temporaryTree(TREE));
    for (const name of ['short', 'middle', 'long', 'text'] as const) {
      const answer = await searched(workspace, name, source, 50);
      // A file that needs more memory than a pattern may have is counted.
      expect(answer.complete || answer.stoppedBy !== null || answer.skipped.undecodable > 0).toBe(true);
      if (answer.complete && (name === 'short' || name === 'middle')) expect(columnsOf(answer), name).toEqual(columns[name]);
    }
  });
});

describe('a search without backreferences comes to its end', () => {
  it.each([...BACKTRACKING, ...COUNTED])('$source', { timeout: 60_000 }, async ({ source, ...columns }) => {
    const workspace = workspaceOn(temporaryTree(TREE));
    for (const name of ['short', 'middle'] as const) {
      const answer = await searched(workspace, name, source, 50_000);
      expect(answer).toMatchObject({ complete: true, stoppedBy: null });
      expect(columnsOf(answer), name).toEqual(columns[name]);
    }
  });
});

describe('a pattern beyond the caps of every engine is refused by the name of the cap', () => {
  it.each([
    ['repetitions that no memory holds', '(a?){1000000}', 'u', '2000000'],
    ['those beside a backreference', '(?:(?:){9999}){9999}(b)\\1', 'u', '2000000'],
    ['a long source', 'a'.repeat(65_537), 'u', '65536'],
    ['deep groups', '('.repeat(201) + ')'.repeat(201), 'u', '200'],
    ['large classes', Array.from({ length: 9000 }, (_, index) => `[0-${String.fromCharCode(0x4e00 + index)}]`).join(''), 'iu', '4000000'],
    ['many properties', '\\p{L}'.repeat(129), 'u', '128'],
  ])('%s', async (_, content, flags, cap) => {
    const refused = workspaceOn(temporaryTree({ a: 'a' })).search({ content, flags });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_PATTERN_LIMIT', message: expect.stringContaining(cap) as string });
  });
});

it('a search ends with its signal while its pattern is compiled', async () => {
  const ending = new AbortController();
  const content = Array.from({ length: 9000 }, (_, index) => `a${index}`).join('|');
  const search = workspaceOn(temporaryTree(TREE)).search({ content }, { signal: ending.signal });
  ending.abort('enough');
  await expect(search).rejects.toBe('enough');
});

describe('what a search waits for is part of its time', () => {
  const ENDLESS = { dir: 'endless', content: '^(?:(a+)\\1?)+\\1b$' };
  const tree = (): Workspace => workspaceOn(temporaryTree({ endless: { a: `${'a'.repeat(4000)}!b` }, other: { b: 'x' } }));

  it('other searches', async () => {
    const workspace = tree();
    const ending = new AbortController();
    const settled: unknown[] = [];
    const limits = { timeoutMs: 600_000 };
    const others = Array.from({ length: 2 * os.availableParallelism() }, () =>
      workspace.search(ENDLESS, { limits, signal: ending.signal }).catch((error: unknown) => settled.push(error)));
    const answer = await workspace.search({ dir: 'other', content: 'x' }, { limits: { timeoutMs: 50 } });
    expect(answer).toMatchObject({ results: [], visited: 0, complete: false, stoppedBy: 'timeout' });
    expect(settled).toEqual([]);
    ending.abort('enough');
    await Promise.all(others);
    expect((await workspace.search({ dir: 'other', content: 'x' })).results).toHaveLength(1);
  });

  it('the properties of its pattern', async () => {
    const content = ['Avst', 'Bamu', 'Bass', 'Batk', 'Bhks', 'Brah', 'Cakm', 'Cari'].map((name) => `\\p{Script=${name}}`).join('|');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      tree().search({ content: `${content}|x${index}` }, { limits: { timeoutMs: 1 } })));
    for (const answer of answers) expect(answer).toMatchObject({ results: [], complete: false, stoppedBy: 'timeout' });
    await expect(tree().search({ dir: 'none', content: `${content}|y` }, { limits: { timeoutMs: 1 } })).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await tree().search({ dir: 'other', content: `${content}|x` })).results).toHaveLength(1);
  });
});
