import { cut, decode, shown } from './expected-text.js';

const SUFFIX = '\n... [truncated]';

/** What read_file must answer for a text file. @param at the path as shown @param limit maxCharsPerFile */
export function expectedRead(bytes: Buffer, at: string, args: Record<string, unknown>, limit: number): string {
  const number = (name: string): number | undefined => {
    const value = args[name];
    return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
  };
  const maxChars = Math.max(1, Math.min(number('max_chars') ?? limit, limit));
  const whole = (value: number): number => Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER);
  const start = Math.max(1, whole(number('start_line') ?? 1));
  const end = whole(number('end_line') ?? 0);
  const text = shown(bytes, decode(bytes));
  const lines = text.split('\n');
  const last = end > 0 ? Math.min(end, lines.length) : lines.length;
  let body = lines.slice(start - 1, last).join('\n');
  if (body.length > maxChars) body = cut(body, Math.trunc(maxChars) - SUFFIX.length) + SUFFIX;
  return `--- ${at} (lines ${String(start)}-${String(last)} of ${String(lines.length)}, ${String(text.length)} chars) ---\n${body}`;
}
