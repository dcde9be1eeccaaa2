// @ts-check
import { join } from 'node:path';
import { install, requireNode, root } from './set-up.mjs';

/* Regenerates demo/firm.json and demo/documents from their sources in demo/. */

requireNode();
install();
const { runnerImport } = await import('vite');
const { module } = await runnerImport(join(root, 'demo/make-demonstration.ts'), { root, logLevel: 'warn' });
await module.makeDemonstration(join(root, 'demo'));
console.log('Wrote demo/firm.json and demo/documents');
