import type { FactsEntry, HistoryEntry, InvokeEntry, OutcomeEntry } from '../history.ts';
import type { Found } from './check-facts.ts';

/** Checks each charge against the operation that sent its card. */
export function checkCharges(history: readonly HistoryEntry[], facts: FactsEntry): Found[] {
  const found: Found[] = [];
  const asked = new Map<number, InvokeEntry>();
  const outcomes = new Map<number, OutcomeEntry>();
  for (const entry of history) {
    if (entry.type === 'invoke') asked.set(entry.operation, entry);
    if (entry.type === 'ok' || entry.type === 'fail' || entry.type === 'info') {
      outcomes.set(entry.operation, entry);
    }
  }
  for (const { intent, operation } of facts.charges) {
    const outcome = outcomes.get(operation);
    const paid = facts.payments.find((payment) => payment.intent === intent);
    const cardOf = asked.get(operation)?.client;
    if (paid && cardOf !== undefined && paid.payer !== cardOf) {
      found.push({
        rule: 'the payer is the client whose card was charged',
        text: `payment ${paid.id} names client ${paid.payer}, and client ${cardOf} entered the card`,
        payment: paid.id,
      });
    }
    if (outcome && outcome.type !== 'fail') continue;
    found.push({
      rule: 'a failure is not charged',
      text: `${intent} was charged by operation ${operation}, which ended ${outcome?.type} ${outcome?.code ?? ''}`,
      ...(paid ? { payment: paid.id } : {}),
    });
  }
  return found;
}
