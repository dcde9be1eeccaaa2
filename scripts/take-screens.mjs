// @ts-check
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, requireNode, root } from './set-up.mjs';

/*
 * Takes screenshots of the demonstration into docs/screens and writes docs/screens.md. With a folder as argument, it takes
 * whole pages in every size and colour scheme into that folder instead. `--only WORD` limits it to screens with that word
 * in their name.
 */

requireNode();
const { values, positionals } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [folder] = positionals;
install();
build();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'e2e/harness/take-screens.ts'), { root, logLevel: 'warn' });
await module.takeScreens({
  folder: resolve(folder ?? join(root, 'docs/screens')),
  everything: folder !== undefined,
  only: values.only,
});
