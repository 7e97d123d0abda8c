import * as fs from 'node:fs';
import * as path from 'node:path';
import { published } from './published.js';
import { BASE } from './random-calls.js';

/** What stood at a path before a call, seen on the published side's tree. */
export interface PathFacts {
  /** the argument as given */
  raw: string;
  /** a name with blanks at its ends exists exactly as given, and all here is about it */
  blank: boolean;
  /** resolved against the current directory, links left alone; this and the next two with the base as `@BASE@` */
  lexical: string;
  /** all links followed, missing names kept; undefined in a loop */
  deep: string | undefined;
  /** `lexical` with the links of its parent followed */
  own: string;
  /** what lstat says about `lexical` */
  isLink: boolean;
  present: boolean;
  /** what stat says, links followed */
  kind: 'file' | 'directory' | 'other' | undefined;
  size: number;
  links: number;
  mtimeMs: number;
  readable: boolean;
  bytes: Buffer | undefined;
  binaryPublished: boolean;
  /** names the inode, so that a moved or linked file is known again */
  identity: string | undefined;
}

const LINK_LIMIT = 40;

/** Follows every link of an absolute path as far as names exist; undefined after too many links. */
export function resolveDeep(absolute: string): string | undefined {
  let done = '/';
  let left = absolute.split('/').filter((part) => part !== '');
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    if (part === '..' || part === '.') {
      done = path.resolve(done, part);
      continue;
    }
    const at = path.join(done, part);
    const stat = lstat(at);
    if (stat?.isSymbolicLink() !== true) {
      done = at;
      continue;
    }
    links += 1;
    if (links > LINK_LIMIT) return undefined;
    const target = fs.readlinkSync(at);
    if (path.isAbsolute(target)) done = '/';
    left = [...target.split('/').filter((name) => name !== ''), ...left];
  }
  return done;
}

/** lstat, or nothing where it fails */
function lstat(at: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(at);
  } catch {
    return undefined;
  }
}

/** stat, or nothing where it fails */
export function stat(at: string): fs.Stats | undefined {
  try {
    return fs.statSync(at);
  } catch {
    return undefined;
  }
}

function readable(at: string): boolean {
  try {
    fs.accessSync(at, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function kindOf(stats: fs.Stats | undefined): PathFacts['kind'] {
  if (stats === undefined) return undefined;
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'directory' : 'other';
}

/** Looks at one path argument of a coming call. @param base of the tree @param current the current directory, absolute */
export async function pathFacts(base: string, current: string, raw: string): Promise<PathFacts> {
  const exact = path.resolve(current, raw);
  const blank = raw !== raw.trim() && exact !== path.resolve(current, raw.trim()) && lstat(exact) !== undefined;
  const lexical = blank ? exact : path.resolve(current, raw.trim());
  const own = lstat(lexical);
  const followed = stat(lexical);
  const kind = kindOf(followed);
  const parent = resolveDeep(path.dirname(lexical));
  const mayRead = kind === 'file' && readable(lexical);
  const general = (at: string): string => at.replaceAll(base, BASE);
  const deep = resolveDeep(lexical);
  return {
    raw: general(raw),
    blank,
    lexical: general(lexical),
    deep: deep === undefined ? undefined : general(deep),
    own: general(parent === undefined ? lexical : path.join(parent, path.basename(lexical))),
    isLink: own?.isSymbolicLink() === true,
    present: own !== undefined,
    kind,
    size: followed?.size ?? 0,
    links: followed?.nlink ?? 0,
    mtimeMs: followed?.mtimeMs ?? 0,
    readable: mayRead,
    bytes: mayRead ? fs.readFileSync(lexical) : undefined,
    binaryPublished: kind === 'file' && (await published.isBinary(lexical)),
    identity: followed === undefined ? undefined : [followed.dev, followed.ino, followed.birthtimeMs].join(),
  };
}

/** Whether `at` is `root` or below it, component by component. */
export function isWithin(at: string, root: string): boolean {
  const relative = path.relative(root, at);
  return relative === '' || (relative !== '..' && !relative.startsWith('../') && !path.isAbsolute(relative));
}
