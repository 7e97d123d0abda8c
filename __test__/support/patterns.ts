/**
 * Regular expressions as agents write them, none of which backtracks without bound: the published
 * search runs them on the event loop. Some are invalid, some only under the Unicode flag.
 */
export const PATTERNS = [
  'foo', 'bar', 'Foo', 'FOO', 'needle', 'TODO', 'todo|fixme', 'foo|bar', 'error', 'x', '.', '.*', '^', '$', '^$', '^\\s*$', '^foo', 'foo$',
  'line$', '^needle foo$', '\\bfoo\\b', '\\Bo', '\\bneedle', 'oo', 'o{2}', 'a+', 'a{1,3}', 'a*?', '[a-f]+', '[^a-z]', '[A-Z]{2,}', '\\d+', '\\D',
  '\\w+', '\\W', '\\s', '\\S', '\\d{3,5}', '[0-9]{5}', '^\\d', '\\.txt$', '\\.(txt|md)$', '^\\.', '^\\.\\.', '\\.d\\.ts$', '^[^.]+$', 'spec', '^a',
  '\\.js$', '\\.TXT$', 'long', '(long){10}', 'file-\\d+', 'file-1\\d', '^file-[0-4]', 'item', 'item 7', 'import .* from', 'function\\s+\\w+\\(', '\\(\\)',
  '\\{$', '^\\}$', '^\\}', 'https?://[^\\s]+', '"[^"]*"', "'[^']*'", 'key\\s*=\\s*"', 'a\\.b', 'a.b', '\\$&', '\\$1', '\\*', '日本', '日本語', '[ぁ-んァ-ン一-龯]',
  'é', 'caf\u00e9', 'naïve', 'na.ve', '😀', '\\u{1F600}', '\\ud83d\\ude00', '\\u2603', 'smile$', 'kelvin', '\u212Aelvin', 'long?s', 'lons', 'lon\u017F', '[k]elvin',
  '[^k]elvin', '\\welvin', '\\bkelvin', 'foo(?= bar)', 'foo(?! bar)', '(?<=foo )bar', '(?<!foo )bar', '(foo|bar) (foo|bar)', '(a)\\1', '(\\w)\\1', '(?:foo)', '(?<word>foo)', '(?<c>a)\\k<c>',
  '\\p{L}+', '\\p{Lu}', '\\P{ASCII}', '\\p{Script=Han}', '\\p{Emoji_Presentation}', '[\\p{L}]', '\\t', '\\ttab', '\\x66oo', '\\u0066oo', '\\cI', '\\0', 'foo\\sbar', 'foo.bar', '^.{5}$',
  '^.{0,3}$', '.{200}', '(x|y|z)', 'x?', 'main', 'src', 'docs', 'link', 'empty', 'hidden', 'mod', '[[\\]]', '\\[', '-dash', '%', '\\\\', '/', '^(?!foo).*$', 'end of line', 'of',
  'indented', '^ +', '^\\t', ' $', '\\s$', '\r', '\\r', '\\r$', 'tail', 'word ', 'last$', '\ufeff', '\\ufeff', '^\\ufeff', '[^]', '[]', 'a|', '|', '()', '(?:)',
  "\\'", '\\"', '\\-', '\\a', '\\_', '\\e', '[\\-a]', '[\\w-x]', '{', '}', ']', 'a{', 'a{1', '\\u{}', '\\x6', '\\u00', '\\8', '\\1', '\\c', '\\k', '\\p', '\\p{Nope}',
  '[invalid', '(', ')', '*', '+', '?', 'a**', 'a{2,1}', '[z-a]', '(?<n>a)(?<n>b)', '(?<1a>x)', '\\', '(?<=a', '(?', 'x{99999999999}', '\\u{110000}', '(?z)', '[\\d-a]',
] as const;

