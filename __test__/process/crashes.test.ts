import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../clients/support/command.js';
import { packageRoot } from '../clients/support/scratch-project.js';
import { isRoot } from '../support/tree.js';

/** Each takes a share of the cycles that are run by hand. */
const timeout = 170_000;

const can = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0;
const canTrace = process.platform === 'linux' && can('strace', '-o', '/dev/null', 'true');
const canLoop = isRoot && process.platform === 'linux' && can('mkfs.ext4', '-V') && can('losetup', '--find');

async function expectWhole(program: string, cycles: number, last: string): Promise<void> {
  const seed = String(Date.now() % 1_000_000);
  const args = [path.join('reliability', program), '--cycles', String(cycles), '--seed', seed];
  const finished = await run(process.execPath, args, { cwd: packageRoot, timeout: timeout - 10_000 });
  expect(finished, `seed ${seed}`).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(last) as string });
}

it.skipIf(process.platform === 'win32')('faults D1 D2: kill -9 leaves one whole version (not on Windows, which has no signals)', { timeout }, () =>
  expectWhole('kill.mjs', 30, 'one whole version after every kill')
);

it.skipIf(!canLoop)('faults D1 D2: a power cut leaves one whole version (takes root, mkfs.ext4 and a loop device)', { timeout }, () =>
  expectWhole('power-cut.mjs', 5, 'one whole version after every power cut')
);

it.skipIf(!canTrace)('faults D1 D2: a failing system call leaves the old or the new (takes strace)', { timeout }, () =>
  expectWhole('faults.mjs', 100, 'old or new after every fault')
);
