import { judgeChange, judgeRead, judgeSearch, searchFaults, unquote } from './expected-answer.js';
import type { PathFacts } from './path-facts.js';
import { sameEntry } from './snapshot.js';
import { allows, holdsRoot, isBelow, isRefusal, relativePath, shownPath, subjects } from './verdict.js';
import type { Case, World } from './verdict.js';

/**
 * One way in which this package is meant to differ from the published ones. A difference that no row
 * explains fails the differential test, so a row must accept nothing but its own fault's repair.
 */
export interface Difference {
  /** id in the project's list of faults */
  fault: string;
  reason: string;
  /** whether the two answers about one path differ for this reason, and the native one is right */
  answer?: (one: Case) => boolean | Promise<boolean>;
  /** whether the trees may differ at this path (relative to the base) for this reason */
  tree?: (world: World, at: string) => boolean;
}

/** Rows that take their verdict from a plain model of what the answer must be. */
function modelled(fault: string, reason: string): Difference {
  return {
    fault,
    reason,
    answer: async (one) => [...judgeRead(one), ...judgeChange(one), ...(await judgeSearch(one))].includes(fault),
    tree: (world, at) => isEditedFile(world, at) || isOtherHardLink(world, at),
  };
}

/** A file that this call was asked to change; its bytes are judged with the answer. */
function isEditedFile(world: World, at: string): boolean {
  return CHANGES.has(world.call.tool) && world.facts.some((facts) => facts.kind === 'file' && relativePath(facts.deep ?? '') === at);
}

/** Another name of an edited file: it keeps its bytes. */
function isOtherHardLink(world: World, at: string): boolean {
  const changed = world.facts.some((facts) => facts.kind === 'file' && facts.links > 1 && facts.bytes?.toString('latin1') === world.before.get(at)?.content);
  return CHANGES.has(world.call.tool) && changed && keptNative(world, at);
}

/** Under the u flag a class of surrogates matches only those without a partner. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

const HINT = ' (Tip: paths starting with "/" resolve to filesystem root; use "." or a relative path for workspace root)';

/** What the edit tools say of a text that an edit does not fit, without naming the file. */
const EDIT_ERRORS = /^(?:old_content not found in file|(?:start_line|end_line|line) \(\d+\) .*)$/;

const CHANGES = new Set(['write_file', 'replace_file_lines', 'insert_file_content', 'replace_file_content']);

function keptNative(world: World, at: string): boolean {
  return sameEntry(world.before.get(at), world.afterNative.get(at));
}

function treeKept(world: World): boolean {
  return world.before.size === world.afterNative.size && [...world.before.keys()].every((at) => keptNative(world, at));
}

/** Whether following a path's links needs names that are not there, which realpath cannot do. */
function endsBehindLink(world: World, facts: PathFacts): boolean {
  return world.resolveSymlinks && facts.kind === undefined && facts.deep !== facts.lexical;
}

const named = (tool: string, ...tools: string[]): boolean => tools.includes(tool);

