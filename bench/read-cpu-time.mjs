// @ts-check
import { join } from 'node:path';
import { root } from '../scripts/set-up.mjs';

/** @typedef {typeof import('../e2e/history/cpu-time.ts')} CpuTime */

/**
 * Loads the reader of processor time, which returns NaN where the system has no `/proc`. Vite compiles it, so the
 * packages must be installed first.
 */
export async function loadCpuTime() {
  const { runnerImport } = await import('vite');
  const file = join(root, 'e2e/history/cpu-time.ts');
  const { module } = /** @type {{ module: CpuTime }} */ (
    await runnerImport(file, { root, logLevel: 'warn' })
  );
  return {
    /** @param {Parameters<CpuTime['readCpuTime']>[0]} processes */
    readCpuTime: (processes) => module.readCpuTime(processes) ?? Number.NaN,
    readPostmaster: module.readPostmaster,
  };
}
