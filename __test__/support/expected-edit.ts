import { decode, encode, shown } from './expected-text.js';
import type { Decoded } from './expected-text.js';

/** What an edit must answer and leave in the file; no bytes: the file stays as it was. */
export interface ExpectedEdit {
  /** result text, or undefined for any error text */
  result: string | undefined;
  bytes: Buffer | undefined;
  /** faults whose repair shows in this answer */
  faults: string[];
}

// Under the u flag a class of surrogates matches only those without a partner.
const LONE_SURROGATE = /[\ud800-\udfff]/u;

const ANY_ERROR = (faults: string[]): ExpectedEdit => ({ result: undefined, bytes: undefined, faults });

/** The answer to an edit of an existing text file that the caller may edit. @param at the path as shown */
export function expectedEdit(tool: string, bytes: Buffer, at: string, args: Record<string, unknown>, limit: number): ExpectedEdit {
  const decoded = decode(bytes);
  const faults = fileFaults(decoded);
  switch (tool) {
    case 'replace_file_lines':
      return finish(decoded, replaceLines(decoded.text, at, args), limit, faults);
    case 'insert_file_content':
      return finish(decoded, insertLines(decoded.text, at, args), limit, faults);
    default:
      return finish(decoded, replaceContent(decoded.text, at, args), limit, faults);
  }
}

function fileFaults(decoded: Decoded): string[] {
  const faults: string[] = [];
  if (decoded.invalid || decoded.encoding !== 'utf8') faults.push('D3 D4 D5');
  if (decoded.bom) faults.push('R5');
  if (decoded.text.includes('\r\n')) faults.push('E2');
  return faults;
}

interface Change {
  result: string | undefined;
  text?: string;
  /** what the caller puts in, or looks for: refused where the file's bytes are not text */
  foreign?: string;
  faults?: string[];
}

function finish(decoded: Decoded, change: Change, limit: number, inherent: string[]): ExpectedEdit {
  const faults = [...inherent, ...(change.faults ?? [])];
  if (change.result === undefined) return ANY_ERROR(faults);
   
  if (decoded.invalid && change.foreign !== undefined && /[^\0-\x7f]/.test(change.foreign)) return ANY_ERROR(faults);
  if (change.text === undefined) return { result: change.result, bytes: undefined, faults };
  const after = encode(change.text, decoded);
  const length = shown(after, decode(after)).length;
  if (length > limit) {
    return {
      result: `Resulting file would be ${String(length)} chars, exceeds max length of ${String(limit)}`,
      bytes: undefined,
      faults,
    };
  }
  return { result: change.result, bytes: after, faults };
}

function lineEnd(lines: readonly string[], from: number, to: number): '\r\n' | '\n' {
  // The span's own line ends decide, else the line before it; the last piece has no line end.
  for (let index = Math.min(to, lines.length - 1) - 1; index >= from - 1; index -= 1) {
    return lines[index]?.endsWith('\r') === true ? '\r\n' : '\n';
  }
  return lines[from - 2]?.endsWith('\r') === true ? '\r\n' : '\n';
}

function withEnds(content: string, end: string): string[] {
  const lines = content.split('\n');
  return lines.map((line, index) => (end === '\r\n' && index < lines.length - 1 && !line.endsWith('\r') ? `${line}\r` : line));
}

/** A line argument as it is understood: rounded down, at most the largest exact integer; undefined is its default. */
function whole(value: unknown): number | undefined {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : undefined;
}

function notWhole(...values: unknown[]): string[] {
  return values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)) ? ['NaN'] : [];
}

