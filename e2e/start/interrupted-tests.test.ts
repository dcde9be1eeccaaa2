import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runSteps } from '../../scripts/run-tests.mjs';
import { isAlive } from '../../scripts/set-up.mjs';
import { projectDirectory } from '../harness/start-product.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder();
// PostgreSQL runs as another user when the tests run as root.
chmodSync(folder, 0o711);

test('Ctrl-C during npm test leaves no PostgreSQL and no temporary files behind', async () => {
  const run = spawn(
    process.execPath,
    [join(projectDirectory, 'scripts/test.mjs'), '--project', 'unit', 'case-file/milestones'],
    { cwd: projectDirectory, env: { ...process.env, TMPDIR: folder }, stdio: 'ignore' },
  );
  const exited = new Promise((resolve) => run.once('exit', resolve));
  let running: number[] = [];
  try {
    await expect.poll(() => (running = findPostgres()), { timeout: 120_000 }).toHaveLength(1);
  } finally {
    run.kill('SIGINT');
  }
  expect(await exited).toBe(130);
  await expect.poll(() => isAlive(running[0] as number)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
}, 300_000);

test('Ctrl-C during a step of npm run test:long starts no further step', async () => {
  const ran: number[] = [];
  const step = (status: number) => () => Promise.resolve(status).finally(() => ran.push(status));
  expect(await runSteps([step(0), step(1), step(0)])).toBe(1);
  expect(await runSteps([step(1), step(130), step(0)])).toBe(130);
  expect(ran).toEqual([0, 1, 0, 1, 130]);
});

/** The process ids of the PostgreSQL servers whose data is in the folder. */
function findPostgres(): number[] {
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('postmaster.pid'))
      .map((file) => Number(readFileSync(join(folder, file), 'utf8').split('\n')[0]))
      // While a database is created, the file is empty or contains a negative number.
      .filter((pid) => pid > 1)
  );
}
