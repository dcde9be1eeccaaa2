// @ts-check
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Knip takes what a package exports as used. The packages of this workspace export every file (`"./*"`), so it would report
 * none of them. `npm run check:unused` loads this first: Knip then reads their package.json without those exports, and looks
 * for an import of each file.
 */

const { readFile } = promises;
const exportsEveryFile = /"\.\/\*": "\.\/src\/\*(\.ts)?"/;
promises.readFile = /** @type {typeof readFile} */ (
  async (/** @type {Parameters<typeof readFile>} */ ...parameters) => {
    const content = await readFile(...parameters);
    if (!String(parameters[0]).endsWith('package.json')) return content;
    return String(content).replace(exportsEveryFile, '"./package.json": "./package.json"');
  }
);
syncBuiltinESMExports();
