// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './set-up.mjs';

/*
 * Checks the types of every package, browser app and test. What TypeScript found out is kept in node_modules/.cache, so the
 * next check looks only at what has changed.
 */

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
const projects = ['tsconfig.json', 'tsconfig.browser.json', 'e2e/tsconfig.json'];

for (const project of projects) {
  const kept = join(root, 'node_modules/.cache', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const { status } = spawnSync(
    process.execPath,
    [compiler, '--singleThreaded', '--incremental', '--tsBuildInfoFile', kept, '-p', project],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode ||= status ?? 1;
}
