/**
 * The addon as TypeScript sees it: plain values in, plain values out. Failures of file operations
 * cross as data ({@link Failure}); a rejected promise means a defect (a caught panic).
 *
 * Conventions: `cwd` and policy paths are absolute and normalised; a `raw` path is what the caller
 * typed (the core drops blanks and reads quoted names as documented); strings are well formed (the
 * facade refuses lone surrogates before it calls). Sizes are bytes, times milliseconds since the
 * epoch, lines count from 1, text lengths are UTF-16 units.
 */

/** A failed operation, as the core reports it. */
export interface Failure {
  /** Errno name (`ENOENT`) or one of ours (`ERR_NOT_GRANTED`, `ERR_NOT_READ`, …). */
  code: string
  /** Finished message, worded as Node words it where Node has one. */
  message: string
  /** Negative errno, as on Node's errors. */
  errno?: number
  syscall?: string
  path?: string
  dest?: string
  /** Size of the file, where the size was the reason. */
  size?: number
}

/** Handle of an immutable access policy. */
export interface NativePolicy {
  /** `path.resolve(cwd, input)`; with links resolved, of the deepest ancestor that exists. */
  normalize(cwd: string, input: string): string
  /** Whether `input` (relative to `cwd`) lies within a grant of at least the right. */
  allows(cwd: string, input: string, write: boolean): boolean
  /** Which grant decided, or why none did. */
  explain(cwd: string, input: string, write: boolean): Explanation
}

/** Answer of `Workspace.explain`. */
export interface Explanation {
  allowed: boolean
  /** The path that was decided about. */
  path: string
  /** Root of the grant that decided; absent when none contains the path. */
  grant?: string
  /** Right of that grant. */
  right?: 'read' | 'write'
  /** One sentence: the rule that decided. */
  reason: string
}

export interface PolicySpec {
  /** Absolute, normalised roots. */
  paths: string[]
  /** For each root whether it may be written. */
  writable: boolean[]
  mostSpecificWins: boolean
  resolveSymlinks: boolean
  skipDirs: string[]
  /** Rules in gitignore's syntax. @throws Error with code `ERR_INVALID_ARG_VALUE` for one that is no pattern. */
  deny: string[]
}

/** Counters of a search, to be read while it runs. */
export interface NativeProgress {
  /** What the search that has it has looked at so far. */
  counts(): { entries: number; bytes: number; matches: number }
}

/** Ends the work it was handed to at its next check. */
export interface NativeCancel {
  cancel(): void
}

/** What has been read, for the read-before-write rule. Keys and locks are by file identity. */
export interface NativePool {
  recordRead(path: string): Promise<void>
  recordWrite(path: string): Promise<void>
  /** `null` when the write may go on, else `ERR_NOT_READ` or `ERR_CHANGED`. */
  verifyWrite(path: string, allowNew: boolean): Promise<Failure | null>
}

/** Verdicts of overridden `canRead`/`canWrite`, asked for many paths at once, on the JS thread. */
export type Gatekeeper = (write: boolean, paths: string[]) => boolean[]

/** What every operation takes. */
export interface CallContext {
  policy: NativePolicy
  cwd: string
  cancel?: NativeCancel
  pool?: NativePool
  gatekeeper?: Gatekeeper
}

export interface ReadOptions {
  /** First line, from 1. */
  startLine?: number
  /** Last line, inclusive. */
  endLine?: number
  /** Most UTF-16 units of text to give. */
  maxChars: number
  /** Bytes above which a file is refused (`ERR_TOO_LARGE`). */
  maxFileSize: number
}

export interface ReadAnswer {
  /** Resolved path as shown; absent only when the path could not be resolved. */
  path?: string
  failure?: Failure
  text?: string
  startLine?: number
  endLine?: number
  /** Pieces of the text split at `\n`. */
  totalLines?: number
  totalChars?: number
  encoding?: 'utf8' | 'utf16le' | 'utf16be' | 'utf32le' | 'utf32be'
  bom?: boolean
  /** The range was longer than `maxChars`; `text` holds its first `maxChars` units, no split pair. */
  truncated?: boolean
}

