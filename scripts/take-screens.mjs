// @ts-check
import { join, resolve } from 'node:path';
import { build, install, requireNode, root } from './set-up.mjs';

/* Photographs the screens of the demonstration into docs/screens, or into the folder that is named. */

requireNode();
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/harness/take-screens.ts'), { root, logLevel: 'warn' });
await module.takeScreens(resolve(process.argv[2] ?? join(root, 'docs/screens')));