/** Every intended difference; the order has no meaning. */
export const DIFFERENCES: readonly Difference[] = [
  modelled('C6', 'a file whose time lies in the future can be edited once it has been read'),
  modelled('C7 C10 C11', 'what has been read is known by file, not by spelling or clock: moves carry it, deletes forget it'),
  modelled('D3 D4 D5', 'bytes outside an edit stay as they are in UTF-16 and in files with invalid UTF-8'),
  modelled('E1', 'appending to a file that ends in a newline adds no blank line and keeps the final newline'),
  modelled('E2', 'files with CRLF keep it, and LF in old_content matches it'),
  modelled('E4 E5', 'an empty or half-surrogate old_content is refused'),
  {
    fault: 'security A12',
    reason: 'a path with half of a surrogate pair names no file, and never another one',
    answer: (one) => {
      const { world, native } = one;
      const given = [...subjects(one).map(({ raw }) => raw), world.current].filter((raw) => LONE_SURROGATE.test(raw));
      return native.status === 'error' && given.some((raw) => isUnspeakable(native.result, raw));
    },
    tree: (world, at) => world.facts.some(({ raw }) => LONE_SURROGATE.test(raw)) && keptNative(world, at),
  },
  {
    fault: 'blanks',
    reason: 'blanks around a path belong to it if a file of exactly that name exists',
    answer: async (one) => {
      const exact = subjects(one).filter(({ blank }) => blank);
      const { world, native } = one;
      const known = exact.flatMap((facts) => [shownPath(world, facts), facts.own]);
      return known.some((at) => native.result.includes(at)) || (exact.length > 0 && ((await searchFaults(one)) !== undefined || EDIT_ERRORS.test(native.result)));
    },
    tree: (world, at) => world.facts.some((facts) => facts.blank && (touches(relativePath(facts.own), at) || touches(relativePath(facts.own).trimEnd(), at) || isMoved(world, at))),
  },
  modelled('R1 R2', 'a cut body is at most max_chars long and never splits a surrogate pair'),
  modelled('R5', 'UTF-16 is decoded, and a BOM is no part of the text and survives writes'),
  modelled('binary sample', 'a NUL in the first 8 KiB makes a file binary'),
  modelled('Q2', 'results are shown unless there are more results than the display limit'),
  modelled('Q3 Q4', 'a limit keeps the matches found so far'),
  modelled('Q5 Q6', 'oversized files are skipped and said so, all other files are searched to their end'),
  modelled('Q7 Q8', 'directories are listed without a name pattern, obey date filters, and never match content'),
  modelled('Q10 Q11', 'line ends are no part of a line, and a snippet contains its match'),
  modelled('Q16', 'unreadable files are counted in the warning'),
  modelled('NaN', 'a limit or line that is no number is an error or its default, and what is no whole one is rounded down'),
  {
    fault: 'hard links',
    reason: 'a write replaces the name it was given; the other names keep the old bytes',
    tree: isOtherHardLink,
  },
  {
    fault: 'R6',
    reason: 'an unreadable file is named as that, not as binary',
    answer: ({ facts, published, native }) =>
      facts?.kind === 'file' && !facts.readable && published.result.includes('appears to be binary') && native.status === 'error' && native.result.includes('EACCES: permission denied'),
  },
  {
    fault: 'names',
    reason: 'a name with control characters, or that begins with a quote, is shown in quotes',
    answer: ({ published, native }) => native.status === published.status && unquote(native.result) === published.result,
  },
  {
    fault: 'Q13',
    reason: 'links and special files are not counted as directories',
    answer: ({ world, facts, published, native }) => {
      const counts = /^Found (\d+) files and (\d+) directories/;
      const was = counts.exec(published.result);
      const now = counts.exec(native.result);
      if (facts === undefined || was === null || now === null || world.call.args['recursive'] === true) return false;
      const parent = relativePath(facts.deep ?? facts.lexical);
      const kinds = [...world.before].filter(([at]) => at !== '' && (at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') === parent);
      const count = (kind: string): number => kinds.filter(([at, entry]) => entry.kind === kind && !skipped(world, at, kind)).length;
      return native.status === 'success' && now[1] === was[1] && Number(now[1]) === count('file') && Number(now[2]) === count('directory');
    },
  },
  {
    fault: 'S2 S3 S4',
    reason: 'with resolveSymlinks, a name that does not exist yet is judged by where it really is',
    answer: (one) => {
      const { world, published, native } = one;
      const right = named(world.call.tool, 'read_file', 'list_directory', 'search_entries', 'entry_info', 'switch_workspace') ? 'read' : 'write';
      return subjects(one).some((facts) => {
        if (!endsBehindLink(world, facts)) return false;
        if (!allows(world, facts, right)) return isRefusal(native) || (native.status === 'error' && native.result.startsWith('Path is not within'));
        // A name outside the grants whose place lies within one.
        if (isRefusal(published)) return facts.deep !== undefined && native.status === 'success' && native.result.includes(facts.deep);
        return facts.deep !== undefined && native.status === published.status && native.result.replaceAll(facts.deep, facts.lexical) === published.result.replaceAll(facts.deep, facts.lexical);
      });
    },
    tree: (world, at) => world.facts.some((facts) => endsBehindLink(world, facts) && (keptNative(world, at) || touches(relativePath(facts.deep ?? ''), at))),
  },
  {
    fault: 'S6 F5',
    reason: 'delete, move and entry_info act on a link itself',
    answer: ({ world, facts, published, native }) => {
      if (facts?.isLink !== true || !named(world.call.tool, 'delete_file', 'move_file', 'entry_info')) return false;
      if (!allows(world, facts, world.call.tool === 'entry_info' ? 'read' : 'write', true)) return isRefusal(native);
      if (world.call.tool === 'entry_info') return native.status === 'success' && native.result.startsWith(`Path: ${ownPath(world, facts)}\nType: symlink\n`);
      const gone = world.afterNative.get(relativePath(facts.own)) === undefined;
      if (world.call.tool === 'delete_file') return gone && native.status === 'success' && ['file', 'directory'].some((kind) => native.result === `Deleted ${kind}: ${ownPath(world, facts)}`);
      // A dangling link can be moved, so what is wrong with the destination comes to light.
      const to = world.facts[1];
      if (isRefusal(native)) return isRefusal(published) && native.result.includes(' destination path ') && to !== undefined && !allows(world, to, 'write');
      if (native.status === 'error') return (facts.kind === undefined || isRefusal(published)) && !gone && treeKept(world) && /^(?:Error moving: E[A-Z]+: [^']* '|Destination already exists: )/.test(native.result);
      return gone && destinations(world).some((to) => native.result === `Moved: ${ownPath(world, facts)} -> ${to}`);
    },
    tree: (world, at) => {
      const links = world.facts.filter((facts) => facts.isLink);
      if (links.length === 0 || !named(world.call.tool, 'delete_file', 'move_file')) return false;
      return keptNative(world, at) || links.some((facts) => relativePath(facts.own) === at) || (isMoved(world, at) && world.afterNative.get(at)?.kind !== 'file');
    },
  },
  {
    fault: 'S7',
    reason: 'a name that begins with two dots is a name like any other',
    answer: async (one) => {
      const { world, facts, published, native } = one;
      if (world.call.tool === 'search_entries' && facts === undefined) return isDotted(world, world.current) && (await searchFaults(one)) !== undefined;
      const dotted = subjects(one).filter((each) => hasDottedName(world, each));
      if (dotted.length === 0 || native.result === '') return false;
      // Refused all the same, but a path that may be read deserves no hint.
      if (isRefusal(published) && published.result === `${native.result}${HINT}`) return dotted.some((each) => allows(world, each, 'read'));
      const [from] = world.facts;
      if (world.call.tool === 'move_file' && native.result.includes(' destination path ') && published.result.includes(' source path ')) {
        return from !== undefined && hasDottedName(world, from) && isRefusal(native);
      }
      return (isRefusal(published) || published.result.startsWith('Path is not within')) && !isRefusal(native);
    },
    tree: (world, at) => {
      const dotted = world.facts.filter((facts) => hasDottedName(world, facts));
      return dotted.some((facts) => [facts.lexical, facts.deep].some((path) => path !== undefined && touches(relativePath(path), at))) || (dotted.length > 0 && isMoved(world, at));
    },
  },
  {
    fault: 'S13',
    reason: 'a relative switch target is meant from the current directory',
    answer: ({ world, facts, native }) => {
      const raw = world.call.args['path'];
      if (facts === undefined || typeof raw !== 'string' || raw.trim().startsWith('/') || raw.trim().startsWith('@BASE@')) return false;
      if (!allows(world, facts, 'read')) return native.status === 'error' && native.result === `Path is not within any configured directory: ${raw.trim()}`;
      if (facts.kind === 'file' || facts.kind === 'other') return native.status === 'error' && native.result === `Path is not a directory: ${raw.trim()}`;
      return native.status === 'success' && native.result === `Switched workspace to: ${shownPath(world, facts)}`;
    },
  },
  {
    fault: 'K01',
    reason: 'a switch to something that is no directory is refused',
    answer: ({ world, facts, native }) =>
      world.call.tool === 'switch_workspace' && native.status === 'error' && (facts?.kind === 'file' || facts?.kind === 'other') && native.result === `Path is not a directory: ${facts.raw.trim()}`,
  },
  {
    fault: 'S14',
    reason: 'a search without a path from a current directory outside every grant is refused',
    answer: ({ world, facts, native }) => world.call.tool === 'search_entries' && facts === undefined && isRefusal(native) && currentOutside(world),
  },
  {
    fault: 'F1 F3',
    reason: "a grant's root is never deleted or moved",
    answer: ({ world, facts, native }) =>
      named(world.call.tool, 'delete_file', 'move_file') && facts !== undefined && holdsRoot(world, facts) && native.status === 'error' && !native.result.startsWith('Error: '),
    tree: (world, at) => named(world.call.tool, 'delete_file', 'move_file') && world.facts.some((facts) => holdsRoot(world, facts)) && keptNative(world, at),
  },
  {
    fault: 'F2',
    reason: 'a move never replaces what is there',
    answer: ({ world, native }) => replaces(world) && native.status === 'error' && destinations(world).some((to) => native.result === `Destination already exists: ${to}`) && treeKept(world),
    tree: (world, at) => replaces(world) && keptNative(world, at),
  },
  {
    fault: 'F4',
    reason: 'a call that fails leaves no directories behind',
    tree: (world, at) =>
      named(world.call.tool, 'move_file', 'write_file', 'create_folder') && treeKept(world) && world.before.get(at) === undefined && world.afterPublished.get(at)?.kind === 'directory',
  },
];

function skipped(world: World, at: string, kind: string): boolean {
  return kind === 'directory' && world.skipDirs.includes(at.slice(at.lastIndexOf('/') + 1));
}

function ownPath(world: World, facts: PathFacts): string {
  return world.resolveSymlinks ? facts.own : facts.lexical;
}

function hasDottedName(world: World, facts: PathFacts): boolean {
  return [facts.lexical, facts.deep].some((at) => at !== undefined && isDotted(world, at));
}

/** Whether a path lies in a grant, beneath a name that the published packages take for `..`. */
export function isDotted({ grants }: Pick<World, 'grants'>, at: string): boolean {
  return grants.some((grant) => at.startsWith(`${grant.path}/..`) && at !== `${grant.path}/..`);
}

/** Whether a path is what a move takes away, puts down, or makes for it. */
function isMoved(world: World, at: string): boolean {
  if (world.call.tool !== 'move_file') return false;
  const [from, to] = world.facts.map(({ own, deep }) => [own, deep ?? own].map(relativePath));
  const gone = from?.some((source) => isBelow(at, source)) === true && world.afterNative.get(at) === undefined;
  const placed = to?.some((target) => touches(target, at)) === true && world.before.get(at) === undefined;
  return gone || placed;
}

/** Whether a result text says, as tools say what the system says, that a path cannot be a name. */
function isUnspeakable(result: string, raw: string): boolean {
  const said = `: The argument 'path' must be a string without lone surrogates. Received '${JSON.stringify(raw).slice(1, -1)}'`;
  if (!result.endsWith(said)) return false;
  const before = result.slice(0, -said.length);
  return before.startsWith(`Invalid path '${raw.trim()}': cannot access '`) || /^(?:(?:File|Path|Source) not found|Error (?:moving|writing file|creating directory))$/.test(before);
}

function touches(path: string, at: string): boolean {
  return at === path || at.startsWith(`${path}/`) || path.startsWith(`${at}/`);
}

function currentOutside(world: World): boolean {
  return !world.grants.some((grant) => world.current === grant.path || world.current.startsWith(`${grant.path}/`));
}

/** How a result may name the destination of a move: a link there is meant itself, or by where it leads. */
function destinations(world: World): string[] {
  const to = world.facts[1];
  return to === undefined ? [] : [shownPath(world, to), ownPath(world, to)];
}

function replaces(world: World): boolean {
  const [from, to] = world.facts;
  return world.call.tool === 'move_file' && to?.present === true && from !== undefined && from.own !== to.own;
}
