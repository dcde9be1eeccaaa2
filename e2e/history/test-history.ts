import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../harness/start-product.ts';
import { checkHistory, type Violation } from './check-history.ts';
import { type HistoryEntry, readHistory, writeHistory } from './history.ts';
import { runHistory } from './run-history.ts';

export interface TestHistoryOptions {
  seed: number;
  operations: number;
  clients: number;
  /** A saved history to check, and whose run to repeat. */
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
    tell(violations);
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
  tell(violations);
  if (violations.length > 0 || options.keep) {
    console.log(`saved in ${keepHistory(run.seed, history, errors)}`);
  }
  return violations.length === 0;
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
  // With the errors that the servers logged.
  writeFileSync(file.replace(/jsonl$/, 'log'), errors.join('\n'));
  return file;
}

/** Counts the entries, because a run without payments or crashes proves nothing. */
export function summaryOf(history: readonly HistoryEntry[]): string {
  const count = (type: HistoryEntry['type']) => history.filter((entry) => entry.type === type).length;
  const facts = history.find((entry) => entry.type === 'facts');
  const asked = `${count('invoke')} operations (${count('ok')} ok, ${count('fail')} fail, ${count('info')} unknown)`;
  const taken = `${facts?.charges.length ?? 0} charges, ${facts?.payments.length ?? 0} payments, ${facts?.intents.length ?? 0} intents`;
  return `${asked}, ${count('nemesis')} nemesis actions, ${count('forgery')} forgeries; ${taken}`;
}

/** Describes violations with the operations that led to them. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .slice(0, 20)
    .map(({ rule, text, entries }) =>
      [`VIOLATION of ${rule}: ${text}`, ...entries.map((entry) => `    ${JSON.stringify(entry)}`)].join('\n'),
    )
    .join('\n');
}

function tell(violations: readonly Violation[]) {
  if (violations.length === 0) return console.log('no violations');
  console.log(describeViolations(violations));
  console.log(`${violations.length} violations`);
}
