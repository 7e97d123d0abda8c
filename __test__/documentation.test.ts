import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FilePool, FileToolPackage, ReadTool, Workspace } from '../index.js';
import { run } from './clients/support/command.js';
import { packageRoot } from './clients/support/scratch-project.js';
import { temporaryTree } from './support/tree.js';

/** A fenced block of a document. */
interface Block {
  language: string;
  /** Line of the document that its fence is on. */
  line: number;
  code: string;
  /** What it prints, if a block of language `text` follows at once. */
  output?: string;
}

/** The files that docs/guide.md names at its beginning; README.md reads src/main.ts, too. */
const PROJECT = {
  'notes.txt': 'alpha\nbeta\ngamma\n',
  src: { 'main.ts': '// TODO: read the port from the environment\nexport const port = 8080\n' },
};

/** What a reader has and no block of the document declares. */
const PRELUDES: Record<string, string> = {
  // The chat service of the reader's program, as far as tools are added to it.
  service: `import { ToolPackage } from '@johannes.latzel/llm-chat'
const service = {
  tools: () => ({
    add: (bundle) => {
      if (!(bundle instanceof ToolPackage) || bundle.tools().length === 0) throw new Error('no tools')
    }
  })
}`,
};

const MARK = '---- the block itself ----';

const text = (document: string): string => readFileSync(path.join(packageRoot, document), 'utf8');
const markdownIn = (directory: string): string[] =>
  readdirSync(path.join(packageRoot, directory))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(directory, name))
    .sort();

const DOCUMENTS = [...markdownIn('.'), ...markdownIn('docs')];

/** The fenced blocks of a document. */
function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  for (const { 1: language, 2: code, index } of text(document).matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const before = text(document).slice(0, index);
    const last = blocks.at(-1);
    const follows = language === 'text' && last !== undefined && before.trimEnd().endsWith(`${last.code}\`\`\``);
    if (follows) last.output = code!;
    blocks.push({ language: language!, line: before.split('\n').length, code: code! });
  }
  return blocks;
}

const isProgram = ({ language }: Block): boolean => ['js', 'javascript', 'mjs', 'ts', 'typescript'].includes(language);

const declares = (code: string, name: string): boolean =>
  new RegExp(`^(?:const|let|class|(?:async )?function) (?:\\{[^}]*\\b|\\[[^\\]]*\\b)?${name}\\b|^import [^']*\\b${name}\\b`, 'm').test(code);

/** Names that blocks take from earlier blocks of the same document, or from {@link PRELUDES}. */
const SHARED = ['workspace', 'call', 'Workspace', 'service'];

/** The block with what it goes on from: the nearest earlier block that declares the name, or a prelude. */
function program(blocks: readonly Block[], block: Block): string {
  const wanted = SHARED.filter((name) => new RegExp(`\\b${name}\\b(?!:)`).test(block.code) && !declares(block.code, name));
  const parts = wanted.map((name) => {
    const earlier = blocks.filter((each) => isProgram(each) && each.line < block.line && declares(each.code, name));
    const found = earlier.at(-1)?.code ?? PRELUDES[name];
    if (found === undefined) throw new Error(`nothing declares ${name}`);
    return found;
  });
  return [...new Set(parts), `console.log('${MARK}')`, block.code].join('\n');
}

