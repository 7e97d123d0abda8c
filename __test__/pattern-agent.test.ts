import * as fs from 'node:fs';
import * as path from 'node:path';
import { expect, it } from 'vitest';
import { AGENT_SEARCHES } from './support/agent-patterns.js';
import { workspaceOn } from './support/tools.js';
import { temporaryTree } from './support/tree.js';

const root = path.resolve(import.meta.dirname, '..');

/** Most lines taken of one file. */
const LINES_PER_FILE = 1500;

/** Most lines in all. */
const LINES = 20_000;

/** Source files of a built checkout, as many of a directory as are given. */
function sourceFiles(): string[] {
  const within = (dir: string, ending: string, most: number): string[] =>
    fs.readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending))
      .sort()
      .slice(0, most)
      .map((name) => path.join(dir, name));
  return [
    ...within('crates/core/src', '.rs', 20), ...within('ts', '.ts', 20), ...within('docs', '.md', 5), ...within('scripts', '.mjs', 5),
    ...within('node_modules/vitest/dist', '.js', 3), 'README.md', 'package.json', 'Cargo.toml', 'node_modules/typescript/lib/lib.dom.d.ts',
  ];
}

/** Their lines, without those that hold surrogate pairs: how halves of them are told is tested with `pattern-meaning`. */
function sourceLines(): string[] {
  const lines = sourceFiles().flatMap((file) => fs.readFileSync(path.join(root, file), 'utf8').split(/\r?\n/).slice(0, LINES_PER_FILE));
  return lines.filter((line) => !/[\u{10000}-\u{10ffff}]/u.test(line)).slice(0, LINES);
}

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

it.each(Object.entries(AGENT_SEARCHES))('finds what RegExp finds in source code: %s', { timeout: 60_000 }, async (_, sources) => {
  const lines = sourceLines();
  expect(lines.length).toBeGreaterThan(5000);
  const workspace = workspaceOn(temporaryTree({ lines: lines.join('\n') }));
  for (const [index, source] of sources.entries()) {
    // Without flag u all are valid; each also runs with one of the rarer sets of flags.
    for (const flags of [undefined, '', ['i', 'u', 'ms'][index % 3]]) {
      const expression = compiled(source, flags ?? 'iu');
      const search = workspace.search({ content: source, flags, maxResults: 1_000_000 });
      if (!expression) {
        await expect(search, `/${source}/${flags}`).rejects.toThrow(SyntaxError);
        continue;
      }
      const { results, complete } = await search;
      expect(complete, `/${source}/${flags}`).toBe(true);
      const expected = lines.flatMap((text, at) => {
        const match = expression.exec(text);
        return match ? [`${at + 1}:${match.index}-${match.index + match[0].length}`] : [];
      });
      const found = results.map(({ line, columns }) => `${line}:${columns.join('-')}`);
      expect(found, `/${source}/${flags}`).toEqual(expected);
    }
  }
});
