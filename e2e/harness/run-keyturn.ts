import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectDirectory } from './start-product.ts';

/**
 * Runs `keyturn …` on a data directory, as an operator on the server does.
 * @param version the folder of another version
 */
export function runKeyturn(
  dataDirectory: string,
  args: string[],
  more: NodeJS.ProcessEnv = {},
  version = projectDirectory,
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, KEYTURN_DATA_DIR: dataDirectory, ...more };
  const command = join(version, 'apps/server/bin/keyturn.mjs');
  return new Promise((done) =>
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    ),
  );
}

/**
 * Ends the maintenance of an area, and waits until the server responds again, because it reads the state only every
 * few seconds.
 */
export async function endMaintenance(
  { url, dataDirectory }: { url: string; dataDirectory: string },
  area: 'general' | 'case-history' = 'general',
): Promise<void> {
  await runKeyturn(dataDirectory, ['maintenance', 'off', '--area', area]);
  const part = area === 'general' ? 'general' : 'case_history';
  while ((await (await fetch(`${url}/api/maintenance`)).json()).data[part] !== null) await pause(100);
}
