import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { onTestFinished } from 'vitest';

/** What a tree is made of: a string or bytes is a file, an object a directory. */
export interface TreeLayout {
  [name: string]: string | Uint8Array | TreeLayout | Special;
}

/** An entry that is neither a plain file nor a plain directory. */
export class Special {
  readonly make: (target: string) => void;

  /** @param make creates the entry at the absolute path it is given */
  constructor(make: (target: string) => void) {
    this.make = make;
  }
}

/** A symbolic link with this target, stored as given. */
export function link(target: string): Special {
  return new Special((at) => fs.symlinkSync(target, at));
}

/** A named pipe. */
export function fifo(): Special {
  return new Special((at) => void execFileSync('mkfifo', [at]));
}

/** A file with the given permission bits. */
export function withMode(mode: number, content: string | Uint8Array = ''): Special {
  return new Special((at) => {
    fs.writeFileSync(at, content);
    fs.chmodSync(at, mode);
  });
}

/** A fresh directory (real path, no links in it) that is removed when the current test ends. */
export function temporaryDirectory(): string {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lcfn-')));
  onTestFinished(() => removeTree(dir));
  return dir;
}

/** A fresh directory filled with `layout`, removed when the current test ends. */
export function temporaryTree(layout: TreeLayout): string {
  const dir = temporaryDirectory();
  makeTree(dir, layout);
  return dir;
}

/** Creates the entries of `layout` in the existing directory `dir`. */
export function makeTree(dir: string, layout: TreeLayout): void {
  for (const [name, content] of Object.entries(layout)) {
    const at = path.join(dir, name);
    if (typeof content === 'string' || content instanceof Uint8Array) {
      fs.writeFileSync(at, content);
    } else if (content instanceof Special) {
      content.make(at);
    } else {
      fs.mkdirSync(at);
      makeTree(at, content);
    }
  }
}

/** Opens a tree to everybody, so that a process without privileges can work in it. */
export function openToAll(dir: string): string {
  execFileSync('chmod', ['-R', 'a+rwX', dir]);
  return dir;
}

/** Removes a tree, directories without permissions and paths beyond PATH_MAX included. */
export function removeTree(dir: string): void {
  try {
    fs.rmSync(dir, { recursive: true, force: true });
  } catch {
    execFileSync('chmod', ['-R', 'u+rwx', dir]);
    execFileSync('rm', ['-rf', dir]);
  }
}

/** The bytes of a file as text, for comparisons that read well. */
export function read(...parts: string[]): string {
  return fs.readFileSync(path.join(...parts), 'utf8');
}

/** Whether something, a dangling link included, has this name. */
export function present(...parts: string[]): boolean {
  return fs.lstatSync(path.join(...parts), { throwIfNoEntry: false }) !== undefined;
}

/** All names below `dir`, relative, sorted: shows that nothing was left behind. */
export function names(dir: string): string[] {
  return (fs.readdirSync(dir, { recursive: true }) as string[]).sort();
}

/** True when permission bits do not bind this process, so that tests of EACCES mean nothing. */
export const isRoot = process.getuid?.() === 0;
