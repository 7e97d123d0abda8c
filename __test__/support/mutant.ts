import type { Tool, ToolResult } from '@johannes.latzel/llm-chat';
import type { Workspace } from '../../index.js';
import type { Api } from './published.js';

/** Changes what a tool has answered, or does some harm of its own. */
export type Mutation = (tool: string, results: ToolResult[], workspace: Workspace) => ToolResult[];

/** The same classes with tools that go wrong, to see whether a comparison notices. */
export function mutant(api: Api, mutation: Mutation): Api {
  class MutantPackage extends api.FileToolPackage {
    readonly #workspace: Workspace;

    constructor(...args: ConstructorParameters<Api['FileToolPackage']>) {
      super(...args);
      [this.#workspace] = args;
    }

    override tools(): Tool[] {
      return super.tools().map((tool) => {
        const wrapped = Object.create(tool) as Tool;
        wrapped.execute = async (args) => mutation(tool.name, await tool.execute(args), this.#workspace);
        return wrapped;
      });
    }
  }
  return { ...api, FileToolPackage: MutantPackage };
}
