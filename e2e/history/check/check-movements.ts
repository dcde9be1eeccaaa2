import type {
  DisputeFact,
  FactsEntry,
  HistoryEntry,
  MovementFact,
  PaymentFact,
  RefundFact,
} from '../history.ts';
import { type Found, isPaid } from './check-facts.ts';

/** Checks that the ledger, the provider's balance and the record of payments, refunds and disputes are the same. */
export function checkMovements(history: readonly HistoryEntry[], facts: FactsEntry): Found[] {
  const { record, provider } = facts;
  const payments = new Map(facts.payments.map((payment) => [payment.intent, payment]));
  const paymentOf = (intent: string | null) => payments.get(intent)?.id;
  return [
    ...compare(
      'the ledger has every movement',
      record.movements,
      provider.movements,
      movementText,
      paymentOf,
    ),
    ...compare('every refund is recorded', record.refunds, provider.refunds, refundText, paymentOf),
    ...compare('every dispute is recorded', record.disputes, provider.disputes, disputeText, paymentOf),
    ...compare(
      'every fraud warning is recorded',
      record.warnings,
      provider.warnings,
      ({ intent }) => intent,
      paymentOf,
    ),
    ...checkReviews(facts),
    ...facts.payments.flatMap((payment) => checkPayment(payment, facts)),
    ...checkRefundAnswers(history, facts),
    ...checkCommands(facts),
  ];
}

/** Compares two records of the same things. */
function compare<Thing extends { id: string; intent: string | null }>(
  rule: string,
  recorded: readonly Thing[],
  atProvider: readonly Thing[],
  describe: (thing: Thing) => string,
  paymentOf: (intent: string | null) => string | undefined,
): Found[] {
  const found: Found[] = [];
  const known = new Map(recorded.map((thing) => [thing.id, thing]));
  const report = (id: string, intent: string | null, text: string) => {
    const payment = paymentOf(intent);
    found.push({ rule, text: `${id}: ${text}`, ...(payment ? { payment } : {}) });
  };
  for (const thing of atProvider) {
    const row = known.get(thing.id);
    known.delete(thing.id);
    if (row && describe(row) === describe(thing)) continue;
    const text = row ? `recorded as ${describe(row)}` : 'not recorded';
    report(thing.id, thing.intent, `${describe(thing)} at the provider, ${text}`);
  }
  for (const row of known.values())
    report(row.id, row.intent, `recorded as ${describe(row)}, not at the provider`);
  if (new Set(recorded.map(({ id }) => id)).size < recorded.length) {
    found.push({ rule, text: 'something is recorded twice' });
  }
  return found;
}

const movementText = ({ kind, amount, fee, intent }: MovementFact) =>
  `${kind} ${amount}, fee ${fee}, ${intent}`;
const refundText = ({ amount, status, intent }: RefundFact) => `${status} ${amount}, ${intent}`;
const disputeText = ({ amount, status, outcome, isInquiry, taken, intent }: DisputeFact) =>
  `${isInquiry ? 'inquiry' : 'dispute'} ${status} ${outcome} ${amount}, ${taken} taken, ${intent}`;

/** Stripe lists open reviews only, so a review that was opened and closed between two lookups is never recorded. */
function checkReviews({ record, provider }: FactsEntry): Found[] {
  const known = new Map(record.reviews.map((review) => [review.id, review]));
  return provider.reviews.flatMap(({ id, isOpen }) => {
    const recorded = known.get(id)?.isOpen ?? false;
    if (recorded === isOpen) return [];
    const text = `${id} is ${isOpen ? 'open' : 'closed'}, and recorded as ${recorded ? 'open' : 'closed'}`;
    return [{ rule: 'every review is recorded', text }];
  });
}

const refunding: ReadonlySet<string> = new Set(['pending', 'requires_action', 'succeeded']);
const sumOf = (things: readonly { amount: number }[]) => things.reduce((sum, { amount }) => sum + amount, 0);

/**
 * Checks that the amounts of a payment are the sums of its refunds and of its movements, and that it shows its latest
 * dispute.
 */
