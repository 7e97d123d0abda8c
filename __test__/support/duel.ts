import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { DIFFERENCES, isDotted } from './differences.js';
import { pathFacts, resolveDeep, stat } from './path-facts.js';
import type { PathFacts } from './path-facts.js';
import type { Api } from './published.js';
import { BASE, CallGenerator } from './random-calls.js';
import type { Call, View } from './random-calls.js';
import { randomSetup } from './random-setup.js';
import { TreeBuilder } from './random-tree.js';
import { Random } from './random.js';
import { Side } from './side.js';
import type { Setup } from './side.js';
import { SnapshotTaker, copyDifferences, differingPaths } from './snapshot.js';
import type { Snapshot } from './snapshot.js';
import type { Answer } from './tools.js';
import { removeTree } from './tree.js';
import type { Case, World } from './verdict.js';

/** How many calls share one tree and one configuration. */
const CALLS_PER_TREE = 60;
/** After so many unexplained differences a run has said enough. */
const ENOUGH = 12;

/** What one run has seen. */
export interface Report {
  calls: number;
  /** explained differences by fault id */
  explained: Map<string, number>;
  /** differences that no row explains, ready to be read */
  unexplained: string[];
}

interface Round {
  published: Side;
  native: Side;
  setup: Setup;
  takers: [SnapshotTaker, SnapshotTaker];
  before: Snapshot;
  knowledge: Map<string, string>;
  /** files read or written, oldest first */
  read: string[];
}

/** Runs the same random calls on two implementations, each on its own copy of the same random trees. */
export class Duel {
  readonly #seed: number;
  readonly #random: Random;
  readonly #apis: { published: Api; native: Api };
  readonly #report: Report = { calls: 0, explained: new Map(), unexplained: [] };

  /** @param seed makes the run repeatable */
  constructor(seed: number, apis: { published: Api; native: Api }) {
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#apis = apis;
  }

  /** Makes `calls` calls. */
  async run(calls: number): Promise<Report> {
    while (this.#report.calls < calls && this.#report.unexplained.length < ENOUGH) {
      await this.#round(Math.min(CALLS_PER_TREE, calls - this.#report.calls));
    }
    return this.#report;
  }

