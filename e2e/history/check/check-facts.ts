import { paymentTransitions } from '../../../apps/server/src/payments/records/payment-states.ts';
import type { FactsEntry, PaymentFact } from '../history.ts';

/**
 * Checks that the product's records and the provider's agree about payments at the end.
 * @param wasRestored whether a backup was restored during the run
 */
export function checkFacts(facts: FactsEntry, wasRestored: boolean): Found[] {
  return [
    ...checkMoney(facts, wasRestored),
    ...checkRecord(facts),
    ...checkReceipts(facts),
    ...checkIntents(facts, wasRestored),
  ];
}

/** A violation, with the records it concerns. */
export interface Found {
  rule: string;
  text: string;
  payment?: string;
  search?: string | null;
}

export const isPaid = (status: string) =>
  status === 'succeeded' || status === 'partially_refunded' || status === 'refunded';
export const isOpen = (status: string) => status !== 'cancelled' && !isPaid(status);

/** Checks that all captured money is recorded and nothing is paid for twice. */
function checkMoney({ payments, charges, searches, changes }: FactsEntry, wasRestored: boolean): Found[] {
  const found: Found[] = [];
  const ofIntent = new Map(payments.map((payment) => [payment.intent, payment]));
  const chargesFor = new Map<string, number[]>();
  for (const { intent, amount } of charges) {
    const payment = ofIntent.get(intent);
    if (!payment) {
      found.push({ rule: 'every charge is recorded', text: `${intent} was charged and no payment has it` });
      continue;
    }
    if (!isPaid(payment.status) || payment.amount !== amount) {
      found.push({
        rule: 'every charge is recorded',
        text: `${intent} was charged ${amount}, and payment ${payment.id} of ${payment.amount} is ${payment.status}`,
        payment: payment.id,
      });
    }
    if (payment.searchId)
      chargesFor.set(payment.searchId, [...(chargesFor.get(payment.searchId) ?? []), amount]);
  }
  for (const { id, price, status } of searches) {
    const amounts = chargesFor.get(id) ?? [];
    const taken = amounts.reduce((sum, amount) => sum + amount, 0);
    // The feed may change a price while a restored database lacks the payment.
    if (amounts.length > 1 || (taken > price && !wasRestored)) {
      found.push({
        rule: 'nothing is paid for twice',
        text: `${taken} of ${price} was taken for ${id}`,
        search: id,
      });
    }
    if (taken > 0 !== (status === 'paid')) {
      found.push({
        rule: 'a search with a successful payment is paid',
        text: `${taken} was taken for ${id}, which is ${status}`,
        search: id,
      });
    }
  }
  const charged = new Map(charges.map((charge) => [charge.intent, charge]));
  const recorded = new Map<string, number>();
  for (const { payment, money } of changes) recorded.set(payment, (recorded.get(payment) ?? 0) + money);
  for (const payment of payments) {
    if (isPaid(payment.status) && !charged.has(payment.intent ?? '')) {
      found.push({
        rule: 'every recorded payment was charged',
        text: `payment ${payment.id} is ${payment.status}, and its intent was never charged`,
        payment: payment.id,
      });
    }
    const held = isPaid(payment.status) ? payment.amount - payment.refundedAmount : 0;
    if ((recorded.get(payment.id) ?? 0) !== held) {
      found.push({
        rule: "the record's money sums",
        text: `payment ${payment.id} holds ${held}, and its record says ${recorded.get(payment.id)}`,
        payment: payment.id,
      });
    }
  }
  return found;
}

/** Checks that recorded changes follow the transition table without gaps, and that each event has one effect. */
function checkRecord({ payments, changes, events }: FactsEntry): Found[] {
  const found: Found[] = [];
  const standsAt = new Map<string, string | null>();
  const effects = new Set<string>();
  for (const { payment, from, to, event, money, refund } of changes) {
    const before = standsAt.get(payment) ?? null;
    const moves: Record<string, object> = paymentTransitions;
    const isLegal =
      from === null ? to === 'requires_payment_method' : from === to || to in (moves[from] ?? {});
    if (from !== before || !isLegal) {
      found.push({
        rule: 'states follow the transition table',
        text: `payment ${payment} went from ${from} (it was ${before}) to ${to}`,
        payment,
      });
    }
    standsAt.set(payment, to);
    if (event === null || (from === to && money === 0)) continue;
    // One event can be the reason why several refunds are read, of which each has changed.
    const effect = `${event} ${from} ${to} ${refund}`;
    if (effects.has(effect)) {
      found.push({ rule: 'each event is applied once', text: `${event} moved ${payment} twice`, payment });
    }
    effects.add(effect);
  }
  for (const { id, status } of payments) {
    if (standsAt.get(id) !== status) {
      found.push({
        rule: 'states follow the transition table',
        text: `payment ${id} is ${status}, and its record ends at ${standsAt.get(id)}`,
        payment: id,
      });
    }
  }
  for (const { id, outcome } of events) {
    if (outcome === null)
      found.push({ rule: 'each event is applied once', text: `event ${id} was never applied` });
  }
  return found;
}

