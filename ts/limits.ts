import { requireOneOf } from './engine/options.js'
import { envInteger, parseBoolean } from './env.js'

/** How a written file reaches the disk: not waited for, its data, or data and directory. */
export type Durability = 'none' | 'data' | 'full'

/** What becomes of other names of a file: they keep the old bytes, or are written as well. */
export type HardLinks = 'replace' | 'keep'

/** Limits of listings and searches. Every field is read at each call. */
export class SearchConfiguration {
  /** Most results of a search. */
  maxSearchResults: number
  /** Above this many results, or listed entries, only their number is told. */
  maxDisplayEntries: number
  /** A walk stops when it has met this many entries. */
  maxTotalEntries: number
  /** Milliseconds after which a search answers with what it has; 0 or less answers at once. */
  timeoutMs: number

  /**
   * @param maxSearchResults - Default: `LLM_CHAT_FS_MAX_SEARCH_RESULTS`, else 50.
   * @param maxDisplayEntries - Default: `LLM_CHAT_FS_MAX_DISPLAY_ENTRIES`, else 200.
   * @param maxTotalEntries - Default: `LLM_CHAT_FS_MAX_TOTAL_ENTRIES`, else 5000.
   * @param timeoutMs - Default: `LLM_CHAT_FS_SEARCH_TIMEOUT`, else 10000.
   */
  constructor(
    maxSearchResults?: number,
    maxDisplayEntries?: number,
    maxTotalEntries?: number,
    timeoutMs?: number
  ) {
    this.maxSearchResults = maxSearchResults ?? searchDefaults.maxSearchResults()
    this.maxDisplayEntries = maxDisplayEntries ?? searchDefaults.maxDisplayEntries()
    this.maxTotalEntries = maxTotalEntries ?? searchDefaults.maxTotalEntries()
    this.timeoutMs = timeoutMs ?? searchDefaults.timeoutMs()
  }
}

/** Limits of reading and writing, and how files are written. Every field is read at each call. */
export class FileConfiguration {
  /** Most characters (UTF-16 units) of an answer, and of a file after a write. */
  maxCharsPerFile: number
  /** Files of more bytes are neither read, edited nor searched. */
  maxFileSize: number
  /** Whether a file must have been read before it is changed. */
  requireReadBeforeWrite: boolean
  /** What a write waits for: nothing (`none`), its data (`data`), or the directory, too (`full`). */
  durability: Durability
  /** Whether the other names of a file keep the old content (`replace`) or see the new one (`keep`). */
  hardLinks: HardLinks

  /**
   * @param maxCharsPerFile - Default: `LLM_CHAT_FS_MAX_CHARS_PER_FILE`, else 100000.
   * @param maxFileSize - Default: `LLM_CHAT_FS_MAX_FILE_SIZE`, else 10485760.
   * @param requireReadBeforeWrite - Default: `LLM_CHAT_FS_REQUIRE_READ_BEFORE_WRITE`, else true.
   * @param durability - Default: `data`.
   * @param hardLinks - Default: `replace`.
   */
  constructor(
    maxCharsPerFile?: number,
    maxFileSize?: number,
    requireReadBeforeWrite?: boolean,
    durability: Durability = 'data',
    hardLinks: HardLinks = 'replace'
  ) {
    this.maxCharsPerFile = maxCharsPerFile ?? fileDefaults.maxCharsPerFile()
    this.maxFileSize = maxFileSize ?? fileDefaults.maxFileSize()
    this.requireReadBeforeWrite =
      requireReadBeforeWrite ??
      parseBoolean(process.env.LLM_CHAT_FS_REQUIRE_READ_BEFORE_WRITE, true)
    this.durability = durability
    this.hardLinks = hardLinks
  }
}

