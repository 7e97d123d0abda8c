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
