import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { projectDirectory } from './start-product.ts';

/** Runs `keyturn …` on a data directory, as an operator on the server does. */
export function runKeyturn(
  dataDirectory: string,
  args: string[],
  more: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH, KEYTURN_DATA_DIR: dataDirectory, ...more };
  const command = join(projectDirectory, 'apps/server/bin/keyturn.mjs');
  return new Promise((done) =>
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    ),
  );
}
