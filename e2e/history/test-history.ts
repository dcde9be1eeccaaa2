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
  /** A kept history: checked as it is, and its course run again. */
  replay?: string | undefined;
  /** A kept history: checked as it is, and that is all. */
  check?: string | undefined;
  /** Keeps the history of a run that went well, too. */
  keep?: boolean | undefined;
}

/** Runs clients against the nemesis and says what it found. @returns whether all was well */
export async function testHistory(options: TestHistoryOptions): Promise<boolean> {
  const kept = options.check ?? options.replay;
  let run = { seed: options.seed, operations: options.operations, clients: options.clients };
  if (kept) {
    const history = readHistory(kept);
    console.log(`${kept} as it was kept: ${summaryOf(history)}`);
    const violations = checkHistory(history);
    tell(violations);
    if (options.check) return violations.length === 0;
    const first = history[0];
    if (first?.type !== 'run') throw new Error(`${kept} does not begin with its seed`);
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
    console.log(`kept in ${keepHistory(run.seed, history, errors)}`);
  }
  return violations.length === 0;
}

/** @returns the file, which names the seed */
export function keepHistory(
  seed: number,
  history: readonly HistoryEntry[],
  errors: readonly string[] = [],
): string {
  const folder = join(projectDirectory, '.keyturn', 'histories');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `seed-${seed}.jsonl`);
  writeHistory(file, history);
  // Beside it, what the servers complained of.
  writeFileSync(file.replace(/jsonl$/, 'log'), errors.join('\n'));
  return file;
}

/** How many of each: a run in which nothing was paid, or nothing broke, would prove nothing. */
export function summaryOf(history: readonly HistoryEntry[]): string {
  const count = (type: HistoryEntry['type']) => history.filter((entry) => entry.type === type).length;
  const facts = history.find((entry) => entry.type === 'facts');
  const asked = `${count('invoke')} operations (${count('ok')} ok, ${count('fail')} fail, ${count('info')} unknown)`;
  const taken = `${facts?.charges.length ?? 0} charges, ${facts?.payments.length ?? 0} payments, ${facts?.intents.length ?? 0} intents`;
  return `${asked}, ${count('nemesis')} deeds of the nemesis, ${count('forgery')} forgeries; ${taken}`;
}

/** Violations with the operations that led to them. */
export function describeViolations(violations: readonly Violation[]): string {
  return violations
    .slice(0, 20)
    .map(({ rule, text, entries }) =>
      [`NOT SO: ${rule}: ${text}`, ...entries.map((entry) => `    ${JSON.stringify(entry)}`)].join('\n'),
    )
    .join('\n');
}

function tell(violations: readonly Violation[]) {
  if (violations.length === 0) return console.log('all is as it must be');
  console.log(describeViolations(violations));
  console.log(`${violations.length} violations`);
}