export interface PageOptions {
  /** First line, from 1; a negative number counts from the end. */
  offset: number
  /** Most lines that are wanted. */
  limit?: number
  /** Most lines to give. */
  maxLines: number
  /** Most bytes of text to give: those of the lines in UTF-8 and of the newlines between them. */
  maxBytes: number
  /** Whether the spelling of a path outside the grants is enough to refuse it, by that spelling. */
  confined: boolean
  /** Whether to read a large file whose lines are not known from its beginning. */
  patient: boolean
  /** Milliseconds after which the read fails with `ETIMEDOUT`. */
  timeoutMs?: number
}

/** Whole lines. An answer with neither path nor failure says that it takes patience. */
export interface PageAnswer {
  path?: string
  /** `ERR_OUT_OF_RANGE` beyond the end, `ERR_LINE_TOO_LONG` when no page can hold the first line. */
  failure?: Failure
  /** The lines, with newlines between them. */
  text?: string
  firstLine?: number
  /** Number of lines given. */
  lines?: number
  /** Lines of the file; a newline at its end begins no other. */
  totalLines?: number
  /** Line to go on with; absent at the end of the file. */
  nextOffset?: number
  /** Limit that lines which were wanted exceed; absent when there are none. */
  truncatedBy?: 'lines' | 'bytes'
}

export interface WriteOptions {
  createOnly?: boolean
  durability?: 'none' | 'data' | 'full'
  hardLinks?: 'replace' | 'keep'
}

export interface WriteAnswer {
  path?: string
  failure?: Failure
  created?: boolean
  bytes?: number
  /** False where the file had to be written in place (directory not writable, bind mount, hard links kept). */
  atomic?: boolean
}

/** One edit; `kind` says which fields count. */
export interface EditSpec {
  kind: 'replaceLines' | 'insert' | 'replaceContent'
  /** replaceLines: first line. insert: line to insert before; absent appends. */
  startLine?: number
  /** replaceLines: last line, inclusive. */
  endLine?: number
  /** New text of replaceLines and insert; replacement of replaceContent. */
  content: string
  /** replaceContent: text to find. */
  oldContent?: string
  /** replaceContent: all occurrences instead of the first. */
  all?: boolean
}

export interface EditOptions {
  maxFileSize: number
  maxChars: number
  dryRun?: boolean
  durability?: 'none' | 'data' | 'full'
  hardLinks?: 'replace' | 'keep'
  /** Tell what changed as a unified diff. */
  diff?: boolean
}

export interface AppliedEdit {
  startLine: number
  endLine: number
  occurrences: number
}

export interface EditAnswer {
  path?: string
  /** Edits that do not fit carry the sentence the tools show: `ERR_OUT_OF_RANGE`, `ERR_NO_MATCH`, `ERR_ENCODING`, `ERR_TOO_LARGE`. */
  failure?: Failure
  applied?: AppliedEdit[]
  bytes?: number
  unchangedBytes?: number
  /** False where the file had to be written in place; true of a dry run. */
  atomic?: boolean
  /** Unified diff, if that was asked for. */
  diff?: string
}

export interface ListOptions {
  recursive: boolean
  /** The listing stops when it has met this many entries. */
  maxEntries: number
  /** Above this many entries only the counts are given. */
  maxShown: number
}

export interface ListAnswer {
  path?: string
  failure?: Failure
  /** Shown paths joined by `\n`, directories with `/` at their end; empty when not shown. */
  text?: string
  /** One `UV_DIRENT_*` kind per line of `text`. */
  kinds?: Uint8Array
  total?: number
  files?: number
  directories?: number
  others?: number
  /** Directories left out by skipDirs. */
  skipped?: number
  /** Directories that could not be read (recursive only). */
  unreadable?: number
  stoppedBy?: 'entries' | null
}

