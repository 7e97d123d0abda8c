import type { Tool, ToolResult } from '@johannes.latzel/llm-chat';
import {
  AccessType,
  DirectoryConfiguration,
  FileConfiguration,
  FileToolPackage,
  SearchConfiguration,
  Workspace,
} from '../../index.js';

/** A workspace with one writable directory. */
export function workspaceOn(dir: string, resolveSymlinks = false, skipDirs: string[] = []): Workspace {
  return new Workspace(
    new DirectoryConfiguration([{ type: AccessType.Write, path: dir }], skipDirs, resolveSymlinks),
  );
}

/** A workspace with one read-only and one writable directory. */
export function workspaceWith(readable: string[], writable: string[], resolveSymlinks = false): Workspace {
  return new Workspace(
    new DirectoryConfiguration(
      [
        ...readable.map((path) => ({ type: AccessType.Read, path })),
        ...writable.map((path) => ({ type: AccessType.Write, path })),
      ],
      [],
      resolveSymlinks,
    ),
  );
}

/** Result text and status, which is all that a model sees. */
export interface Answer {
  result: string;
  status: string;
}

/** Runs a tool and gives its results, one per path. */
export async function answers(tool: Tool, args: Record<string, unknown>): Promise<Answer[]> {
  const results: ToolResult[] = await tool.execute(args);
  return results.map(({ result, status }) => ({ result, status }));
}

/** Runs a tool that gives exactly one result. */
export async function answer(tool: Tool, args: Record<string, unknown>): Promise<Answer> {
  const all = await answers(tool, args);
  const [first] = all;
  if (first === undefined || all.length !== 1) {
    throw new Error(`expected one result, got ${String(all.length)}`);
  }
  return first;
}

/** The result text of a call that must succeed. */
export async function success(tool: Tool, args: Record<string, unknown>): Promise<string> {
  const { result, status } = await answer(tool, args);
  if (status !== 'success') throw new Error(`expected success, got: ${result}`);
  return result;
}

/** The result text of a call that must fail. */
export async function failure(tool: Tool, args: Record<string, unknown>): Promise<string> {
  const { result, status } = await answer(tool, args);
  if (status !== 'error') throw new Error(`expected an error, got: ${result}`);
  return result;
}

/** All thirteen tools by name; without the read-before-write check unless asked for. */
export function toolsOn(
  workspace: Workspace,
  options: { search?: SearchConfiguration; file?: FileConfiguration; guarded?: boolean } = {},
): (name: string) => Tool {
  const file = options.file ?? new FileConfiguration(undefined, undefined, options.guarded ?? false);
  const tools = new FileToolPackage(workspace, options.search ?? new SearchConfiguration(), file).tools();
  return (name) => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found;
  };
}
