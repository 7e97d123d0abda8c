import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** One entry of a tree, as far as two trees can be compared. */
export interface SnapshotEntry {
  kind: 'file' | 'directory' | 'link' | 'other';
  /** permission bits; 0 for links, which have none of their own */
  mode: number;
  /** bytes of a file (one byte a character), target of a link */
  content: string;
}

/** Entries by path relative to the root; the root itself is ''. */
export type Snapshot = Map<string, SnapshotEntry>;

interface Remembered {
  stamp: string;
  content: string;
}

/** Takes snapshots of one tree and rereads only the files whose stamp has changed since. */
export class SnapshotTaker {
  readonly #root: string;
  readonly #remembered = new Map<string, Remembered>();

  /** @param root absolute path; link targets below it are stored relative to `@BASE@` */
  constructor(root: string) {
    this.#root = root;
  }

  /** The tree as it is now. */
  take(): Snapshot {
    const snapshot: Snapshot = new Map();
    const pending = [''];
    for (let relative = pending.pop(); relative !== undefined; relative = pending.pop()) {
      const at = path.join(this.#root, relative);
      const stat = fs.lstatSync(at, { bigint: true });
      const mode = Number(stat.mode) & 0o7777;
      if (stat.isDirectory()) {
        snapshot.set(relative, { kind: 'directory', mode, content: '' });
        for (const name of fs.readdirSync(at)) pending.push(path.join(relative, name));
      } else if (stat.isSymbolicLink()) {
        const target = fs.readlinkSync(at).replaceAll(this.#root, '@BASE@');
        snapshot.set(relative, { kind: 'link', mode: 0, content: target });
      } else if (stat.isFile()) {
        const stamp = [stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
        snapshot.set(relative, { kind: 'file', mode, content: this.#content(at, stamp) });
      } else {
        snapshot.set(relative, { kind: 'other', mode, content: '' });
      }
    }
    return snapshot;
  }

  #content(at: string, stamp: string): string {
    const known = this.#remembered.get(at);
    if (known?.stamp === stamp) return known.content;
    const content = fs.readFileSync(at, 'latin1');
    this.#remembered.set(at, { stamp, content });
    return content;
  }
}

/** The paths at which two snapshots differ, sorted. */
export function differingPaths(one: Snapshot, other: Snapshot): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((at) => !sameEntry(one.get(at), other.get(at))).sort();
}

/** Whether two entries, or their absence, are the same. */
export function sameEntry(one: SnapshotEntry | undefined, other: SnapshotEntry | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.kind === other.kind && one.mode === other.mode && one.content === other.content;
}

/**
 * Makes `target` equal to `source` where `paths` (relative, sorted, so parents come first) differ.
 * Only those entries are touched.
 */
export function copyDifferences(source: string, target: string, paths: readonly string[]): void {
  for (const relative of [...paths].reverse()) {
    const from = fs.lstatSync(path.join(source, relative), { throwIfNoEntry: false });
    const to = fs.lstatSync(path.join(target, relative), { throwIfNoEntry: false });
    const keep = from?.isDirectory() === true && to?.isDirectory() === true;
    if (to !== undefined && !keep) fs.rmSync(path.join(target, relative), { recursive: true });
  }
  for (const relative of paths) {
    const from = path.join(source, relative);
    const to = path.join(target, relative);
    const stat = fs.lstatSync(from, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isSymbolicLink()) {
      fs.symlinkSync(fs.readlinkSync(from).replaceAll(source, target), to);
      continue;
    }
    if (stat.isDirectory()) {
      fs.mkdirSync(to, { recursive: true });
    } else if (stat.isFile()) {
      fs.copyFileSync(from, to);
    } else {
      execFileSync('mkfifo', [to]);
    }
    fs.chmodSync(to, stat.mode & 0o7777);
    fs.utimesSync(to, stat.atime, stat.mtime);
  }
}
