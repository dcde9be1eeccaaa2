import { type Found, isOpen, isPaid } from './check-facts.ts';
import type { FactsEntry, HistoryEntry, InvokeEntry, OutcomeEntry } from './history.ts';

/** Checks that later answers do not contradict earlier ones. */
export function checkAnswers(history: readonly HistoryEntry[], facts: FactsEntry): Found[] {
  const found: Found[] = [];
  const payments = new Map(facts.payments.map((payment) => [payment.id, payment]));
  const charged = new Set(facts.charges.map(({ intent }) => intent));
  const outcomes = new Map<number, OutcomeEntry>();
  const asked = new Map<number, { entry: InvokeEntry; at: number }>();
  /** The first answer that reported this final state of a payment or search. */
  const paidSince = new Map<string, number>();
  const cancelledSince = new Map<string, number>();
  const note = (since: Map<string, number>, id: string, at: number) => since.has(id) || since.set(id, at);
  const wasBefore = (since: Map<string, number>, id: string, at: number) => (since.get(id) ?? Infinity) < at;

  for (const [at, entry] of history.entries()) {
    if (entry.type === 'forgery' && entry.status >= 200 && entry.status < 300) {
      found.push({ rule: 'no forged webhook is taken', text: `one was answered ${entry.status}` });
    }
    if (entry.type === 'invoke') asked.set(entry.operation, { entry, at });
    if (entry.type !== 'ok' && entry.type !== 'fail' && entry.type !== 'info') continue;
    outcomes.set(entry.operation, entry);
    const began = asked.get(entry.operation);
    if (!began) continue;
    const { kind } = began.entry;
    if (entry.code === 'unexpected') {
      found.push({ rule: 'nothing fails unexpectedly', text: `operation ${entry.operation}: ${kind}` });
    }
    for (const [id, status] of Object.entries(entry.payments ?? {})) {
      const payment = payments.get(id);
      const search = payment?.searchId;
      if (!payment) {
        found.push({
          rule: 'what was answered is kept',
          text: `payment ${id} was answered and is not there`,
        });
        continue;
      }
      if (isPaid(status) ? wasBefore(cancelledSince, id, began.at) : wasBefore(paidSince, id, began.at)) {
        found.push({ rule: 'nothing goes back', text: `payment ${id} was read as ${status}`, payment: id });
      }
      if (isOpen(status) && wasBefore(cancelledSince, id, began.at)) {
        found.push({ rule: 'nothing goes back', text: `payment ${id} was read as ${status}`, payment: id });
      }
      if (isPaid(status)) {
        if (!isPaid(payment.status)) {
          found.push({
            rule: 'a success is a success',
            text: `payment ${id} ended ${payment.status}`,
            payment: id,
          });
        }
        note(paidSince, id, at);
        if (search) note(paidSince, search, at);
      }
      if (status === 'cancelled') {
        if (charged.has(payment.intent ?? '')) {
          found.push({
            rule: 'a cancelled payment is not charged',
            text: `payment ${id} was charged`,
            payment: id,
          });
        }
        note(cancelledSince, id, at);
      }
      if (kind !== 'start search payment' && kind !== 'start other payment' && kind !== 'retry') continue;
      if (search && wasBefore(paidSince, search, began.at)) {
        found.push({
          rule: 'a paid search is not paid again',
          text: `search ${search} was started again`,
          search,
        });
      }
    }
    for (const [id, status] of Object.entries(entry.searches ?? {})) {
      if (status === 'awaiting_payment' && wasBefore(paidSince, id, began.at)) {
        found.push({ rule: 'nothing goes back', text: `search ${id} was read as unpaid`, search: id });
      }
      if (status === 'paid') note(paidSince, id, at);
    }
    const isStripe = kind === 'pay' || kind === 'answer the bank';
    if (isStripe && entry.type === 'ok' && entry.code === 'succeeded') {
      const payment = payments.get(entry.payment ?? '');
      if (!payment || !isPaid(payment.status)) {
        found.push({
          rule: 'a success is a success',
          text: `the provider said that payment ${entry.payment} succeeded, and it ended ${payment?.status}`,
          ...(entry.payment ? { payment: entry.payment } : {}),
        });
      }
    }
  }
  for (const { intent, operation } of facts.charges) {
    const outcome = outcomes.get(operation);
    const paid = facts.payments.find((payment) => payment.intent === intent);
    const cardOf = asked.get(operation)?.entry.client;
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