/** Dates as agents write them; valid ones lie years away from the times in the trees' neighbourhood of now. */
export const DATES = [
  '1990-01-01', '2000-01-01T00:00:00Z', '2005-06-01', '2010-01-01T12:00:00+02:00', '2012', '2015-03', 'June 1, 2011', '2022-01-01', '2099-12-31', '2100-06-01', '9999-01-01',
  '', ' ', 'yesterday', '2020-13-01', '2020-02-30', 'not a date', '0', '12/31/2008', '2010-1-1', '99999999999999',
] as const;

/** A pattern that is costly by construction, and what it matches all the same: the columns of the first match. */
export interface CostlyPattern {
  source: string;
  /** In 40 times `a` and a `!`. */
  short: readonly [number, number] | null;
  /** In 5000 times `a`. */
  middle: readonly [number, number] | null;
}

type Columns = CostlyPattern['short'];

const costly = (short: Columns, middle: Columns, sources: readonly string[]): CostlyPattern[] =>
  sources.map((source) => ({ source, short, middle }));

/** Under flags `iu`: patterns without backreferences that cost a backtracking engine exponential time, or a high power of the length. */
export const BACKTRACKING: readonly CostlyPattern[] = [
  ...costly(null, null, [
    '(a+)+b', '(a*)*b', '(a|a)*b', '(a|a?)+b', '(.*)*x', '(.*a){12}x', '(\\w+\\s?)*:$', '([a-zA-Z]+)*\\d', '(?:a+){10,}b',
    '((a+)+)+b', '(a+a+)+b', '(x+x+)+y', '(?=(a+)+b)a', '(?!(a+)+b)c', '(?<=(a|aa)+)c', '(?<!(a+)+)b', '(?:(?:a?)*)*b', '((a?){20}){20}b', '(?<=((a*)*)*b)a',
  ]),
  ...costly(null, [0, 5000], ['(a+)+$', '^(a|a)*$', '(a|aa)+$', '(\\w+\\s?)+$', '^(([a-z])+.)+[A-Z]([a-z])+$']),
  ...costly([0, 41], null, ['^(a?){40}a{40}!$', '((a??){0,20}){0,20}?!']),
  ...costly([41, 41], [0, 5000], ['(a|a?)+$']),
  ...costly([0, 40], [0, 5000], ['(?:a??|a*?)+', '(?:(?:a?)*?b??)*']),
  ...costly([0, 40], [0, 400], ['((a?){20}){20}']),
];

/** Those with backreferences. */
export const BACKREFERENCES: readonly CostlyPattern[] = [
  ...costly(null, null, [
    '^(?:(a+)\\1?)+\\1b$', '(a*)\\1*\\1*b', '(.*)\\1{5}x', '(a+)\\1\\1b', '(\\w+)\\W+\\1\\W+\\1!!', '(?:(a*)|(a*))*\\1\\2b',
  ]),
  ...costly([0, 41], null, ['(a+)+\\1!']),
];

/** Patterns whose counted repetitions blow up automata. */
export const COUNTED: readonly CostlyPattern[] = [
  ...costly(null, null, [
    '(a{0,100}){0,100}b', '(\\w{1,500}){1,20}\\d!', '.*[ab]{1,300}c', '(?:a?){500}a{500}b', '[^]{1000}x', '[\\s\\S]{1000}x', '(x{1,100}){1,100}', '(a{1,50}){1,50}(b{1,50}){1,50}c',
    'a.{500}b', '(?:.a){300}c', '(a|b)*a(a|b){200}c', '(\\p{L}{1,100}){1,50}!\\d', '[a-z]{0,1000}[0-9]{0,1000}#', '(?:(?:a{0,20}){0,20}){0,20}b', '(a{1000}){1000}',
    '(a{65535}){65535}', 'a{2147483647}', '(?:a{100}|b{100}){100}c', '(?=.{1000}b)a', '(?<!a{200}b{200})c',
  ]),
  ...costly(null, [0, 1000], ['(?:a?){500}a{500}']),
  ...costly([0, 41], null, ['(?:a{1,30}){30}!']),
  ...costly(null, [4000, 5000], ['(?:a{10}){100}$']),
];
