import { equalButCarriageReturns, expectedEdit } from './expected-edit.js';
import { expectedRead } from './expected-read.js';
import { expectedSearch, isExpectedLine } from './expected-search.js';
import type { ExpectedSearch, Query } from './expected-search.js';
import { decode, encode, isBinaryByNul } from './expected-text.js';
import { BASE } from './random-calls.js';
import { isPoolRefusal, poolVerdict, relativePath, shownPath } from './verdict.js';
import type { Answer } from './tools.js';
import type { Case } from './verdict.js';

/** Faults whose repair accounts for an answer, empty when the answer is not the expected one. */
export type Faults = string[];

const EDITS = new Set(['replace_file_lines', 'insert_file_content', 'replace_file_content']);

/** How the published tools begin what they say of an edit, right or wrong. */
const PUBLISHED_ERRORS = /^(?:Error|Replaced|Inserted|Resulting|old_content not found|start_line \(|end_line \(|line \()/;

/** Puts quoted paths back as they are on disk. */
export function unquote(text: string): string {
  return text.replace(/"@BASE@(?:[^"\\\n]|\\.)*"/g, (quoted) => JSON.parse(quoted) as string);
}

/** Judges an answer of read_file on a text file. */
export function judgeRead({ world, facts, native, published }: Case): Faults {
  if (world.call.tool !== 'read_file' || facts?.bytes === undefined || published.status !== 'success') return [];
  const at = shownPath(world, facts);
  if (isBinaryByNul(facts.bytes)) {
    return native.status === 'error' && native.result === `File appears to be binary; use read_file for text files only: ${at}` ? ['binary sample'] : [];
  }
  const { args } = world.call;
  if (native.status !== 'success' || unquote(native.result) !== expectedRead(facts.bytes, at, args, world.maxChars)) return [];
  const faults: Faults = [];
  if (published.result.endsWith('... [truncated]') || native.result.endsWith('... [truncated]')) faults.push('R1 R2');
  if (decode(facts.bytes).bom) faults.push('R5');
  if (Object.values(args).some((value) => typeof value === 'number' && !Number.isSafeInteger(value))) faults.push('NaN');
  return faults;
}

/** Judges an answer of write_file or of an edit tool on an existing file, and the bytes it left. */
export function judgeChange(one: Case): Faults {
  const { world, facts, native } = one;
  const { tool, args } = world.call;
  if ((!EDITS.has(tool) && tool !== 'write_file') || facts?.bytes === undefined || facts.kind !== 'file') return [];
  const unchanged = bytesAfter(one)?.equals(facts.bytes) === true;
  if (tool !== 'write_file' && isBinaryByNul(facts.bytes)) {
    const right = native.status === 'error' && native.result === 'File appears to be binary; this tool works with text files only';
    return right && unchanged ? ['binary sample'] : [];
  }
  const verdict = poolVerdict(world, facts);
  const pool = poolFaults(one);
  if (verdict !== undefined) return native.status === 'error' && native.result === verdict && unchanged ? pool : [];
  const faults = tool === 'write_file' ? judgeWrite(one, args) : judgeEdit(one, args);
  return faults === undefined ? [] : [...pool, ...faults];
}

function poolFaults({ facts, published, native }: Case): Faults {
  if (!isPoolRefusal(published) && !isPoolRefusal(native)) return [];
  // What is refused as binary has not been read.
  if (facts?.bytes !== undefined && isBinaryByNul(facts.bytes)) return ['binary sample'];
  return facts !== undefined && facts.mtimeMs > Date.now() ? ['C6'] : ['C7 C10 C11'];
}

function bytesAfter({ world, facts }: Case): Buffer | undefined {
  const entry = world.afterNative.get(relativePath(facts?.deep ?? ''));
  return entry?.kind === 'file' ? Buffer.from(entry.content, 'latin1') : undefined;
}

/** The faults in play when text and bytes are the expected ones, else undefined. */
function judgeWrite(one: Case, args: Record<string, unknown>): Faults | undefined {
  const { world, facts, native } = one;
  const before = decode(facts?.bytes ?? Buffer.alloc(0));
  if (facts === undefined || typeof args['content'] !== 'string') return undefined;
  if (native.status !== 'success' || unquote(native.result) !== `Written: ${shownPath(world, facts)}`) return undefined;
  const expected = encode(args['content'], { ...before, invalid: false });
  if (bytesAfter(one)?.equals(expected) !== true) return undefined;
  return before.bom ? ['R5'] : [];
}

function judgeEdit(one: Case, args: Record<string, unknown>): Faults | undefined {
  const { world, facts, native } = one;
  const texts = world.call.tool === 'replace_file_content' ? ['old_content', 'new_content'] : ['content'];
  if (facts?.bytes === undefined || texts.some((name) => typeof args[name] !== 'string')) return undefined;
  const expected = expectedEdit(world.call.tool, facts.bytes, shownPath(world, facts), args, world.maxChars);
  const after = bytesAfter(one);
  if (expected.result === undefined) {
    // The wording is free, but it must be a new one: the published texts mean something else.
    const worded = native.result.trim() !== '' && !PUBLISHED_ERRORS.test(native.result);
    return worded && native.status === 'error' && after?.equals(facts.bytes) === true ? expected.faults : undefined;
  }
  if (native.status !== (expected.bytes === undefined ? 'error' : 'success')) return undefined;
  const returns = expected.faults.includes('E2');
  const number = /would be \d+ chars/;
  const sameText = returns
    ? unquote(native.result).replace(number, '') === expected.result.replace(number, '')
    : unquote(native.result) === expected.result;
  const bytes = expected.bytes ?? facts.bytes;
  const sameBytes = after?.equals(bytes) === true || (returns && after !== undefined && equalButCarriageReturns(after, bytes));
  if (!sameText || !sameBytes) return undefined;
  return native.result === expected.result ? expected.faults : [...expected.faults, ...nameFaults(native)];
}

function nameFaults({ result }: Answer): Faults {
  return result.includes(`"${BASE}`) ? ['names'] : [];
}

function query({ world, facts }: Case): Query {
  const { args } = world.call;
  const pattern = (name: string): RegExp | undefined => {
    const value = args[name];
    return typeof value === 'string' && value.trim() !== '' ? new RegExp(value.trim(), args['strict'] === false ? 'i' : 'iu') : undefined;
  };
  const dates: Record<string, number> = {};
  for (const name of ['created_after', 'created_before', 'modified_after', 'modified_before']) {
    const value = args[name];
    if (typeof value === 'string') dates[name.replace(/_(.)/, (_, letter: string) => letter.toUpperCase())] = Date.parse(value);
  }
  const results = args['max_results'];
  const size = args['max_size'];
  const dir = facts === undefined ? world.current : shownPath(world, facts);
  return {
    dir: dir.replace(BASE, world.nativeBase),
    name: pattern('name_pattern'),
    content: pattern('content_pattern'),
    type: args['type'] === 'file' || args['type'] === 'directory' ? args['type'] : 'both',
    maxResults: typeof results === 'number' && !Number.isNaN(results) ? Math.max(1, results) : world.maxResults,
    maxSize: typeof size === 'number' && !Number.isNaN(size) ? Math.max(1, size) : undefined,
    dates,
    skipDirs: world.skipDirs,
    maxFileSize: world.maxFileSize,
    maxChars: world.maxChars,
    maxTotal: world.maxTotal,
    maxDisplay: world.maxDisplay,
  };
}

const WARNING = /^\(Warning: could not read [^\n]*\)\n\n/;

/** Judges an answer of search_entries whose root is a directory that may be read. */
export async function judgeSearch(one: Case): Promise<Faults> {
  return (await searchFaults(one)) ?? [];
}

/** The faults in play when a search answers what it must, else undefined. */
export async function searchFaults(one: Case): Promise<Faults | undefined> {
  const { world, native, published } = one;
  const summary = /^(?:\(Warning: .*\)\n\n)?Searched (?:too many|\d+) entries/.test(published.result);
  if (world.call.tool !== 'search_entries' || (published.status === 'error' && !summary)) return undefined;
  const asked = query(one);
  const expected = await expectedSearch(asked);
  const warned = WARNING.test(native.result);
  if (warned !== expected.skippedFiles > 0 && asked.maxSize === undefined) return undefined;
  const general = { ...expected, lines: expected.lines.map((line) => generalLine(line, world.nativeBase)) };
  if (!isExpectedSearch(native.result.replace(WARNING, ''), native.status, general, asked)) return undefined;
  const faults = [...expected.faults];
  const hidden = !expected.tooMany && expected.lines.length > world.maxDisplay;
  if (summary || hidden) faults.push(expected.tooMany ? 'Q3 Q4' : 'Q2');
  faults.push(...nameFaults(native));
  if (Object.values(world.call.args).some((value) => Number.isNaN(value))) faults.push('NaN');
  return faults;
}

function generalLine(line: ExpectedSearch['lines'][number], base: string): ExpectedSearch['lines'][number] {
  const general = (text: string): string => text.replaceAll(base, BASE);
  return line.full === undefined
    ? { text: general(line.text) }
    : { text: general(line.text), full: { prefix: general(line.full.prefix), line: line.full.line } };
}

function isExpectedSearch(text: string, status: string, expected: ExpectedSearch, asked: Query): boolean {
  const found = String(expected.lines.length);
  let shownText = text;
  if (expected.tooMany) {
    const first = `Searched too many entries (${String(expected.visited)}), aborting. Found ${found} matches.`;
    if (status !== 'error' || !text.startsWith(first)) return false;
    shownText = text.slice(first.length).replace(/^\n+/, '');
    if (expected.lines.length === 0) return shownText === '';
  } else if (status !== 'success') {
    return false;
  } else if (expected.lines.length > asked.maxDisplay) {
    return text === `Searched ${String(expected.visited)} entries, found ${found} matches`;
  } else if (expected.lines.length === 0) {
    return text === 'No matching entries found';
  }
  const lines = shownText.split('\n').map(unquote);
  return (
    lines.length === expected.lines.length &&
    expected.lines.every((line, index) => {
      const shown = lines[index] ?? '';
      // Times beside directories are not pinned.
      return isExpectedLine(shown, line, asked.content) || (line.text.includes('/  (') && shown === line.text.replace(/ {2}\(.*/, ''));
    })
  );
}