/** A pull-based walk. Dropping it frees its descriptors. */
export interface NativeWalk {
  /** The next entries, at most `max`; `null` when the walk is over. */
  next(max: number): Promise<WalkBatch | null>
  /** Ends the walk and gives its descriptors back. */
  close(): void
}

export interface WalkStart {
  /** Root as resolved. */
  path?: string
  /**
   * `ENOENT`, … with syscall `stat`; `ERR_NOT_GRANTED` when the root lies outside. `ENOTDIR` has
   * syscall `scandir` when the root is no directory, and `stat` when something on the way is none;
   * the same in answers of `list` and `search`.
   */
  failure?: Failure
  /** Absent when there is nothing to walk. */
  walk?: NativeWalk
  /** The first entries. */
  batch?: WalkBatch
}

/** Entries in order. `kinds` is a small program: 0 leaves a directory, 1 a file, 2 a directory that is then entered, 3 the directory just named could not be read. */
export interface WalkBatch {
  /** Names of the files and directories, each followed by `/`. */
  names: string
  kinds: Uint8Array
  /** One for each 3 in `kinds`. */
  failures: Failure[]
}

/** Handle of a compiled pattern. */
export interface NativePattern {
  readonly source: string
  readonly flags: string
  /** `RegExp.prototype.test` on one line, on the calling thread; at most `maxSteps` of work. For tests of meaning. */
  test(line: string): boolean
}

export interface SearchSpec {
  /** Raw path of the directory; the facade passes `cwd` when none was given. */
  path: string
  name?: NativePattern
  content?: NativePattern
  kind: 'file' | 'directory' | 'both'
  createdAfter?: number
  createdBefore?: number
  modifiedAfter?: number
  modifiedBefore?: number
  /** Files above this many bytes do not match (the caller's own limit; not counted as left out). */
  maxSize?: number
  /** Files above this many bytes are not searched and counted as oversized. */
  maxFileSize: number
  maxResults: number
  maxEntries: number
  timeoutMs: number
  /** 0: as many as the cores. */
  threads?: number
  progress?: NativeProgress
}

/** How much of an answer is wanted at once. What is absent does not end the wait. */
export interface SearchPortion {
  /** Results that end the wait for more. */
  enough?: number
  /** Milliseconds after which any result is enough. */
  patienceMs?: number
  /** Results to give at most. */
  most?: number
}

/** Rest of a search. Nothing runs until it is asked for. */
export interface NativeSearch {
  next(portion: SearchPortion): Promise<SearchAnswer>
  /** Ends the search; a portion in work ends soon. */
  close(): void
}

export interface SearchAnswer {
  /** Resolved directory. */
  path?: string
  failure?: Failure
  /** Shown paths of the results joined by `\n`, directories with `/` at their end. */
  paths?: string
  /** Number of results that each path stands for: lines of one file in succession. */
  repeats?: Float64Array
  /** Content search: per result its line; else empty. */
  lines?: Float64Array
  /** Content search: per result first and one past the last column of the match, and first column of the snippet, UTF-16 units from 0, flattened. */
  columns?: Float64Array
  /** Content search: trimmed snippets joined by `\n`. */
  snippets?: string
  /** With a date filter: per result created and modified, flattened. */
  times?: Float64Array
  /** Number of results in the columns. */
  count?: number
  /** Number of all results so far, with those that the rest begins with. */
  found?: number
  visited?: number
  skipped?: SkippedCounts
  stoppedBy?: 'limit' | 'entries' | 'timeout' | null
  complete?: boolean
  /** Rest of the search, unless this is its end. */
  rest?: NativeSearch
}

