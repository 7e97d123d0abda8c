import * as path from 'node:path';
import { expect, it } from 'vitest';
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