/** What is the same in every run of what a block prints: one place, one moment, one width of columns. */
const plain = (output: string, root: string): string =>
  output
    .replaceAll(root, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-12-07T09:30:00.000Z')
    .replace(/ {3,}/g, '  ')
    .trimEnd();

/** A place where a reader may stand: the package installed, `/srv` with the files of the examples, a package.json. */
function scratch(): string {
  const root = temporaryTree({ here: {}, node_modules: { '@johannes.latzel': {} }, srv: { project: PROJECT, library: {} } });
  // Whatever the umask is.
  chmodSync(path.join(root, 'srv', 'project', 'notes.txt'), 0o644);
  cpSync(path.join(packageRoot, 'package.json'), path.join(root, 'here', 'package.json'));
  symlinkSync(packageRoot, path.join(root, 'node_modules', 'llm-chat-file-native'));
  symlinkSync(path.join(packageRoot, 'node_modules', '@johannes.latzel', 'llm-chat'), path.join(root, 'node_modules', '@johannes.latzel', 'llm-chat'));
  return root;
}

describe.each(DOCUMENTS)('%s', (document) => {
  const blocks = blocksOf(document);

  it.each(blocks.filter(isProgram))('the program of line $line runs and prints what stands below it', { timeout: 60_000 }, async (block) => {
    const root = scratch();
    const source = program(blocks, block).replaceAll(/\/srv\//g, `${root}/srv/`);
    const { ESNext } = ts.ModuleKind;
    const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ESNext, target: ts.ScriptTarget.ES2023 } });
    const isTyped = block.language.startsWith('t');
    writeFileSync(path.join(root, 'block.mjs'), isTyped ? outputText : source);
    const finished = await run(process.execPath, [path.join(root, 'block.mjs')], { cwd: path.join(root, 'here') });
    expect(finished, source).toMatchObject({ code: 0, stderr: '' });
    const printed = finished.stdout.slice(finished.stdout.indexOf(MARK) + MARK.length + 1);
    if (block.output !== undefined) expect(plain(printed, root)).toBe(plain(block.output, root));
  });

  it.each(blocks.filter(({ language }) => language === 'json'))('the JSON of line $line is JSON', ({ code }) => {
    expect(JSON.parse(code)).toBeTypeOf('object');
  });

  it('has a language for every block', () => {
    expect(blocks.filter(({ language }) => language === '').map(({ line }) => line)).toEqual([]);
  });

  it('links to what is there', () => {
    const links = [...text(document).matchAll(/\]\(([^)\s]+)\)/g)].map(({ 1: target }) => target!).filter((target) => !/^[a-z]+:/.test(target));
    const dangling = links.filter((link) => {
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file === '' ? document : path.join(path.dirname(document), file);
      if (!existsSync(path.join(packageRoot, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(dangling).toEqual([]);
  });

  it('names scripts and programs that are there', () => {
    const commands = commandsOf(document);
    const scripts = Object.keys((JSON.parse(text('package.json')) as { scripts: object }).scripts);
    const named = [...commands.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(({ 1: script }) => script!);
    const ofNpm = ['ci', 'install', 'pack', 'publish'];
    // `npm start` belongs to examples/alias, where the command before it goes.
    const known = [...scripts, ...ofNpm, ...(commands.includes('cd examples/alias') ? ['start'] : [])];
    expect(named.filter((script) => !known.includes(script))).toEqual([]);
    const programs = [...commands.matchAll(/\b(?:node|vitest run) (?:--[\w-]+ )*([\w./-]+)/g)].map(({ 1: file }) => file!);
    expect(programs.filter((file) => !existsSync(path.join(packageRoot, file)))).toEqual([]);
  });

  it('names files of this package that are there', () => {
    const named = [...text(document).matchAll(/`((?:__test__|benchmark|crates|docs|examples|fuzz|reliability|scripts|ts)\/[\w./*-]*)`/g)].map(({ 1: file }) => file!);
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  });
});

/** Inline code and blocks for a shell. */
function commandsOf(document: string): string {
  const inBlocks = blocksOf(document).filter(({ language }) => language === 'sh').map(({ code }) => code);
  const prose = text(document).replace(/^```.*?^```$/gms, '');
  return [...inBlocks, ...[...prose.matchAll(/`([^`]+)`/g)].map(({ 1: code }) => code!)].join('\n');
}

/** Anchors of the headings of a document, as GitHub makes them. */
function anchorsOf(document: string): string[] {
  const headings = text(document).replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(({ 1: heading }) => heading!.toLowerCase().replace(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

/** Whether a path, whose last part may have a star, names something. */
function isThere(file: string): boolean {
  if (!file.includes('*')) return existsSync(path.join(packageRoot, file));
  const [before, after] = path.basename(file).split('*') as [string, string];
  return readdirSync(path.join(packageRoot, path.dirname(file))).some((name) => name.startsWith(before) && name.endsWith(after));
}

describe('the table of errors in docs/guide.md', () => {
  /** Codes in the sources that no caller gets, with the reason. */
  const WITHIN: Record<string, string> = {
    ERR_HOOK: 'the worker thread that is told it has lost its host; what an override throws is thrown on',
    ERR_INTERNAL: 'the other threads of a search in which one panicked; the caller gets ERR_INTERNAL_PANIC',
    ERR_INVALID_RETURN_VALUE: 'the binding and its facade, which answers every question with booleans',
  };

  const inTable = [...text('docs/guide.md').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(({ 1: cell }) => cell!.match(/\bERR_[A-Z_]+/g) ?? []);

  function sources(directory: string): string[] {
    return readdirSync(path.join(packageRoot, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:rs|ts)$/.test(name))
      .map((name) => text(path.join(directory, name)));
  }

  it('has every code that the sources construct, once, and no other', () => {
    const constructed = ['crates/core/src', 'src', 'ts']
      .flatMap(sources)
      // Comments only speak of codes; a prefix such as ERR_INVALID_ARG_ is none.
      .flatMap((source) => source.replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '').match(/(?<=["'])ERR_[A-Z_]*[A-Z](?=["'])/g) ?? []);
    const given = [...new Set<string>(constructed)].filter((code) => !(code in WITHIN)).sort();
    expect(given.length).toBeGreaterThan(10);
    expect([...inTable].sort()).toEqual(given);
    expect(Object.keys(WITHIN).filter((code) => !constructed.includes(code))).toEqual([]);
  });

  it('names no kernel error that the core cannot word, and the names of what has no code', () => {
    const words: string[] = text('crates/core/src/error.rs').match(/(?<=")E[A-Z]+(?=")/g) ?? [];
    const errors = text('docs/guide.md').split('## Errors')[1]!.split('## What is fast')[0]!;
    const named = [...errors.matchAll(/^\| (`E[^|]*`) \|/gm)].flatMap(({ 1: cell }) => cell!.match(/\bE[A-Z]+\b/g) ?? []);
    expect(named.filter((code) => !words.includes(code))).toEqual([]);
    expect(errors).toMatch(/^\| `AbortError` \|/m);
    expect(errors).toMatch(/^\| `SyntaxError` \|/m);
  });
});

describe('the tables of docs/guide.md', () => {
  const guide = text('docs/guide.md');

  it('have the parameters of every tool, the required ones in bold', () => {
    const workspace = new Workspace({ accesses: [{ type: 'read', path: packageRoot }] });
    const tools = [...new FileToolPackage(workspace).tools(), new ReadTool(workspace, new FilePool())];
    for (const tool of tools) {
      const { parameters } = (tool.toOpenAI() as unknown as { function: { parameters: { properties: object; required: string[] } } }).function;
      const section = guide.split(`\n### ${tool.name}\n`)[1]?.split('\n##')[0] ?? '';
      const cells = [...section.matchAll(/^\| ([^|]*`[^|]*) \|/gm)].map(({ 1: cell }) => cell!);
      const names = cells.flatMap((cell) => cell.match(/\w+/g) ?? []);
      expect(names.sort(), tool.name).toEqual(Object.keys(parameters.properties).sort());
      const bold = cells.filter((cell) => cell.startsWith('**')).flatMap((cell) => cell.match(/\w+/g) ?? []);
      expect(bold.sort(), tool.name).toEqual([...parameters.required].sort());
    }
  });

  it('have every environment variable that is read under its present name', () => {
    const read = ['ts/directory-configuration.ts', 'ts/limits.ts'].flatMap((file) => text(file).match(/\bLLM_CHAT_[A-Z_]*[A-Z]\b/g) ?? []);
    // Older names, which README.md lists.
    const older = /^LLM_CHAT_FS_(?:READ_DIRS|WRITE_DIRS|WORKSPACE|SKIP_DIRS|RESOLVE_SYMLINKS)$/;
    const named = guide.match(/\bLLM_CHAT_[A-Z_]*[A-Z]\b/g) ?? [];
    expect([...new Set(named)].sort()).toEqual([...new Set(read)].filter((name) => !older.test(name)).sort());
  });
});