  async #round(calls: number): Promise<void> {
    const bases = [0, 1].map(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lcfn-'))));
    const [one, other] = bases as [string, string];
    try {
      const seed = this.#random.int(0, 0xffff_ffff);
      for (const base of bases) new TreeBuilder(new Random(seed), base).build();
      const setup = randomSetup(this.#random);
      const takers: Round['takers'] = [new SnapshotTaker(one), new SnapshotTaker(other)];
      const round: Round = { ...this.#sides(one, other, setup), setup, takers, before: takers[0].take(), knowledge: new Map(), read: [] };
      const generator = new CallGenerator(this.#random);
      for (let count = 0; count < calls && this.#report.unexplained.length < ENOUGH; count += 1) {
        await this.#disturb(round);
        await this.#call(round, generator.next(this.#view(round)));
      }
    } finally {
      bases.forEach(removeTree);
    }
  }

  #view({ published: { workspace, base }, before, read }: Round): View {
    const accesses = workspace.getAccesses();
    const roots = (type: string): string[] => accesses.filter((access) => access.type === type).map((access) => path.relative(base, access.path));
    return {
      tree: before,
      current: workspace.currentPath.replaceAll(base, BASE),
      readable: [...roots('read'), ...roots('write')],
      writable: roots('write'),
      read: read.slice(-6).filter((at) => before.has(at)),
    };
  }

  #sides(one: string, other: string, setup: Setup): { published: Side; native: Side } {
    return { published: new Side(this.#apis.published, one, setup), native: new Side(this.#apis.native, other, setup) };
  }

  /** Now and then something happens that is no tool call: the outside writes, or the configuration changes. */
  async #disturb(round: Round): Promise<void> {
    if (this.#random.chance(0.04)) await this.#writeOutside(round);
    if (!this.#random.chance(0.03)) return;
    const sides = [round.published, round.native];
    switch (this.#random.int(0, 3)) {
      case 0: {
        const skip = this.#random.several(0, 2, () => this.#random.pick(['src', 'docs', 'node_modules', 'deep']));
        for (const { workspace } of sides) workspace.setSkipDirs([...skip]);
        break;
      }
      case 1: {
        const value = this.#random.chance(0.5);
        for (const { workspace } of sides) workspace.setResolveSymlinks(value);
        break;
      }
      case 2: {
        const type = this.#random.pick(['read', 'write'] as const);
        const where = this.#random.pick(['main', 'main/src', 'shared', 'main/deep']);
        for (const { workspace, base } of sides) workspace.addAccess(type as never, `${base}/${where}`);
        break;
      }
      default: {
        const where = this.#random.pick(['main/src', 'shared', 'main/deep']);
        const left = round.published.workspace.getAccesses().filter((access) => access.path !== `${round.published.base}/${where}`);
        if (left.length > 0) for (const { workspace, base } of sides) workspace.removeAccess(`${base}/${where}`);
      }
    }
    this.#compareWorkspaces(round);
  }

  /** Changes one file behind the tools' backs, with a time that both must notice, and lets the clock pass it. */
  async #writeOutside(round: Round): Promise<void> {
    const files = [...round.before].filter(([, entry]) => entry.kind === 'file').map(([at]) => at);
    if (files.length === 0) return;
    const at = this.#random.pick(files);
    const time = Date.now() + 5;
    for (const { base } of [round.published, round.native]) {
      fs.appendFileSync(path.join(base, at), 'written by someone else\n');
      fs.utimesSync(path.join(base, at), new Date(time), new Date(time));
    }
    while (Date.now() <= time + 2) await new Promise(setImmediate);
    round.before = round.takers[0].take();
  }

  #compareWorkspaces(round: Round): void {
    const state = ({ workspace, base }: Side): string =>
      JSON.stringify([workspace.getAccesses(), workspace.currentPath, workspace.skipDirs, workspace.resolveSymlinks]).replaceAll(base, BASE);
    const current = round.native.workspace.currentPath.replaceAll(round.native.base, BASE);
    const grants = round.published.workspace.getAccesses().map((access) => ({ ...access, path: access.path.replaceAll(round.published.base, BASE) }));
    if (round.published.workspace.currentPath.replaceAll(round.published.base, BASE) !== current && isDotted({ grants }, current)) {
      // A directory whose name begins with two dots stays current: it is within its grant.
      this.#count(['S7']);
      round.published.workspace.currentPath = current.replaceAll(BASE, round.published.base);
    }
    const [was, is] = [state(round.published), state(round.native)];
    if (was !== is) this.#unexplained(`the workspaces differ after a change of configuration`, was, is);
  }

  async #call(round: Round, generated: Call): Promise<void> {
    const call = await this.#fair(round, generated);
    if (call === undefined) return;
    this.#report.calls += 1;
    const { published, native } = round;
    const facts = await this.#facts(published, call);
    const world = this.#world(round, call, facts);
    const [was, is] = [await published.run(call), await native.run(call)];
    [world.afterPublished, world.afterNative] = [round.takers[0].take(), round.takers[1].take()];
    const paths = differingPaths(world.afterPublished, world.afterNative);
    const fine = (await this.#compareAnswers(world, was, is)) && this.#compareTrees(world, paths);
    if (!fine) this.#unexplained(JSON.stringify(call), describe(was), describe(is), paths, world);
    this.#settle(round, world, is, paths);
  }

  /** Leaves out what would hang the published tools, and races that have no defined outcome. */
  async #fair(round: Round, call: Call): Promise<Call | undefined> {
    const { published } = round;
    if (call.tool === 'write_file') {
      const [target] = await this.#facts(published, call);
      // Opening a pipe for writing waits for a reader, for ever in the published tool.
      if (target?.kind === 'other' && !published.file.requireReadBeforeWrite) return undefined;
    }
    const { paths } = call.args;
    if (!['delete_file', 'replace_file_content', 'create_folder'].includes(call.tool) || !Array.isArray(paths)) return call;
    const seen: string[] = [];
    for (const raw of paths) {
      const at = path.resolve(published.workspace.currentPath, typeof raw === 'string' ? (published.local(raw) as string).trim() : '');
      const names = [at, resolveDeep(at) ?? at, path.join(resolveDeep(path.dirname(at)) ?? '/', path.basename(at))];
      if (names.some((name) => seen.some((other) => name.startsWith(other) || other.startsWith(name)))) return undefined;
      seen.push(...names);
    }
    return call;
  }

  async #facts(side: Side, call: Call): Promise<PathFacts[]> {
    const { path: single, paths, source, destination } = call.args;
    const raws = call.tool === 'move_file' ? [source, destination] : Array.isArray(paths) ? paths : [single];
    const wanted = call.tool === 'search_entries' ? raws.filter((raw) => typeof raw === 'string' && raw.trim() !== '') : raws;
    return Promise.all(
      wanted.map((raw) => pathFacts(side.base, side.workspace.currentPath, typeof raw === 'string' ? (side.local(raw) as string) : '')),
    );
  }