const searchDefaults = {
  maxSearchResults: () => envInteger('LLM_CHAT_FS_MAX_SEARCH_RESULTS', 50),
  maxDisplayEntries: () => envInteger('LLM_CHAT_FS_MAX_DISPLAY_ENTRIES', 200),
  maxTotalEntries: () => envInteger('LLM_CHAT_FS_MAX_TOTAL_ENTRIES', 5000),
  timeoutMs: () => envInteger('LLM_CHAT_FS_SEARCH_TIMEOUT', 10_000)
}

const fileDefaults = {
  maxCharsPerFile: () => envInteger('LLM_CHAT_FS_MAX_CHARS_PER_FILE', 100_000),
  maxFileSize: () => envInteger('LLM_CHAT_FS_MAX_FILE_SIZE', 10 * 1024 * 1024)
}

/** Limits of a search as plain integers; what is no number became its default. */
export interface SearchLimits {
  maxSearchResults: number
  maxDisplayEntries: number
  maxTotalEntries: number
  timeoutMs: number
}

/** Limits of a read or write as numbers; what is no number became its default. */
export interface FileLimits {
  maxCharsPerFile: number
  maxFileSize: number
}

/**
 * Limits of a search as they are at this moment.
 *
 * @param configuration - The live configuration.
 */
export function searchLimits(configuration: Partial<SearchConfiguration>): SearchLimits {
  const { maxSearchResults, maxDisplayEntries, maxTotalEntries, timeoutMs } = configuration
  return {
    maxSearchResults: numberOr(maxSearchResults, searchDefaults.maxSearchResults),
    maxDisplayEntries: numberOr(maxDisplayEntries, searchDefaults.maxDisplayEntries),
    maxTotalEntries: numberOr(maxTotalEntries, searchDefaults.maxTotalEntries),
    timeoutMs: numberOr(timeoutMs, searchDefaults.timeoutMs)
  }
}

/**
 * Limits of a read or write as they are at this moment.
 *
 * @param configuration - The live configuration.
 */
export function fileLimits(configuration: Partial<FileConfiguration>): FileLimits {
  return {
    maxCharsPerFile: numberOr(configuration.maxCharsPerFile, fileDefaults.maxCharsPerFile),
    maxFileSize: numberOr(configuration.maxFileSize, fileDefaults.maxFileSize)
  }
}

/** How a file is to be written. */
export interface Writing {
  durability: Durability
  hardLinks: HardLinks
}

/**
 * How files are to be written at this moment.
 *
 * @param configuration - The live configuration, or options of one call.
 * @param fallback - What counts for a field that is absent.
 * @throws TypeError `ERR_INVALID_ARG_VALUE` for a value that there is none.
 */
export function writing(
  { durability, hardLinks }: { [Field in keyof Writing]?: Writing[Field] | undefined },
  fallback: Writing = { durability: 'data', hardLinks: 'replace' }
): Writing {
  requireOneOf('durability', durability, ['none', 'data', 'full'])
  requireOneOf('hardLinks', hardLinks, ['replace', 'keep'])
  return {
    durability: durability ?? fallback.durability,
    hardLinks: hardLinks ?? fallback.hardLinks
  }
}

/**
 * A count for the addon: the least integer that is not below `value`, from 0 to 2^53 - 1.
 *
 * @param value - Any number but NaN; `x >= value` holds for the same integers `x` as before.
 */
export function atLeast(value: number): number {
  return Math.min(Math.max(Math.ceil(value), 0), Number.MAX_SAFE_INTEGER)
}

/**
 * A cap for the addon: the greatest integer that is not above `value`, from 0 to 2^53 - 1.
 *
 * @param value - Any number but NaN; `x > value` holds for the same integers `x` as before.
 */
export function atMost(value: number): number {
  return Math.min(Math.max(Math.floor(value), 0), Number.MAX_SAFE_INTEGER)
}

function numberOr(value: number | undefined, fallback: () => number): number {
  return typeof value !== 'number' || Number.isNaN(value) ? fallback() : value
}
