import { expect, it } from 'vitest';
import { Workspace } from '../index.js';
import { read, temporaryTree } from './support/tree.js';

/** A workspace whose methods take anything. */
type Untyped = Record<string, (...args: unknown[]) => Promise<unknown>>;

function on(): { dir: string; workspace: Untyped } {
  const dir = temporaryTree({ 'a.txt': 'one\ntwo\n' });
  return { dir, workspace: new Workspace({ accesses: [{ type: 'write', path: dir }] }) as unknown as Untyped };
}

/** Every method that takes options, with fitting arguments before them. */
const methods: Record<string, unknown[]> = {
  readText: ['a.txt'],
  writeText: ['a.txt', 'x'],
  edit: ['a.txt', { kind: 'insert', content: 'x' }],
  list: ['.'],
  search: [{ content: 'one' }],
  info: ['a.txt'],
  remove: ['a.txt'],
  rename: ['a.txt', 'b.txt'],
  createDirectory: ['d'],
};

it.each(Object.entries(methods))('%s refuses options that are none', async (name, args) => {
  const { dir, workspace } = on();
  const wrong = [null, 'x', { signal: 'x' }, { signal: null }, { limits: 7 }, { pool: {} }, { pool: 'x' }];
  for (const options of wrong) {
    await expect(workspace[name]!(...args, options), JSON.stringify(options)).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  }
  expect(read(dir, 'a.txt')).toBe('one\ntwo\n');
});

it.each([
  ['readText', ['a.txt', { startLine: 'a' }]],
  ['readText', ['a.txt', { endLine: null }]],
  ['readText', ['a.txt', { maxChars: 'x' }]],
  ['list', ['.', { maxEntries: 'x' }]],
  ['list', ['.', { recursive: 1 }]],
  ['remove', ['a.txt', { recursive: 'false' }]],
  ['writeText', ['a.txt', 'x', { createOnly: 1 }]],
  ['edit', ['a.txt', { kind: 'insert', content: 'x' }, { dryRun: 1 }]],
  ['edit', ['a.txt', { kind: 'replaceContent', oldContent: 'one', content: 'x', all: 'false' }]],
  ['edit', ['a.txt', undefined]],
  ['edit', ['a.txt', [null]]],
  ['edit', ['a.txt', 'x']],
  ['edit', ['a.txt', { kind: 'insert' }]],
  ['edit', ['a.txt', { kind: 'insert', content: 'x', line: '1' }]],
  ['edit', ['a.txt', { kind: 'replaceLines', content: 'x' }]],
  ['edit', ['a.txt', { kind: 'replaceLines', content: 'x', startLine: 1, endLine: '2' }]],
  ['edit', ['a.txt', { kind: 'replaceContent', content: 'x' }]],
] as [string, unknown[]][])('%s of %j is refused for its type', async (name, args) => {
  const { dir, workspace } = on();
  await expect(workspace[name]!(...args)).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' });
  expect(read(dir, 'a.txt')).toBe('one\ntwo\n');
});

it('edit refuses a kind that there is none, and half of a character', async () => {
  const { workspace } = on();
  const refused = { name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' };
  await expect(workspace.edit!('a.txt', { kind: 'append', content: 'x' })).rejects.toMatchObject(refused);
  await expect(workspace.edit!('a.txt', { kind: 'replaceContent', oldContent: '\ud800', content: 'x' })).rejects.toMatchObject(refused);
  await expect(workspace.readText!('a.txt', { startLine: Number.NaN })).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' });
});

it.each([{ resolveSymLinks: true }, { precedence: 'first' }, { accesses: [{ type: 'Read', path: '/' }] }])('a plain configuration with %j is refused', (more) => {
  const config = { accesses: [{ type: 'read', path: '/' }], ...more } as unknown as ConstructorParameters<typeof Workspace>[0];
  expect(() => new Workspace(config)).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_VALUE' }));
});

it('explain refuses a right that there is none', () => {
  const { workspace } = on();
  expect(() => workspace.explain!('a.txt', 'Write')).toThrow(expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }));
});
