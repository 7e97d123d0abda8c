import { describe, expect, it } from 'vitest';
import { SearchConfiguration } from '../index.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

/** Patterns that cost a backtracking engine exponential time. */
const BACKTRACKING = [
  '(a+)+$', '(a+)+b', '(a*)*b', '(a|a)*b', '(a|aa)+$', '(a|a?)+b', '(.*)*x', '(.*a){12}x', '^(([a-z])+.)+[A-Z]([a-z])+$', '(\\w+\\s?)+$', '(\\w+\\s?)*:$',
  '([a-zA-Z]+)*\\d', '(?:a+){10,}b', '((a+)+)+b', '(a+a+)+b', '(?=(a+)+b)a', '(?<=(a|aa)+)c', '(?!(a+)+b)c', '^(?:(a+)\\1?)+\\1b$', '(a*)\\1*\\1*b',
  '(.*)\\1{5}x', '(a+)\\1\\1b', '(\\w+)\\W+\\1\\W+\\1!!', '(?:(a*)|(a*))*\\1\\2b',
];

/** Patterns whose counted repetitions blow up automata. */
const COUNTED = [
  '(a{0,100}){0,100}b', '(\\w{1,500}){1,20}\\d!', '.*[ab]{1,300}c', '(?:a?){500}a{500}b', '[^]{1000}x', '(x{1,100}){1,100}', '(a{1,50}){1,50}(b{1,50}){1,50}c',
  'a.{500}b', '(?:.a){300}c', '(a|b)*a(a|b){200}c', '(\\p{L}{1,100}){1,50}!\\d', '[a-z]{0,1000}[0-9]{0,1000}#', '(?:(?:a{0,20}){0,20}){0,20}b', '(a{1000}){1000}',
  '(a{65535}){65535}', 'a{2147483647}', '(?:a{100}|b{100}){100}c', '(?=.{1000}b)a', '(?<!a{200}b{200})c',
];

const TREE = {
  short: `${'a'.repeat(40)}!`,
  middle: `${'a'.repeat(5000)}!b`,
  long: `${'a'.repeat(1_000_000)}!b`,
  text: 'aab abba the quick_brown fox; a = b + 12\n'.repeat(10_000),
};

describe('a search ends by its time limit, whatever the pattern', () => {
  const limits = new SearchConfiguration(undefined, undefined, undefined, 50);

  it.each([...BACKTRACKING, ...COUNTED])('%s', async (content) => {
    const workspace = workspaceOn(temporaryTree(TREE));
    for (const name of Object.keys(TREE)) {
      const answer = await workspace.search({ name: `^${name}$`, content, flags: 'i' }, { limits }).catch((error: unknown) => error);
      if (answer instanceof Error) {
        expect(answer).toHaveProperty('code', 'ERR_PATTERN_LIMIT');
      } else {
        const { complete, stoppedBy, skipped } = answer as Awaited<ReturnType<typeof workspace.search>>;
        // A file that needs more memory than a pattern may have is counted.
        expect(complete || stoppedBy !== null || skipped.undecodable > 0).toBe(true);
      }
    }
  });
});