function checkPayment(
  { id, intent, status, amount, refundedAmount, dispute }: PaymentFact,
  { record, provider }: FactsEntry,
): Found[] {
  const found: Found[] = [];
  const held = isPaid(status) ? amount - refundedAmount : 0;
  const ofPayment = <Thing extends { intent: string | null }>(things: readonly Thing[]) =>
    intent === null ? [] : things.filter((thing) => thing.intent === intent);
  const moved = sumOf(ofPayment(provider.movements).filter(({ kind }) => capturing.has(kind)));
  if (moved !== held) {
    const text = `payment ${id} holds ${held}, and the provider moved ${moved} for it`;
    found.push({ rule: 'the ledger agrees with the record', text, payment: id });
  }
  const refunded = sumOf(ofPayment(record.refunds).filter((refund) => refunding.has(refund.status)));
  if (refunded !== refundedAmount) {
    const text = `payment ${id} has ${refundedAmount} refunded, and its refunds are ${refunded}`;
    found.push({ rule: 'the ledger agrees with the record', text, payment: id });
  }
  const disputes = ofPayment(provider.disputes);
  if (disputes.length > 0 && !disputes.some((each) => shownStatus(each) === dispute)) {
    const text = `payment ${id} shows the dispute ${dispute}, and the provider has ${disputes.map(disputeText).join(', ')}`;
    found.push({ rule: 'every dispute is recorded', text, payment: id });
  }
  return found;
}

const capturing: ReadonlySet<string> = new Set(['charge', 'refund', 'refund_failure']);

const shownStatus = ({ status, outcome, isInquiry }: DisputeFact) =>
  status !== 'closed'
    ? isInquiry
      ? 'inquiry'
      : 'open'
    : outcome === 'lost' || outcome === 'prevented'
      ? 'lost'
      : 'won';

/**
 * Checks that a request makes at most one refund, that refunds answered as made exist, and that refused ones do not.
 */
function checkRefundAnswers(history: readonly HistoryEntry[], { provider }: FactsEntry): Found[] {
  const found: Found[] = [];
  const made = new Map<string, RefundFact[]>();
  for (const refund of provider.refunds) {
    for (const name of [refund.id, refund.request]) {
      if (name !== null) made.set(name, [...(made.get(name) ?? []), refund]);
    }
  }
  for (const [name, refunds] of made) {
    if (refunds.length < 2) continue;
    const text = `request ${name} made ${refunds.map(({ id }) => id).join(' and ')}`;
    found.push({ rule: 'a request is refunded once', text });
  }
  for (const entry of history) {
    if ((entry.type !== 'ok' && entry.type !== 'fail') || entry.refund === undefined) continue;
    const refunds = made.get(entry.refund) ?? [];
    if (entry.type === 'ok' && refunds.length === 0) {
      const text = `refund ${entry.refund} was answered as made, and the provider has none`;
      found.push({ rule: 'an answered refund is made', text });
    }
    if (entry.type === 'fail' && refunds.some(({ status }) => refunding.has(status))) {
      const text = `refund ${entry.refund} was answered as not made, and the provider has it`;
      found.push({ rule: 'a refused refund is not made', text });
    }
  }
  return found;
}

/** Checks that the product's own comparison finds the same discrepancies as the checker. */
const checkCommands = ({ commands }: FactsEntry): Found[] =>
  commands
    .filter(({ name, exitCode, lines }) => {
      const isAccepted = name === 'check' && exitCode === 1 && lines.every(isAboutUnusedIntent);
      return exitCode !== 0 && !isAccepted;
    })
    .map(({ name, exitCode, lines }) => ({
      rule: 'the commands find no discrepancies',
      text: `keyturn payments ${name} ended with ${exitCode}: ${lines.join('\n')}`,
    }));

/** `checkIntents` accepts an unused intent that another one replaced, which the commands rightly report. */
const isAboutUnusedIntent = (line: string) =>
  /^second_intent \S+: the intent is requires_payment_method /.test(line) ||
  /^\d+ (discrepancy|discrepancies)/.test(line);
