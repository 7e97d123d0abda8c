import * as publishedFile from '@johannes.latzel/llm-chat-file';
import * as publishedWorkspace from '@johannes.latzel/llm-chat-workspace';
import { ToolPackage, Tool } from '@johannes.latzel/llm-chat';
import { describe, expect, it } from 'vitest';
import * as native from '../index.js';
import { published } from './support/published.js';
import { temporaryDirectory } from './support/tree.js';

type Schema = { description?: string; [key: string]: unknown };

function definitions(api: typeof published): { name: string; description: string; parameters: unknown }[] {
  const dir = temporaryDirectory();
  const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: api.AccessType.Write, path: dir }]));
  return new api.FileToolPackage(workspace).tools().map((tool) => {
    const definition = JSON.parse(JSON.stringify(tool.toOpenAI())) as { type: string; function: { name: string; description: string; parameters: unknown } };
    expect(definition.type).toBe('function');
    return definition.function;
  });
}

/** The schema without its wording, and whether every part of it has some. */
function stripped(schema: unknown, described: string[] = [], at = ''): unknown {
  if (Array.isArray(schema) || typeof schema !== 'object' || schema === null) return schema;
  const { description, ...rest } = schema as Schema;
  if (typeof description === 'string' && description.trim() !== '') described.push(at);
  return Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, stripped(value, described, `${at}/${key}`)]));
}

describe('schemas of the thirteen tools', () => {
  const candidates = native as unknown as typeof published;

  it('have the same names in the same order', () => {
    expect(definitions(candidates).map((tool) => tool.name)).toEqual(definitions(published).map((tool) => tool.name));
  });

  it('have the same parameters in the same order, types and required lists', () => {
    const theirs = definitions(published);
    for (const [index, ours] of definitions(candidates).entries()) {
      const parameters = theirs[index]?.parameters;
      expect(JSON.stringify(stripped(ours.parameters)), ours.name).toBe(JSON.stringify(stripped(parameters)));
    }
  });

  it('describe every tool and every parameter', () => {
    for (const { name, description, parameters } of definitions(candidates)) {
      expect(description.trim(), name).not.toBe('');
      const described: string[] = [];
      const { properties = {} } = stripped(parameters, described) as { properties?: object };
      for (const parameter of Object.keys(properties)) expect(described, name).toContain(`/properties/${parameter}`);
    }
  });
});

/** Every own member of a prototype by kind: method, getter, or getter and setter. */
function members(prototype: object): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor') continue;
    const accessor = property.set === undefined ? 'getter' : 'accessor';
    found.set(name, typeof property.value === 'function' ? 'method' : accessor);
  }
  return found;
}

/** Declared private upstream, so nobody may call them from TypeScript. */
const PRIVATE = new Set([
  'resolvePath', 'rebuild', 'walkDirectory', 'createSingle', 'deleteSingle', 'infoSingle', 'readSingleFile', 'replaceInFile',
  'parseRegex', 'resolveSearchDir', 'validateSearchRoot', 'parseDateFilters', 'processFileEntry', 'formatSearchOutput',
]);

describe('surface of both published packages', () => {
  const both: Record<string, unknown> = { ...publishedFile, ...publishedWorkspace };
  const ours = native as unknown as Record<string, unknown>;

  it('is exported whole, with FilePool and isBinary', () => {
    for (const name of [...Object.keys(both), 'FilePool', 'isBinary']) expect(ours, name).toHaveProperty(name);
  });

  it('has functions where there are functions and the same enum values', () => {
    for (const [name, value] of Object.entries(both)) {
      expect(typeof ours[name], name).toBe(typeof value);
      if (typeof value === 'object') expect(ours[name], name).toMatchObject(value as object);
    }
  });

  it.each(Object.entries({ ...both, FilePool: published.FilePool }).filter(([, value]) => typeof value === 'function'))(
    'has every method and getter of %s',
    (name, value) => {
      const theirs = value as unknown as { prototype: object; length: number };
      const mine = ours[name] as { prototype: object; length: number };
      for (const [member, kind] of members(theirs.prototype)) {
        if (PRIVATE.has(member)) continue;
        const found = members(mine.prototype).get(member) ?? inherited(mine.prototype, member);
        expect(found, `${name}.${member}`).toBeDefined();
        if (kind === 'method') expect(found, `${name}.${member}`).toBe('method');
        if (kind === 'getter') expect(['getter', 'accessor'], `${name}.${member}`).toContain(found);
      }
      expect(mine.length, `parameters of ${name}`).toBeLessThanOrEqual(theirs.length);
    },
  );

  function inherited(prototype: object, member: string): string | undefined {
    const parent = Object.getPrototypeOf(prototype) as object | null;
    return parent === null ? undefined : (members(parent).get(member) ?? inherited(parent, member));
  }

  it('has tools that are tools and a package that is one', () => {
    const dir = temporaryDirectory();
    const workspace = new native.Workspace(new native.DirectoryConfiguration([{ type: native.AccessType.Write, path: dir }]));
    const bundle = new native.FileToolPackage(workspace);
    expect(bundle).toBeInstanceOf(ToolPackage);
    for (const tool of bundle.tools()) expect(tool).toBeInstanceOf(Tool);
    expect(bundle.tools().map((tool) => tool.constructor.name)).toEqual([
      'SearchEntriesTool', 'ListDirectoryTool', 'ReadFileTool', 'WriteFileTool', 'ReplaceFileLinesTool', 'InsertFileContentTool',
      'ReplaceFileContentTool', 'EntryInfoTool', 'DeleteFileTool', 'CreateFolderTool', 'MoveFileTool', 'FileAccessInfoTool', 'SwitchWorkspaceTool',
    ]);
  });

  it('has the fields that callers read and write', () => {
    const configuration = new native.DirectoryConfiguration([{ type: native.AccessType.Write, path: '/a' }]);
    for (const field of ['accesses', 'skipDirs', 'resolveSymlinks', 'workspacePath', 'precedence']) expect(Object.hasOwn(configuration, field), field).toBe(true);
    for (const field of ['maxSearchResults', 'maxDisplayEntries', 'maxTotalEntries', 'timeoutMs']) expect(Object.hasOwn(new native.SearchConfiguration(), field), field).toBe(true);
    for (const field of ['maxCharsPerFile', 'maxFileSize', 'requireReadBeforeWrite']) expect(Object.hasOwn(new native.FileConfiguration(), field), field).toBe(true);
    const workspace = new native.Workspace(configuration);
    workspace.currentPath = '/a/b';
    expect(workspace.currentPath).toBe('/a/b');
  });
});
