import type { Violation } from './check/check-history.ts';
import type { HistoryEntry, InvokeEntry } from './history.ts';

/** The largest share of operations whose outcome may stay unknown. With more, the checker sees too little. */
export const maxUnknownShare = 0.1;

/** Summarises a history in numbers, because a run without payments or crashes proves nothing. */
export function summaryOf(history: readonly HistoryEntry[]): string {
  const count = (type: HistoryEntry['type']) => history.filter((entry) => entry.type === type).length;
  const facts = history.find((entry) => entry.type === 'facts');
  const asked = `${count('invoke')} operations (${count('ok')} ok, ${count('fail')} fail, ${count('info')} unknown)`;
  const failures = `${count('nemesis')} nemesis actions, ${count('restore')} restores, ${count('forgery')} forgeries`;
  const taken = `${facts?.charges.length ?? 0} charges, ${facts?.payments.length ?? 0} payments, ${facts?.intents.length ?? 0} intents`;
  const after = `${facts?.provider.refunds.length ?? 0} refunds, ${facts?.provider.disputes.length ?? 0} disputes`;
  return `${asked}, ${failures}; ${taken}, ${after}`;
}

/** @returns the share of operations whose outcome stayed unknown, from 0 to 1 */
export function unknownShareOf(history: readonly HistoryEntry[]): number {
  const invoked = history.filter(({ type }) => type === 'invoke').length;
  return invoked === 0 ? 0 : history.filter(({ type }) => type === 'info').length / invoked;
}

/** Formats the share of each kind of operation, and how many of each ended ok, failed or unknown. */
export function describeShares(history: readonly HistoryEntry[]): string {
  const invoked = history.filter((entry): entry is InvokeEntry => entry.type === 'invoke');
  const kinds = new Map(invoked.map(({ operation, kind }) => [operation, kind]));
  const counts = new Map<string, Record<'ok' | 'fail' | 'info', number>>();
  for (const entry of history) {
    if (entry.type !== 'ok' && entry.type !== 'fail' && entry.type !== 'info') continue;
    const kind = kinds.get(entry.operation) ?? '';
    const count = counts.get(kind) ?? { ok: 0, fail: 0, info: 0 };
    count[entry.type] += 1;
    counts.set(kind, count);
  }
  const rows = [...counts]
    .map(([kind, { ok, fail, info }]) => ({ kind, ok, fail, info, all: ok + fail + info }))
    .sort((one, other) => other.all - one.all);
  const percent = (part: number, whole: number) =>
    `${((100 * part) / (whole || 1)).toFixed(1)} %`.padStart(8);
  const line = (kind: string, cells: string[]) =>
    `${kind.padEnd(30)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  return [
    line('operation', ['share', 'ok', 'failed', 'unknown']),
    ...rows.map(({ kind, ok, fail, info, all }) =>
      line(kind, [percent(all, invoked.length), percent(ok, all), percent(fail, all), percent(info, all)]),
    ),
    `unknown outcomes: ${percent(unknownShareOf(history), 1).trim()} of ${invoked.length} operations`,
  ].join('\n');
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