  #world(round: Round, call: Call, facts: PathFacts[]): World {
    const { workspace, base, file, search } = round.published;
    return {
      call,
      base,
      nativeBase: round.native.base,
      current: workspace.currentPath.replaceAll(base, BASE),
      before: round.before,
      afterPublished: round.before,
      afterNative: round.before,
      grants: workspace.getAccesses().map((access) => ({ type: access.type, path: access.path.replaceAll(base, BASE) })),
      resolveSymlinks: workspace.resolveSymlinks,
      skipDirs: [...workspace.skipDirs],
      guarded: file.requireReadBeforeWrite,
      maxChars: file.maxCharsPerFile,
      maxFileSize: file.maxFileSize,
      maxResults: search.maxSearchResults,
      maxDisplay: search.maxDisplayEntries,
      maxTotal: search.maxTotalEntries,
      knowledge: round.knowledge,
      facts,
    };
  }

  async #compareAnswers(world: World, was: Answer[], is: Answer[]): Promise<boolean> {
    if (was.length !== is.length) return false;
    const perPath = Array.isArray(world.call.args['paths']);
    for (const [index, published] of was.entries()) {
      const native = is[index] as Answer;
      if (published.result === native.result && published.status === native.status) continue;
      const one: Case = { world, facts: world.facts[perPath ? index : 0], published, native };
      if (!(await this.#explain((row) => row.answer?.(one)))) return false;
    }
    return true;
  }

  #compareTrees(world: World, paths: readonly string[]): boolean {
    return paths.every((at) => {
      const rows = DIFFERENCES.filter((row) => row.tree?.(world, at) === true);
      if (rows.length > 0 && rows.every((row) => row.answer === undefined)) this.#count(rows.map((row) => row.fault));
      return rows.length > 0;
    });
  }

  async #explain(judge: (row: (typeof DIFFERENCES)[number]) => boolean | Promise<boolean> | undefined): Promise<boolean> {
    const faults: string[] = [];
    for (const row of DIFFERENCES) {
      if ((await judge(row)) === true) faults.push(row.fault);
    }
    this.#count(faults);
    return faults.length > 0;
  }

  #count(faults: readonly string[]): void {
    for (const fault of faults) this.#report.explained.set(fault, (this.#report.explained.get(fault) ?? 0) + 1);
  }

  /** Brings both sides to one state again, and remembers what has been read. */
  #settle(round: Round, world: World, is: Answer[], paths: readonly string[]): void {
    const { published, native } = round;
    const next = native.workspace.currentPath.replaceAll(native.base, published.base);
    if (paths.length > 0) {
      copyDifferences(published.base, native.base, paths);
      Object.assign(round, this.#sides(published.base, native.base, round.setup));
      round.knowledge.clear();
      round.read.length = 0;
      round.native.workspace.currentPath = next.replaceAll(published.base, native.base);
    } else {
      this.#remember(round, world, is);
    }
    round.published.workspace.currentPath = next;
    round.before = round.takers[0].take();
  }

  #remember(round: Round, world: World, is: Answer[]): void {
    if (!['read_file', 'write_file', 'replace_file_lines', 'insert_file_content', 'replace_file_content'].includes(world.call.tool)) return;
    const perPath = Array.isArray(world.call.args['paths']);
    for (const [index, answer] of is.entries()) {
      const facts = world.facts[perPath ? index : 0];
      if (answer.status !== 'success' || facts === undefined) continue;
      const at = facts.lexical.replaceAll(BASE, round.published.base);
      const found = stat(at);
      if (found?.isFile() !== true) continue;
      round.read.push(path.relative(round.published.base, at));
      round.knowledge.set([found.dev, found.ino, found.birthtimeMs].join(), fs.readFileSync(at, 'latin1'));
    }
  }

  #unexplained(what: string, was: string, is: string, paths: readonly string[] = [], world?: World): void {
    const lines = [`seed ${String(this.#seed)}, call ${String(this.#report.calls)}: ${what}`, `  published: ${was}`, `  native:    ${is}`];
    if (paths.length > 0) lines.push(`  trees differ at: ${JSON.stringify(paths)}`);
    if (world !== undefined) {
      const { current, grants, resolveSymlinks, skipDirs, guarded, maxChars, maxFileSize, maxResults, maxDisplay, maxTotal } = world;
      lines.push(`  in ${current} with ${JSON.stringify({ grants, resolveSymlinks, skipDirs, guarded, maxChars, maxFileSize, maxResults, maxDisplay, maxTotal })}`);
    }
    this.#report.unexplained.push(lines.join('\n'));
  }
}

function describe(answers: readonly Answer[]): string {
  return JSON.stringify(answers.map(({ result, status }) => `${status}: ${result.length > 1500 ? `${result.slice(0, 1500)}...` : result}`));
}
