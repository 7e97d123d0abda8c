import * as file from '@johannes.latzel/llm-chat-file';
import * as workspace from '@johannes.latzel/llm-chat-workspace';
import type * as nativeApi from '../../index.js';

// FilePool and isBinary are documented upstream but not exported, so they are loaded by file.
const lib = new URL('../../node_modules/@johannes.latzel/llm-chat-file/dist/lib/', import.meta.url);
const pool = (await import(new URL('file-pool.js', lib).href)) as { FilePool: unknown };
const helpers = (await import(new URL('helpers.js', lib).href)) as { isBinary: unknown };

/** What this package exports, as far as the published packages have it too. */
export type Api = Pick<
  typeof nativeApi,
  | keyof typeof file
  | keyof typeof workspace
  | 'FilePool'
  | 'isBinary'
>;

/**
 * The published packages under one name. Their classes have private members, so TypeScript
 * takes them for other types; at run time they are what this package stands in for.
 */
export const published = {
  ...file,
  ...workspace,
  FilePool: pool.FilePool,
  isBinary: helpers.isBinary,
} as unknown as Api;
