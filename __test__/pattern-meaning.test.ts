import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Workspace } from '../index.js';
import { Random } from './support/random.js';
import { randomLine, randomPattern } from './support/random-pattern.js';
import { temporaryTree } from './support/tree.js';
import { workspaceOn } from './support/tools.js';

const FLAGS = ['iu', 'iu', 'i', 'i', 'u', '', 's', 'm', 'ims', 'imsu'];
const SEED = Number(process.env.PATTERN_SEED ?? Date.now() % 1_000_000_000);
const COUNT = Number(process.env.PATTERN_COUNT ?? 2000);
const LINES = 10;

/** Patterns that agents send to search tools. */
const AGENT_PATTERNS = [
  'TODO|FIXME', 'function\\s+\\w+', 'import .* from', '\\bfoo\\b', '^\\s*export ', 'https?://[^\\s"\'<>]+', '\\w+Error\\b', '[a-z_]+\\(\\)\\s*\\{',
  'await(?!\\s+Promise)', '(?<!\\.)\\bmap\\(', '^(?=.*const)(?=.*=>)', '(\\w+) \\1', '([\'"]).*?\\1', 'zzzqqq', '.*', '^$', '^', '$', '\\{$', ';$',
  'class \\w+ (extends|implements) \\w+', '\\p{Lu}\\p{Ll}+Error', '(?<word>\\w+)\\.\\k<word>', '@(param|throws)', '\\d+_\\d+', '[^\\x00-\\x7f]', '=>\\s*$',
  '(?:async )?function', 'readonly \\w+\\??:', '`[^`]*\\$\\{[^}]*\\}', '\\/\\*\\*', '^ \\* ', '(?<=const )\\w+(?= =)', '\\s{3,}\\S', '\\.(test|spec)\\.ts',
];

interface Found { line: number; columns: [number, number] }

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Matches as the running Node finds them; a match that splits a pair is told with the whole character. */
function expected(expression: RegExp, lines: string[]): Found[] {
  return lines.flatMap((line, index) => {
    const match = expression.exec(line);
    if (!match) return [];
    const splits = (at: number): boolean => /^[\ud800-\udbff][\udc00-\udfff]/.test(line.slice(at - 1, at + 1));
    const end = match.index + match[0].length;
    return [{ line: index + 1, columns: [splits(match.index) ? match.index - 1 : match.index, splits(end) ? end + 1 : end] }];
  });
}

async function ours(workspace: Workspace, content: string, flags: string): Promise<Found[]> {
  const { results, complete } = await workspace.search({ content, flags, maxResults: 1_000_000 });
  expect(complete).toBe(true);
  return results.map(({ line, columns }) => ({ line, columns }));
}

describe(`a pattern means what RegExp makes of it (PATTERN_SEED=${SEED})`, () => {
  it('over random patterns and lines', { timeout: 600_000 }, async () => {
    const random = new Random(SEED);
    const dir = temporaryTree({ lines: '' });
    const workspace = workspaceOn(dir);
    let pairs = 0;
    for (let round = 0; round < COUNT; round++) {
      const flags = random.pick(FLAGS);
      const source = randomPattern(random, flags.includes('u'));
      const expression = compiled(source, flags);
      if (!expression) continue;
      const lines = Array.from({ length: LINES }, () => randomLine(random));
      fs.writeFileSync(path.join(dir, 'lines'), lines.join('\n'));
      expect(await ours(workspace, source, flags), `/${source}/${flags} on ${JSON.stringify(lines)}`).toEqual(expected(expression, lines));
      pairs += LINES;
    }
    console.info(`${pairs} pairs of pattern and line agree, seed ${SEED}`);
    expect(pairs).toBeGreaterThan((COUNT * LINES) / 2);
  });

  it('where an empty match would lie inside a surrogate pair', async () => {
    const line = '9😀0Ω';
    const workspace = workspaceOn(temporaryTree({ line }));
    for (const source of ['\\B', '()\\B', '(c)|\\1\\B', '()\\1\\B', '(?<n>)\\k<n>\\B', '\\B()\\1', '(?<=\\1())\\B', '(c)|(?!\\1)\\B', '(c)|(?=\\1)\\B', '(c)?\\1*\\B', '(\\1\\B)', '((?<!\\1))', '(?<n>(?<!c\\k<n>))']) {
      for (const flags of ['u', 'iu', 'i']) {
        expect(await ours(workspace, source, flags), `/${source}/${flags}`).toEqual(expected(new RegExp(source, flags), [line]));
      }
    }
  });

  it('over patterns of agents, and mutants of them, on source lines', { timeout: 600_000 }, async () => {
    const random = new Random(SEED);
    const text = fs.readFileSync(new URL('../ts/pattern.ts', import.meta.url), 'utf8');
    const lines = text.split('\n');
    const workspace = workspaceOn(temporaryTree({ lines: text }));
    const mutants = AGENT_PATTERNS.flatMap((source) => [source, ...Array.from({ length: 5 }, () => mutant(random, source))]);
    for (const source of mutants) {
      for (const flags of ['iu', 'i']) {
        const expression = compiled(source, flags);
        if (expression) expect(await ours(workspace, source, flags), `/${source}/${flags}`).toEqual(expected(expression, lines));
      }
    }
  });
});

/** The pattern with one unit dropped, doubled or replaced. */
function mutant(random: Random, source: string): string {
  const at = random.int(0, source.length - 1);
  const middle = random.pick(['', source.charAt(at).repeat(2), random.pick([...'()[]{}|*+?.^$\\wab1'])]);
  return source.slice(0, at) + middle + source.slice(at + 1);
}
