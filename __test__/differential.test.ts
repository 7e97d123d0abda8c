import * as fs from 'node:fs';
import * as path from 'node:path';
import { ResultStatus } from '@johannes.latzel/llm-chat';
import { describe, expect, it } from 'vitest';
import * as native from '../index.js';
import { DIFFERENCES } from './support/differences.js';
import { Duel } from './support/duel.js';
import { mutant } from './support/mutant.js';
import type { Mutation } from './support/mutant.js';
import { published } from './support/published.js';
import type { Api } from './support/published.js';

// The full run is DIFF_SEEDS=20 DIFF_CALLS=1000; DIFF_FIRST repeats a reported seed.
const seeds = Number(process.env['DIFF_SEEDS'] ?? 3);
const calls = Number(process.env['DIFF_CALLS'] ?? 300);
const first = Number(process.env['DIFF_FIRST'] ?? 1);
const reference = { published, native: published };
const candidates = { published, native: native as unknown as Api };

describe('published and native side by side', () => {
  for (let seed = first; seed < first + seeds; seed += 1) {
    it(`answers ${String(calls)} random calls alike, seed ${String(seed)}`, { timeout: 1000 * calls }, async () => {
      const report = await new Duel(seed, candidates).run(calls);
      const counts = [...report.explained].map(([fault, count]) => `${fault}: ${String(count)}`);
      console.log(`seed ${String(seed)}: ${String(report.calls)} calls, differences by fault: ${counts.join(', ') || 'none'}`);
      expect(report.unexplained.join('\n\n')).toBe('');
      expect(report.calls).toBe(calls);
    });
  }

  it('sees no difference where there is none', { timeout: 300_000 }, async () => {
    const report = await new Duel(first, reference).run(Math.min(calls, 200));
    expect(report.unexplained.join('\n\n')).toBe('');
    expect([...report.explained]).toEqual([]);
  });

  it.each<[string, Mutation]>([
    ['a text with one character more', (_, results) => results.map((each) => ({ ...each, result: `${each.result}.` }))],
    ['an empty text', (_, results) => results.map((each) => ({ ...each, result: '' }))],
    ['the other status', (_, results) => results.map((each) => ({ ...each, status: each.status === ResultStatus.Error ? ResultStatus.Success : ResultStatus.Error }))],
    ['no result', () => []],
    ['a stray file', (_, results, { currentPath }) => {
      fs.writeFileSync(path.join(path.dirname(currentPath), `stray-${String(fs.readdirSync(path.dirname(currentPath)).length)}`), '');
      return results;
    }],
  ])('lets no difference pass for an intended one: %s', { timeout: 300_000 }, async (_, mutation) => {
    const report = await new Duel(first, { published, native: mutant(published, mutation) }).run(40);
    expect([...report.explained]).toEqual([]);
    expect(report.unexplained.length).toBe(report.calls);
  });

  it('names every fault once, each with its reason', () => {
    const faults = DIFFERENCES.map((row) => row.fault);
    expect(new Set(faults).size).toBe(faults.length);
    for (const row of DIFFERENCES) {
      expect(row.reason).not.toBe('');
      expect(row.answer ?? row.tree).toBeDefined();
    }
  });
});
