// @ts-check
import { once } from 'node:events';
import { rmSync } from 'node:fs';

/**
 * Ends the processes of a benchmark, waits for them, and removes its folder.
 * @param {import('node:child_process').ChildProcess[]} started
 * @param {string} folder
 */
export async function endProcesses(started, folder) {
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(
    started.map(async (child) => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }),
  );
  rmSync(folder, { recursive: true, force: true });
}
