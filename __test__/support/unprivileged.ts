import { execFileSync, spawnSync } from 'node:child_process';
import { isRoot } from './tree.js';

const ENTRY = new URL('../../index.js', import.meta.url);
const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups', '--'];

function command(program: string, args: readonly string[]): [string, string[]] {
  return isRoot ? ['setpriv', [...NOBODY, program, ...args]] : [program, [...args]];
}

/**
 * Whether a process bound by permission bits can load this package: tests of EACCES need one, and root is
 * bound by none.
 */
export const canRunUnprivileged = ((): boolean => {
  const [program, args] = command(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(ENTRY.href)})`]);
  return spawnSync(program, args, { stdio: 'ignore', cwd: '/' }).status === 0;
})();

/**
 * Runs `body`, the text of an async function of (`api`, `input`), in a process without privileges and gives what it
 * returns. `api` is the public entry; `input` and the result go through JSON.
 */
export function unprivileged<T>(body: string, input: unknown): T {
  const script = `
    const api = await import(${JSON.stringify(ENTRY.href)});
    const run = async (api, input) => {${body}};
    process.stdout.write(JSON.stringify(await run(api, ${JSON.stringify(input)})));
  `;
  const [program, args] = command(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(execFileSync(program, args, { encoding: 'utf8', cwd: '/' })) as T;
}

/** The start of a body that runs tools: `tool(name, args)` gives the results of one call on `input.dir`. */
export const TOOLS = `
  const workspace = new api.Workspace(new api.DirectoryConfiguration([{ type: 'write', path: input.dir }]));
  const file = new api.FileConfiguration(undefined, undefined, false);
  const bundle = new api.FileToolPackage(workspace, new api.SearchConfiguration(), file).tools();
  const tool = async (name, args) => (await bundle.find((each) => each.name === name).execute(args))
    .map(({ result, status }) => status + ': ' + result);
`;
