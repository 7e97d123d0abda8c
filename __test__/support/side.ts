import type { Tool } from '@johannes.latzel/llm-chat';
import type { AccessPrecedence, AccessType, FileConfiguration, FilePool, SearchConfiguration, Workspace } from '../../index.js';
import type { Api } from './published.js';
import { BASE } from './random-calls.js';
import type { Call } from './random-calls.js';
import type { Answer } from './tools.js';

/** What one run is configured with; paths are relative to the base. */
export interface Setup {
  grants: { type: 'read' | 'write'; path: string }[];
  skipDirs: string[];
  resolveSymlinks: boolean;
  workspacePath: string | undefined;
  precedence: 'write-wins' | 'last-added-wins';
  file: [maxChars: number | undefined, maxSize: number | undefined, guarded: boolean];
  search: [results: number | undefined, display: number | undefined, total: number | undefined];
}

/** One implementation at work on its own copy of the tree. */
export class Side {
  readonly base: string;
  readonly file: FileConfiguration;
  readonly search: SearchConfiguration;
  readonly pool: FilePool;
  readonly workspace: Workspace;
  readonly #tools: Map<string, Tool>;

  /** @param api the classes to use @param base absolute, without links */
  constructor(api: Api, base: string, setup: Setup) {
    this.base = base;
    const accesses = setup.grants.map(({ type, path }) => ({ type: type as AccessType, path: `${base}/${path}` }));
    this.workspace = new api.Workspace(
      new api.DirectoryConfiguration(
        accesses,
        [...setup.skipDirs],
        setup.resolveSymlinks,
        setup.workspacePath === undefined ? undefined : `${base}/${setup.workspacePath}`,
        setup.precedence as AccessPrecedence,
      ),
    );
    this.file = new api.FileConfiguration(...setup.file);
    this.search = new api.SearchConfiguration(...setup.search);
    this.pool = new api.FilePool(this.file);
    const tools = new api.FileToolPackage(this.workspace, this.search, this.file, this.pool).tools();
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** Runs a call here; the answers name the base as `@BASE@`, and times as `<time>`. */
  async run(call: Call): Promise<Answer[]> {
    const tool = this.#tools.get(call.tool);
    if (tool === undefined) throw new Error(`no tool ${call.tool}`);
    const results = await tool.execute(this.local(call.args) as Record<string, unknown>);
    return results.map(({ result, status }) => ({ result: this.general(call.tool, result), status }));
  }

  /** Arguments with the placeholder replaced by this side's base. */
  local(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(BASE, this.base);
    if (Array.isArray(value)) return value.map((each) => this.local(each));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.local(each)]));
    }
    return value;
  }

  /** A result text without what is this side's own: base, times, sizes of directories. */
  general(tool: string, text: string): string {
    let result = text.replaceAll(this.base, BASE);
    if (tool === 'entry_info' || tool === 'search_entries') {
      result = result.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
    }
    if (tool === 'entry_info') {
      result = result.replace(/^(Type: directory\nSize: )\d+/m, '$1<size>');
    }
    return result;
  }
}
