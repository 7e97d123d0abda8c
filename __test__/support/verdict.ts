import type { PathFacts } from './path-facts.js';
import { isWithin } from './path-facts.js';
import { BASE } from './random-calls.js';
import type { Call } from './random-calls.js';
import type { Snapshot } from './snapshot.js';
import type { Answer } from './tools.js';

/** What is known of files by having read or written them: content by inode, as the pool must know it. */
export type Knowledge = ReadonlyMap<string, string>;

/** Everything around one call; paths have the base as `@BASE@`. */
export interface World {
  call: Call;
  /** absolute, on the published side */
  base: string;
  /** absolute, on the native side */
  nativeBase: string;
  current: string;
  before: Snapshot;
  afterPublished: Snapshot;
  afterNative: Snapshot;
  grants: { type: string; path: string }[];
  resolveSymlinks: boolean;
  skipDirs: readonly string[];
  guarded: boolean;
  maxChars: number;
  maxFileSize: number;
  maxResults: number;
  maxDisplay: number;
  maxTotal: number;
  knowledge: Knowledge;
  /** of all path arguments, in the order of the results; move: source, destination */
  facts: PathFacts[];
}

/** One pair of answers that differ. */
export interface Case {
  world: World;
  /** of the path that this answer is about; none for tools without paths */
  facts: PathFacts | undefined;
  published: Answer;
  native: Answer;
}

/** The path that a result names: with links resolved when the workspace does that. */
export function shownPath(world: World, facts: PathFacts): string {
  return world.resolveSymlinks ? (facts.deep ?? facts.lexical) : facts.lexical;
}

/** Whether a path may be touched, component by component and with all links followed where they count. */
export function allows(world: World, facts: PathFacts, right: 'read' | 'write', itself = false): boolean {
  const followed = itself ? facts.own : (facts.deep ?? facts.lexical);
  const at = world.resolveSymlinks ? followed : facts.lexical;
  return world.grants.some((grant) => (right === 'read' || grant.type === 'write') && isWithin(at, grant.path));
}

/** Whether the answer says that access was refused. */
export function isRefusal(answer: Answer): boolean {
  return answer.status === 'error' && /^Invalid or inaccessible (?:source |destination )?path/.test(answer.result);
}

/** What the pool must say of an existing file before a write: changed, unread, or nothing. */
export function poolVerdict(world: World, facts: PathFacts): string | undefined {
  if (!world.guarded || facts.bytes === undefined || facts.identity === undefined) return undefined;
  const known = world.knowledge.get(facts.identity);
  if (known === undefined) return `File must be read before writing: ${shownPath(world, facts)}`;
  if (known === facts.bytes.toString('latin1')) return undefined;
  return `File has changed since last read: ${shownPath(world, facts)}`;
}

/** Whether the answer is the pool's. */
export function isPoolRefusal(answer: Answer): boolean {
  return /^File (?:must be read before writing|has changed since last read): /.test(answer.result);
}

/** A path of the results as the key of a snapshot. */
export function relativePath(at: string): string {
  return at === BASE ? '' : at.slice(BASE.length + 1);
}

/** Whether a grant's root is at or below a path, so that it must not be deleted or moved. */
export function holdsRoot(world: World, facts: PathFacts): boolean {
  return world.grants.some((grant) => [facts.lexical, facts.own].some((at) => isWithin(grant.path, at)));
}

/** The path arguments that an answer depends on: of a move, both. */
export function subjects({ world, facts }: Case): PathFacts[] {
  if (world.call.tool === 'move_file') return world.facts;
  return facts === undefined ? [] : [facts];
}

/** Whether a path is `above` or lies below it. */
export function isBelow(at: string, above: string): boolean {
  return at === above || at.startsWith(`${above}/`);
}
