import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../harness/start-product.ts';
import { checkHistory, type Violation } from './check/check-history.ts';
import {
  describeShares,
  describeViolations,
  maxUnknownShare,
  summaryOf,
  unknownShareOf,
} from './describe-history.ts';
import { type HistoryEntry, readHistory, writeHistory } from './history.ts';
import { runHistory } from './run-history.ts';

export interface TestHistoryOptions {
  seed: number;
  operations: number;
  clients: number;
  /** A saved history to check, and to repeat the run of. */
  replay?: string | undefined;
  /** A saved history to check. */
  check?: string | undefined;
  /** Saves the history even if it has no violations. */
  keep?: boolean | undefined;
}

/** Runs clients against the nemesis and prints the violations found. @returns whether there are none */
export async function testHistory(options: TestHistoryOptions): Promise<boolean> {
  const kept = options.check ?? options.replay;
  let run = { seed: options.seed, operations: options.operations, clients: options.clients };
  if (kept) {
    const history = readHistory(kept);
    console.log(`${kept} as saved: ${summaryOf(history)}`);
    const violations = checkHistory(history);
    printViolations(violations);
    if (options.check) return violations.length === 0;
    const first = history[0];
    if (first?.type !== 'run') throw new Error(`${kept} does not start with its seed`);
    run = first;
  }
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  console.log(`seed ${run.seed}: ${run.operations} operations of ${run.clients} clients`);
  let errors: string[] = [];
  const history = await runHistory({
    ...run,
    errors: (lines) => {
      errors = lines;
    },
    progress: (text) => console.log(`  ${seconds()}: ${text}`),
  });
  const violations = checkHistory(history);
  console.log(`seed ${run.seed}: ${summaryOf(history)}, in ${seconds()}`);
  console.log(describeShares(history));
  printViolations(violations);
  if (violations.length > 0 || options.keep) {
    console.log(`saved in ${keepHistory(run.seed, history, errors)}`);
  }
  const seesEnough = unknownShareOf(history) <= maxUnknownShare;
  if (!seesEnough) console.log('too many outcomes are unknown: the checker sees too little');
  return violations.length === 0 && seesEnough;
}

/** Saves a history. @returns the file, named after the seed */
export function keepHistory(
  seed: number,
  history: readonly HistoryEntry[],
  errors: readonly string[] = [],
): string {
  const folder = join(projectDirectory, '.keyturn', 'histories');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `seed-${seed}.jsonl`);
  writeHistory(file, history);
  // The file includes the errors that the servers logged.
  writeFileSync(file.replace(/jsonl$/, 'log'), errors.join('\n'));
  return file;
}

function printViolations(violations: readonly Violation[]) {
  if (violations.length === 0) return console.log('no violations');
  console.log(describeViolations(violations));
  console.log(`${violations.length} violations`);
}
