/** Patterns as coding agents send them to search tools, by what they look for. All are valid without flag `u`. */
export const AGENT_SEARCHES = {
  typescript: [
    'export (default )?(async )?function \\w+', 'export (abstract )?class (\\w+)', '^export (const|let|type|interface|enum) \\w+', 'interface \\w+(<[^>]+>)? (extends \\w+ )?\\{',
    '^import\\s+(type\\s+)?\\{[^}]*\\}\\s+from', "from ['\"]node:(fs|path|os)['\"]", "require\\(['\"]([^'\"]+)['\"]\\)", 'import\\(.*\\)', ':\\s*Promise<[^>]+>', '\\bas (unknown|any|const)\\b',
    'private (readonly )?#?\\w+', '(public|private|protected)\\s+(static\\s+)?\\w+\\(', '\\basync\\s+\\*?\\w+\\s*\\(', '=>\\s*\\{', '\\w+\\?\\.\\w+', '\\w+!\\.', 'catch \\((\\w+)\\)', 'new (Map|Set|WeakMap)\\b',
    'declare (var|function|module)', 'addEventListener<K extends keyof \\w+>', 'readonly \\w+: (string|number|boolean)', '@ts-(ignore|expect-error|nocheck)', 'eslint-disable(-next-line)?', '\\btypeof \\w+ [!=]==',
  ],
  rust: [
    'fn\\s+(\\w+)\\s*(<[^>]*>)?\\(', 'pub(\\(crate\\))? (fn|struct|enum|trait|mod)\\s+\\w+', 'impl(<[^>]+>)?\\s+\\w+(\\s+for\\s+\\w+)?', '^use (crate|super|std)::', '#\\[derive\\([^)]*\\)\\]', '#\\[cfg\\(test\\)\\]',
    '\\.unwrap\\(\\)', '\\.expect\\("', 'unsafe\\s*\\{', '\\bmatch\\s+\\w+', "&'\\w+ (mut )?\\w+", 'Result<[^,]+, \\w+>', 'let mut \\w+', '\\bself\\.\\w+\\(', '^//[/!] ', 'macro_rules!', '\\w+!\\(', 'Some\\((\\w+)\\)|None', '-> Option<',
  ],
  python: [
    '^\\s*def\\s+(\\w+)\\(', '^class\\s+\\w+(\\(.*\\))?:', '^from \\S+ import', '^\\s*@\\w+(\\.\\w+)*', 'if __name__ == [\'"]__main__[\'"]', 'self\\.\\w+ = ', 'raise \\w+(Error|Exception)', 'except( \\w+)?( as \\w+)?:', 'async def', 'print\\(f?["\']', 'lambda \\w+:',
  ],
  otherLanguages: [
    'func (\\(\\w+ \\*?\\w+\\) )?\\w+\\(', 'if err != nil', '^package \\w+', 'type \\w+ struct \\{', 'public (static )?(void|class|int)', '@Override', '#include\\s*[<"]\\w+', '#define [A-Z_]+', 'typedef struct', 'std::\\w+',
    'namespace \\w+', '\\$\\w+->\\w+', '^\\s*end$', 'def self\\.\\w+', 'data class \\w+', 'local function', '^FROM \\S+', '^[\\w.-]+:\\s*$', '^\\[[\\w.-]+\\]$', '^\\w+\\s*=\\s*"[^"]*"$', '(ba|z)?sh\\b',
  ],
  comments: [
    '(TODO|FIXME|HACK|XXX)', 'TODO[(:]', '\\/\\/\\s*(TODO|FIXME)', '^\\s*//', '^\\s*#', '\\/\\*\\*?', '\\*\\/$', '<!--.*-->', '@(param|returns?|throws|deprecated)\\b', '@see \\{@link', '\\bdeprecated\\b', 'SAFETY:', 'MDN Reference', 'Copyright.*\\d{4}', 'license',
  ],
  logs: [
    'console\\.(log|error|warn|info)\\(', 'log(ger)?\\.(debug|info|warn|error)', '\\[(ERROR|WARN|INFO)\\]', '\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2})?)?', '\\bat .+ \\(.+:\\d+:\\d+\\)', 'panicked at', 'Traceback', 'exit(ed)? (with )?code \\d+', 'E[A-Z]{3,}\\b', '(?:timed? ?out|timeout)',
  ],
  data: [
    '[\\w.+-]+@[\\w-]+\\.[\\w.-]+', 'https?:\\/\\/[^\\s)>"\']+', '(?:https?|ftp)://(?:www\\.)?[a-z0-9-]+(?:\\.[a-z]{2,})+', '\\b\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?\\b', '[\\^~]\\d+\\.\\d+\\.\\d+', '#[0-9a-fA-F]{3,8}\\b', '0x[0-9a-f]+', '\\b\\d{1,3}(\\.\\d{1,3}){3}\\b', '[0-9a-f]{8}-[0-9a-f]{4}',
    '\\b[0-9a-f]{40}\\b', 'sha512-[A-Za-z0-9+/=]+', 'localhost:\\d+', '"\\w+":\\s*(true|false|null|\\d+)', '"version":\\s*"([^"]+)"', '"(dev|peer)?[dD]ependencies"', '\\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\\b', '\\d+\\s?(ms|s|MB|KiB|%)', '^\\|.*\\|$', '^#{1,6}\\s', '\\[[^\\]]+\\]\\([^)]+\\)', '^[-*] ', '```\\w*', '`[^`]+`',
  ],
  sql: ['SELECT\\s+.*\\s+FROM', 'INSERT INTO \\w+', '(CREATE|ALTER|DROP) TABLE', 'WHERE \\w+ = ', 'LEFT JOIN', 'ORDER BY \\w+ (ASC|DESC)', 'UPDATE .* SET', 'VARCHAR\\(\\d+\\)'],
  environment: ['process\\.env\\.[A-Z_]+', "process\\.env\\[['\"]\\w+['\"]\\]", 'os\\.environ', 'env::var\\("', '\\$\\{?[A-Z_]+\\}?', '(API|SECRET|TOKEN|PASSWORD)_?KEY', '(password|secret|token)\\s*[:=]'],
  web: [
    '<[A-Z]\\w*', '<\\/?\\w+[^>]*>', 'className=["{]', 'use(State|Effect|Memo|Callback)\\(', '\\{\\.\\.\\.\\w+\\}', 'on[A-Z]\\w+=\\{', '@(Component|Injectable|Input)\\(', '^\\s*@\\w+\\(', '\\.[a-z][\\w-]*\\s*\\{', '@media\\s*\\(', '(margin|padding)(-\\w+)?:\\s*\\d+px', '--[\\w-]+', 'HTML\\w+Element', 'data-\\w+', 'rgba?\\([^)]*\\)',
  ],
  assertions: [
    'foo(?!bar)', 'get(?!Element)\\w+', 'import(?!.*type)', '(?<!\\w)error(?!\\w)', '(?<=return )\\w+', '(?<!await )\\bfs\\.', '(?<=")[\\w-]+(?=":)', '^(?!\\s*(//|\\*)).*error', '(?=.*string)(?=.*null)', '(?<![.\\w])name\\b', '\\w+(?=\\()', '(?<=\\().*(?=\\))',
  ],
  references: [
    '(["\']).*?\\1', '\\b(\\w+)\\s+\\1\\b', '(\\w)\\1{2,}', '<(\\w+)>.*</\\1>', '(?<quote>[\'"`])[^\'"`]*\\k<quote>', '(?<year>\\d{4})-(?<month>\\d{2})', '(?<name>\\w+): \\k<name>', '(\\w+) = \\1', '(-|=|\\*)\\1+', '(["\'])(?:(?!\\1).)*\\1', '(\\w+)\\.\\w+\\(\\1',
  ],
  unicode: ['\\p{Lu}\\w+Error', '\\p{L}+', '\\p{Script=Greek}', '[^\\x00-\\x7F]', '[\\u00c0-\\u024f]', '\\u2014', '\\p{Emoji_Presentation}', 'é|ü|ß', '[“”‘’]', '…', '→', '\\u{1F600}', '\\P{ASCII}', '\\bµs\\b', '\u212a', 'long\\s?\u017f?'],
  anchors: ['^$', '^\\s+$', '\\s+$', '^\\}$', '^\\S', ';$', ',\\s*$', '^.{100,}$', '^\\t', '^ {2}\\w', '\\{$', '^.*$', '\\bif\\b', '\\Bing\\b', 'else\\s*$', '^(\\s{4})+\\S'],
  names: [
    'Error|Warning|Exception', 'read|write|append|delete', 'foo|bar|baz', 'get|set|has|delete', 'addEventListener|removeEventListener', 'createElement(NS)?', 'search', 'Search(Result|Query|Options)s?', '(?:un)?subscribe', 'max_?results?', 'max[A-Z]\\w+', 'workspace', 'snapshot\\w*', '[Pp]attern', 'test|spec', 'zzz_not_there',
  ],
  punctuation: ['\\(\\)', '\\[\\]', '\\{\\}', '\\.\\.\\.', '\\?\\?', '&&|\\|\\|', '\\+\\+', '===|!==', '\\\\', '\\$\\{', '::', '\\*\\*', '=>', '->', '<<|>>', '\\^', '"', "'", '/', '%[sdv]', '\\|'],
  wronglyEscaped: [
    '\\"\\w+\\"', "\\'[^\\']+\\'", '\\<div\\>', 'foo\\-bar', '\\w+\\-\\w+', 'a\\:b', '\\@param', '\\#\\w+', '\\!\\=', '\\=\\>', '\\;$', '\\,', '\\&\\&', '\\`', '\\%', '\\_test', 'function\\ \\w+', '{', '}', ']', 'x{', 'x{1,', '\\e\\n', '[\\w-.]', '[\\w-]+\\.\\w', '\\pL', '\\ud83d', '\\u{41}', 'interface{}', '${', '\\1', '\\c', '\\k',
  ],
} as const;
