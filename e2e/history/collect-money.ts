import type Stripe from 'stripe';
import type { DisputeFact, MoneyFacts } from './history.ts';
import type { World } from './system/start-system.ts';

/** Collects refunds, disputes, warnings, reviews and balance transactions from the database. */
export async function collectRecord({ pool }: World): Promise<MoneyFacts> {
  const rows = async <Row>(sql: string) => (await pool.query(sql)).rows as Row[];
  const ofPayments = (table: string) => `from ${table} t join payments p on p.id = t.payment_id`;
  return {
    refunds: await rows(`select t.provider_refund_id as id,
      case when t.request_key is null then null else t.id end as request, p.provider_intent_id as intent, t.amount, t.status
      ${ofPayments('refunds')} where t.provider_refund_id is not null`),
    disputes:
      await rows(`select t.provider_dispute_id as id, p.provider_intent_id as intent, t.amount, t.status, t.outcome,
      t.is_inquiry as "isInquiry", t.withdrawn_amount - t.reinstated_amount as taken ${ofPayments('disputes')}`),
    warnings: await rows(`select t.provider_warning_id as id, p.provider_intent_id as intent
      ${ofPayments('early_fraud_warnings')}`),
    reviews:
      await rows(`select t.provider_review_id as id, p.provider_intent_id as intent, t.is_open as "isOpen"
      ${ofPayments('provider_reviews')}`),
    movements: await rows(
      'select transaction_id as id, kind, amount, fee, intent_id as intent from balance_transactions',
    ),
  };
}

/** Collects refunds, disputes, warnings, reviews and balance transactions from the provider. */
export function collectFromProvider({ simulator }: World): MoneyFacts {
  const { refunds, disputes, earlyFraudWarnings, reviews, balanceTransactions } = simulator;
  const taken = new Map<string, number>();
  for (const { source, amount } of balanceTransactions.all()) {
    if (typeof source === 'string') taken.set(source, (taken.get(source) ?? 0) - amount);
  }
  return {
    refunds: refunds.all().map(({ id, amount, status, payment_intent: intent, metadata }) => ({
      id,
      request: metadata?.refund_id ?? null,
      intent,
      amount,
      status: status === 'canceled' ? 'cancelled' : (status ?? ''),
    })),
    disputes: disputes.all().map(({ id, amount, status, payment_intent: intent }) => ({
      id,
      intent,
      amount,
      ...(stages[status] ?? { status, outcome: null }),
      isInquiry: status.startsWith('warning_'),
      taken: taken.get(id) ?? 0,
    })),
    warnings: earlyFraudWarnings
      .all()
      .map(({ id, payment_intent }) => ({ id, intent: String(payment_intent) })),
    reviews: reviews
      .all()
      .map(({ id, payment_intent, open: isOpen }) => ({ id, intent: String(payment_intent), isOpen })),
    movements: balanceTransactions.all().map(({ id, reporting_category: kind, amount, fee, source }) => ({
      id,
      kind,
      amount,
      fee,
      intent: intentOf(simulator, source),
    })),
  };
}

function intentOf({ lookUp }: World['simulator'], source: unknown): string | null {
  const found = lookUp(String(source));
  return found && 'payment_intent' in found ? String(found.payment_intent) : null;
}

/** Maps Stripe's status of a dispute to the recorded one. */
const stages: Partial<Record<Stripe.Dispute.Status, Pick<DisputeFact, 'status' | 'outcome'>>> = {
  warning_needs_response: { status: 'needs_response', outcome: null },
  warning_under_review: { status: 'under_review', outcome: null },
  warning_closed: { status: 'closed', outcome: 'inquiry_closed' },
  needs_response: { status: 'needs_response', outcome: null },
  under_review: { status: 'under_review', outcome: null },
  won: { status: 'closed', outcome: 'won' },
  lost: { status: 'closed', outcome: 'lost' },
};
