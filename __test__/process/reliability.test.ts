import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, type Finished } from '../clients/support/command.js';
import { packageRoot } from '../clients/support/scratch-project.js';

/** Programs that run for minutes or hours by hand; here they take a share. */
function reliability(program: string, ...args: string[]): Promise<Finished> {
  return run(process.execPath, [path.join('reliability', program), ...args], { cwd: packageRoot, timeout: 110_000 });
}

it('faults C1 C2 C3: a storm of edits of one file loses none that was acknowledged', { timeout: 120_000 }, async () => {
  const seed = String(Date.now() % 1_000_000);
  const finished = await reliability('edits.mjs', '--rounds', '40', '--saves', '60', '--seed', seed);
  expect(finished, `seed ${seed}`).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('nothing was lost') as string });
});

it('G01 to G05: nothing outside is seen or changed while names are flipped under every tool', { timeout: 120_000 }, async () => {
  const finished = await reliability('races.mjs', '--flips', '500');
  expect(finished).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing leaked') as string });
});

it('ten thousand mixed calls, some of them aborted, leave no descriptor and no thread behind', { timeout: 120_000 }, async () => {
  const program = ['--expose-gc', path.join('reliability', 'calls.mjs'), '--calls', '10000', '--seed', String(Date.now() % 1_000_000)];
  const finished = await run(process.execPath, program, { cwd: packageRoot, timeout: 110_000 });
  expect(finished, program.join(' ')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing grew') as string });
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;

describe.skipIf(!hasStrace)('L01 L02, where strace is installed', () => {
  it.each(['ENOSYS', 'EPERM'])('every attack and what must work come out the same where openat2 answers %s', { timeout: 180_000 }, async (error) => {
    const trace = ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=openat2', '-e', `inject=openat2:error=${error}`];
    const vitest = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', '__test__/containment/attacks.test.ts', '__test__/containment/legitimate.test.ts'];
    const finished = await run('strace', [...trace, ...vitest], { cwd: packageRoot, timeout: 170_000 });
    expect(finished.code, finished.stdout + finished.stderr).toBe(0);
  });
});
