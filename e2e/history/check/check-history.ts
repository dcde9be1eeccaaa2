import type { HistoryEntry } from '../history.ts';
import { checkAnswers } from './check-answers.ts';
import { checkCharges } from './check-charges.ts';
import { checkFacts } from './check-facts.ts';
import { checkMovements } from './check-movements.ts';
import { checkScreens } from './check-screens.ts';

/** A violation of the rules, with the operations that led to it. */
export interface Violation {
  rule: string;
  text: string;
  entries: HistoryEntry[];
}

/**
 * Checks a history for violations. It knows nothing about the implementation: only the requests, the answers and the
 * final state.
 */
export function checkHistory(history: readonly HistoryEntry[]): Violation[] {
  const facts = history.find((entry) => entry.type === 'facts');
  if (!facts) return [{ rule: 'complete', text: 'the history ends without facts', entries: [] }];
  const found = [
    ...checkFacts(
      facts,
      history.some(({ type }) => type === 'restore'),
    ),
    ...checkScreens(facts),
    ...checkMovements(history, facts),
    ...checkAnswers(history, facts),
    ...checkCharges(history, facts),
  ];
  return found.map(({ payment, search, ...violation }) => ({
    ...violation,
    entries: entriesAbout(history, payment, search),
  }));
}

/** The operations on a payment or search in order, with the nemesis's actions between them. */
function entriesAbout(
  history: readonly HistoryEntry[],
  payment: string | undefined,
  search: string | null | undefined,
): HistoryEntry[] {
  if (!payment && !search) return [];
  const operations = new Set<number>();
  for (const entry of history) {
    if (entry.type === 'invoke') {
      const { asked } = entry;
      if ((payment && asked.payment === payment) || (search && asked.search === search)) {
        operations.add(entry.operation);
      }
    } else if ('operation' in entry && payment && entry.payment === payment) {
      operations.add(entry.operation);
    }
  }
  const isAbout = (entry: HistoryEntry) => 'operation' in entry && operations.has(entry.operation);
  const first = history.findIndex(isAbout);
  const last = history.findLastIndex(isAbout);
  return history.filter(
    (entry, index) => isAbout(entry) || (isFailure(entry) && index > first && index < last),
  );
}

const isFailure = ({ type }: HistoryEntry) => type === 'nemesis' || type === 'restore' || type === 'recovery';