/** Checks that each successful payment has one receipt number, without gaps from 1, and one history entry. */
function checkReceipts({ payments, receiptCounters, cases }: FactsEntry): Found[] {
  const found: Found[] = [];
  const numbers = new Map<string, number[]>();
  const paidOf = new Map<string, number>();
  for (const payment of payments) {
    if (!isPaid(payment.status)) continue;
    paidOf.set(payment.caseId, (paidOf.get(payment.caseId) ?? 0) + 1);
    const [, year = '', number = ''] = /^R-(\d{4})-(\d{6})$/.exec(payment.receiptNumber ?? '') ?? [];
    numbers.set(year, [...(numbers.get(year) ?? []), Number(number)]);
  }
  for (const [year, given] of numbers) {
    const inOrder = given.sort((one, other) => one - other);
    if (inOrder.some((number, index) => number !== index + 1) || receiptCounters[year] !== given.length) {
      found.push({
        rule: 'receipt numbers have no gaps',
        text: `receipts of ${year || 'no year'}: ${given.length} given, the last ${inOrder.at(-1)}, counted ${receiptCounters[year]}`,
      });
    }
  }
  const entriesByCase = new Map(cases.map(({ id, historyEntries }) => [id, historyEntries]));
  for (const id of new Set([...entriesByCase.keys(), ...paidOf.keys()])) {
    if (entriesByCase.get(id) !== paidOf.get(id)) {
      found.push({
        rule: 'each payment has one history entry',
        text: `case ${id} has ${entriesByCase.get(id) ?? 0} entries and ${paidOf.get(id) ?? 0} payments`,
      });
    }
  }
  return found;
}

/** Milliseconds. */
const expiry = 90 * 60_000;

/**
 * Checks that intents and payments match and none stays open. An intent whose creation was never answered and that was
 * replaced by another belongs to no payment, nor does an unpaid one whose payment a restore has lost; nothing may have
 * happened to either.
 */
function checkIntents({ intents, payments, charges, now }: FactsEntry, wasRestored: boolean): Found[] {
  const found: Found[] = [];
  const known = new Map(payments.map((payment) => [payment.id, payment]));
  const atProvider = new Map(intents.map((intent) => [intent.id, intent]));
  const charged = new Set(charges.map(({ intent }) => intent));
  for (const intent of intents) {
    const payment = known.get(intent.payment ?? '');
    if (!payment) {
      if (wasRestored && intent.status === 'cancelled') continue;
      found.push({ rule: 'every intent belongs to a payment', text: `${intent.id} names ${intent.payment}` });
    } else if (payment.intent !== intent.id && (charged.has(intent.id) || payment.intent === null)) {
      found.push({
        rule: 'every intent belongs to a payment',
        text: `${intent.id} is for ${payment.id}, which has ${payment.intent}`,
        payment: payment.id,
      });
    }
    const age = Date.parse(now) - Date.parse(intent.created);
    if (isOpen(intent.status) && age > expiry && payment?.intent === intent.id) {
      found.push({
        rule: 'no intent stays open',
        text: `${intent.id} is ${intent.status} after ${Math.round(age / 60_000)} minutes`,
        payment: payment.id,
      });
    }
  }
  for (const payment of payments) {
    const intent = atProvider.get(payment.intent ?? '');
    if (!agree(payment, intent)) {
      found.push({
        rule: 'every payment has its intent',
        text: `payment ${payment.id} is ${payment.status}, its intent ${payment.intent} by ${intent?.method} ${intent?.status}`,
        payment: payment.id,
      });
    }
  }
  return found;
}

function agree(payment: PaymentFact, intent: FactsEntry['intents'][number] | undefined): boolean {
  if (!intent) return false;
  const status = isPaid(payment.status) ? 'succeeded' : payment.status;
  return (
    intent.status === status &&
    intent.method === payment.method &&
    intent.amount === payment.amount &&
    intent.refundedAmount === payment.refundedAmount
  );
}