function replaceLines(text: string, at: string, args: Record<string, unknown>): Change {
  const content = args['content'] as string;
  const faults = notWhole(args['start_line'], args['end_line']);
  const start = whole(args['start_line']);
  if (start === undefined) return { result: undefined, faults };
  const end = whole(args['end_line']) ?? start;
  const lines = text.split('\n');
  const count = String(lines.length);
  if (start > lines.length) return { result: `start_line (${String(start)}) exceeds file length (${count} lines)`, faults };
  if (end > lines.length) return { result: `end_line (${String(end)}) exceeds file length (${count} lines)`, faults };
  const ending = lineEnd(lines, start, end);
  const fresh = content === '' ? [] : withEnds(content, ending);
  const last = fresh.length - 1;
  const followed = end < lines.length;
  if (followed && last >= 0 && ending === '\r\n' && fresh[last]?.endsWith('\r') !== true) fresh[last] += '\r';
  const result = [...lines.slice(0, start - 1), ...fresh, ...lines.slice(end)].join('\n');
  return { result: `Replaced lines ${String(start)}-${String(end)} in ${at}`, text: result, foreign: content, faults };
}

function insertLines(text: string, at: string, args: Record<string, unknown>): Change {
  const content = args['content'] as string;
  const lines = text.split('\n');
  const faults = notWhole(args['line']);
  const given = whole(args['line']) ?? lines.length + 1;
  if (given < 1 || given > lines.length + 1) {
    const count = lines.length;
    return {
      result: `line (${String(given)}) out of range: file has ${String(count)} lines, must be between 1 and ${String(count + 1)}`,
      faults,
    };
  }
  if (text === '' && given === 2) {
    // Like a final newline, an empty file is no reason for a blank line before what is appended.
    const pieces = content.split('\n').length;
    return {
      result: `Inserted content at ${pieces > 1 ? `lines 1-${String(pieces)}` : 'line 1'} in ${at}`,
      text: content,
      foreign: content,
      faults: ['E1'],
    };
  }
  const appends = given === lines.length + 1 && text.endsWith('\n');
  const line = appends ? lines.length : given;
  const ending = lineEnd(lines, line, line);
  // Content that ends its last line itself does so in its own way.
  const closing = appends ? (/\r?\n$/.exec(content)?.[0] ?? '') : '';
  const fresh = withEnds(content.slice(0, content.length - closing.length), ending);
  if (closing === '\r\n') fresh[fresh.length - 1] += '\r';
  const result = [...lines.slice(0, line - 1), ...fresh, ...lines.slice(line - 1)].join('\n');
  const range = fresh.length > 1 ? `lines ${String(line)}-${String(line + fresh.length - 1)}` : `line ${String(line)}`;
  return {
    result: `Inserted content at ${range} in ${at}`,
    text: result,
    foreign: content,
    faults: appends ? ['E1', ...faults] : faults,
  };
}

function replaceContent(text: string, at: string, args: Record<string, unknown>): Change {
  const old = args['old_content'] as string;
  const fresh = args['new_content'] as string;
  const all = args['replace_all'] === true;
  if (old === '' || LONE_SURROGATE.test(old)) return { result: undefined, faults: ['E4 E5'] };
  let hay = text;
  let needle = old;
  if (!hay.includes(needle)) {
    // LF and CRLF are taken as equal only when the exact text is nowhere.
    hay = text.replaceAll('\r\n', '\n');
    needle = old.replaceAll('\r\n', '\n');
    if (/^[\r\n]*$/.test(old) || !hay.includes(needle)) return { result: 'old_content not found in file', foreign: old };
  }
  const pieces = hay.split(needle);
  const count = all ? pieces.length - 1 : 1;
  const [head, ...rest] = pieces;
  const result = all ? pieces.join(fresh) : `${head ?? ''}${fresh}${rest.join(needle)}`;
  return {
    result: `Replaced ${String(count)} occurrence${count === 1 ? '' : 's'} in ${at}`,
    text: result,
    foreign: old + fresh,
  };
}

/** Equal but for carriage returns: where lines end in CRLF, which of them a new line gets is not pinned here. */
export function equalButCarriageReturns(one: Buffer, other: Buffer): boolean {
  const [left, right] = [decode(one), decode(other)];
  const strip = (text: string): string => text.replaceAll('\r', '');
  return left.encoding === right.encoding && left.bom === right.bom && strip(left.text) === strip(right.text);
}
