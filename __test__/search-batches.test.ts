import { describe, expect, it } from 'vitest';
import { SearchConfiguration } from '../index.js';
import type { SearchBatch, SearchProgress, SearchResult } from '../engine.js';
import { temporaryTree, type TreeLayout } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

const FILES = 900;
const LIMITS = new SearchConfiguration(1e6, undefined, 1e6, 600_000);

/** Files enough for several batches, each with two matching lines. */
function files(): TreeLayout {
  return Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`f${String(index)}`, 'needle\n\nneedle\n']));
}

const workspace = (): ReturnType<typeof workspaceOn> => workspaceOn(temporaryTree({ many: files(), one: 'needle' }));

async function all(batches: AsyncIterable<SearchBatch>): Promise<SearchBatch[]> {
  const list: SearchBatch[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}

describe('searchBatches', () => {
  it('gives the results of search, in order, and its counts at the end', async () => {
    const searched = workspace();
    for (const query of [{ content: 'needle' }, { name: '9' }, {}]) {
      const whole = await searched.search(query, { limits: LIMITS });
      const batches = await all(searched.searchBatches(query, { limits: LIMITS }));
      const results: SearchResult[] = batches.flatMap((batch) => batch.results);
      expect(results).toEqual(whole.results);
      const { last, ...end } = batches.at(-1) ?? {};
      expect({ ...end, results }).toEqual(whole);
      expect(last).toBe(true);
      expect(batches.slice(0, -1).every((batch) => !batch.last && !batch.complete)).toBe(true);
      expect(batches.length).toBeGreaterThan(1);
    }
  });

  it('begins with few results and reports progress as search does', async () => {
    const told: SearchProgress[] = [];
    const onProgress = (progress: SearchProgress): void => void told.push(progress);
    const options = { limits: LIMITS, onProgress };
    for await (const batch of workspace().searchBatches({ content: 'needle' }, options)) {
      expect(batch.results).toHaveLength(64);
      break;
    }
    expect(told.every(({ entries }) => entries <= FILES + 2)).toBe(true);
  });

  it('ends with an empty batch where nothing is found', async () => {
    const batches = await all(workspace().searchBatches({ content: 'nothing' }));
    expect(batches).toMatchObject([{ results: [], visited: FILES + 2, complete: true, stoppedBy: null, last: true }]);
  });

  it('says at the end that a limit ended it', async () => {
    const batches = await all(workspace().searchBatches({ content: 'needle', maxResults: 100 }, { limits: LIMITS }));
    expect(batches.flatMap((batch) => batch.results)).toHaveLength(100);
    expect(batches.at(-1)).toMatchObject({ last: true, complete: false, stoppedBy: 'limit' });
  });

  it('rejects with the reason of the signal, before, between and within batches', async () => {
    const query = { content: 'needle' };
    const before = all(workspace().searchBatches(query, { signal: AbortSignal.abort('before') }));
    await expect(before).rejects.toBe('before');
    const ending = new AbortController();
    const batches = workspace().searchBatches(query, { limits: LIMITS, signal: ending.signal });
    expect((await batches.next()).value?.results).toHaveLength(64);
    ending.abort('between');
    await expect(batches.next()).rejects.toBe('between');
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    const late = new AbortController();
    const endless = workspaceOn(temporaryTree({ a: `${'a'.repeat(4000)}!b` }))
      .searchBatches({ content: '^(?:(a+)\\1?)+\\1b$' }, { limits: LIMITS, signal: late.signal, onProgress: () => late.abort('within') });
    await expect(endless.next()).rejects.toBe('within');
  });

  it('throws at the first step what search rejects with', async () => {
    await expect(workspace().searchBatches({ dir: 'none' }).next()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(workspace().searchBatches({ content: '(' }).next()).rejects.toThrow(SyntaxError);
    await expect(workspace().searchBatches({ dir: '/' }).next()).rejects.toMatchObject({ code: 'ERR_NOT_GRANTED' });
  });

  it('lets many unfinished searches rest beside others', async () => {
    const searched = workspace();
    const open = Array.from({ length: 20 }, () => searched.searchBatches({ content: 'needle' }, { limits: LIMITS }));
    for (const batches of open) expect((await batches.next()).value?.last).toBe(false);
    expect((await searched.search({ name: '^one$' })).results).toHaveLength(1);
    for (const batches of open) await batches.return();
  });
});
