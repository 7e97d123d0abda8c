import * as fs from 'node:fs';
import * as path from 'node:path';
import { decode, isBinaryByNul, shown } from './expected-text.js';
import { published } from './published.js';

const SNIPPET = 200;

/** Limits and filters of one search, after the arguments have been checked. */
export interface Query {
  dir: string;
  name: RegExp | undefined;
  content: RegExp | undefined;
  type: 'file' | 'directory' | 'both';
  maxResults: number;
  maxSize: number | undefined;
  dates: { createdAfter?: number; createdBefore?: number; modifiedAfter?: number; modifiedBefore?: number };
  skipDirs: readonly string[];
  maxFileSize: number;
  /** where the published search stops to look into a file */
  maxChars: number;
  maxTotal: number;
  maxDisplay: number;
}

/** One line of an answer; `full` is set where the snippet may be any part of it that has the match. */
export interface ExpectedLine {
  text: string;
  full?: { prefix: string; line: string };
}

/** What a search must find. */
export interface ExpectedSearch {
  lines: ExpectedLine[];
  visited: number;
  /** the limit on visited entries was met */
  tooMany: boolean;
  /** files left out for their size, or because they cannot be read */
  skippedFiles: number;
  /** faults whose repair this search came across */
  faults: Set<string>;
}

interface Entry {
  at: string;
  name: string;
  isDirectory: boolean;
}

function* walk(dir: string, skipDirs: readonly string[]): Generator<Entry> {
  const stack = [list(dir)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const entry = top.shift();
    if (entry === undefined) {
      stack.pop();
      continue;
    }
    if (entry.isDirectory && skipDirs.includes(entry.name)) continue;
    yield entry;
    if (entry.isDirectory) stack.push(list(entry.at));
  }
}

function list(dir: string): Entry[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
    .map((entry) => ({ at: path.join(dir, entry.name), name: entry.name, isDirectory: entry.isDirectory() }));
}

/** Searches serially and plainly, with the repairs that this package promises. */
export async function expectedSearch(query: Query): Promise<ExpectedSearch> {
  const found: ExpectedSearch = { lines: [], visited: 0, tooMany: false, skippedFiles: 0, faults: new Set() };
  for (const entry of walk(query.dir, query.skipDirs)) {
    found.visited += 1;
    if (found.visited >= query.maxTotal) {
      found.tooMany = true;
      return found;
    }
    if (found.lines.length >= query.maxResults) break;
    if (query.type === 'file' && entry.isDirectory) continue;
    if (query.type === 'directory' && !entry.isDirectory) continue;
    if (query.name?.test(entry.name) === false) continue;
    if (entry.isDirectory && (query.content !== undefined || query.name === undefined)) found.faults.add('Q7 Q8');
    if (entry.isDirectory && query.content !== undefined) continue;
    await visit(entry, query, found);
  }
  return found;
}

async function visit(entry: Entry, query: Query, found: ExpectedSearch): Promise<void> {
  const stat = fs.statSync(entry.at);
  if (entry.isDirectory && Object.keys(query.dates).length > 0) found.faults.add('Q7 Q8');
  if (!inDates(stat, query.dates)) return;
  const times = Object.keys(query.dates).length > 0 ? '  (created: <time>, modified: <time>)' : '';
  if (query.content === undefined) {
    found.lines.push({ text: entry.at + (entry.isDirectory ? '/' : '') + times });
    return;
  }
  if (query.maxSize !== undefined && stat.size > query.maxSize) return;
  if (stat.size > query.maxFileSize) {
    found.skippedFiles += 1;
    found.faults.add('Q5 Q6');
    return;
  }
  let bytes: Buffer;
  try {
    bytes = fs.readFileSync(entry.at);
  } catch {
    found.skippedFiles += 1;
    found.faults.add('Q16');
    return;
  }
  if (isBinaryByNul(bytes)) found.faults.add('binary sample');
  if ((await published.isBinary(entry.at)) || isBinaryByNul(bytes)) return;
  const decoded = decode(bytes);
  const text = shown(bytes, decoded);
  if (decoded.bom) found.faults.add('R5');
  if (text.length > query.maxChars) found.faults.add('Q5 Q6');
  if (text.includes('\r\n')) found.faults.add('Q10 Q11');
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (found.lines.length >= query.maxResults) break;
    if (!query.content.test(line)) continue;
    const prefix = `${entry.at}:${String(index + 1)}: `;
    const trimmed = line.trim();
    const plain = { text: prefix + trimmed.slice(0, SNIPPET) + times };
    if (trimmed.length > SNIPPET) found.faults.add('Q10 Q11');
    found.lines.push(trimmed.length > SNIPPET ? { ...plain, full: { prefix, line: trimmed } } : plain);
  }
}

function inDates(stat: fs.Stats, dates: Query['dates']): boolean {
  const created = stat.birthtime.getTime();
  const modified = stat.mtime.getTime();
  if (dates.createdAfter !== undefined && created < dates.createdAfter) return false;
  if (dates.createdBefore !== undefined && created > dates.createdBefore) return false;
  if (dates.modifiedAfter !== undefined && modified < dates.modifiedAfter) return false;
  return dates.modifiedBefore === undefined || modified <= dates.modifiedBefore;
}

/** Whether a line of an answer is the expected one; a long line may show any part with the match. */
export function isExpectedLine(line: string, expected: ExpectedLine, content: RegExp | undefined): boolean {
  if (line === expected.text) return true;
  if (expected.full === undefined || !line.startsWith(expected.full.prefix)) return false;
  const snippet = line.slice(expected.full.prefix.length).replace(/ {2}\(created: .*\)$/, '').replace(/^\u2026|\u2026$/g, '');
  if (snippet.length > SNIPPET || !expected.full.line.includes(snippet)) return false;
  const match = content?.exec(expected.full.line)?.[0] ?? '';
  return snippet.includes(match) || match.length > SNIPPET;
}