export interface SkippedCounts {
  /** Directories that could not be read. */
  unreadableDirectories: number
  /** Files that could not be read. */
  unreadableFiles: number
  oversized: number
  vanished: number
  undecodable: number
  /** Matching files left out because they are binary. */
  binary: number
  /** Directories left out by skipDirs. */
  skipDirs: number
}

export interface InfoAnswer {
  path?: string
  failure?: Failure
  kind?: 'file' | 'directory' | 'symlink' | 'FIFO' | 'socket' | 'character device' | 'block device' | 'unknown'
  size?: number
  mode?: number
  createdMs?: number
  modifiedMs?: number
  accessedMs?: number
  changedMs?: number
  /** Symbolic links: the target as shown; absent when it cannot be read. */
  linkTarget?: string
}

export interface RemoveAnswer {
  path?: string
  failure?: Failure
  /** Known as soon as the entry was seen, also beside a failure. */
  kind?: InfoAnswer['kind']
}

export interface RenameAnswer {
  from?: string
  to?: string
  failure?: Failure
  /** Where it failed: `source` and `destination` are refusals of access, `look` the look at the source. */
  stage?: 'source' | 'destination' | 'look' | 'rename'
}

export interface CreateDirectoryAnswer {
  path?: string
  failure?: Failure
  created?: boolean
}

/** Answer of {@link Binding.access}: the path as resolved, or the refusal. */
export interface AccessAnswer {
  path?: string
  failure?: Failure
}

/** The whole addon. */
export interface Binding {
  Policy: new (spec: PolicySpec, previous?: NativePolicy) => NativePolicy
  Cancel: new () => NativeCancel
  SearchProgress: new () => NativeProgress
  Pool: new () => NativePool
  /** Rejects with an Error of code `ERR_PATTERN_LIMIT` naming the cap. `properties` are the ranges of each `\p{…}` the pattern names. */
  compilePattern(source: Uint16Array, flags: string, properties: { name: string; ranges: Uint32Array }[], cancel?: NativeCancel): Promise<NativePattern>
  /** Names of the `\p{…}` escapes in a pattern, which need not be valid. @throws Error with code `ERR_PATTERN_LIMIT` if it is too long or has too many. */
  patternProperties(source: Uint16Array, flags: string): string[]

  isBinary(path: string): Promise<boolean>
  access(call: CallContext, paths: string[], write: boolean): Promise<AccessAnswer[]>
  readTexts(call: CallContext, paths: string[], options: ReadOptions): Promise<ReadAnswer[]>
  /** The same without waiting for a disk, for up to four paths; `null` when it would have to wait. */
  readTextsNow(call: CallContext, paths: string[], options: ReadOptions): ReadAnswer[] | null
  readPage(call: CallContext, path: string, options: PageOptions): Promise<PageAnswer>
  writeText(call: CallContext, path: string, text: string, options: WriteOptions): Promise<WriteAnswer>
  editTexts(call: CallContext, paths: string[], edits: EditSpec[], options: EditOptions): Promise<EditAnswer[]>
  list(call: CallContext, path: string, options: ListOptions): Promise<ListAnswer>
  /** Opens the root and gives its first entries: at most `max`, none beyond the first subdirectory. */
  openWalk(call: CallContext, path: string, max: number): Promise<WalkStart>
  /** Without a portion, all results at once. */
  search(call: CallContext, spec: SearchSpec, portion?: SearchPortion): Promise<SearchAnswer>
  info(call: CallContext, paths: string[]): Promise<InfoAnswer[]>
  infoNow(call: CallContext, paths: string[]): InfoAnswer[] | null
  remove(call: CallContext, paths: string[], recursive: boolean): Promise<RemoveAnswer[]>
  rename(call: CallContext, from: string, to: string): Promise<RenameAnswer>
  createDirectories(call: CallContext, paths: string[]): Promise<CreateDirectoryAnswer[]>
  /** With links resolved: what a switch of the current path must know about its target. */
  isDirectoryOrMissing(path: string): boolean
}
