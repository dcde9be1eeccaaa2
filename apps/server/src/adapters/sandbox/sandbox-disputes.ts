import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import { newSandboxId } from './new-id.ts';

/** A dispute as the sandbox stores it, with Stripe's statuses. */
export interface StoredDispute {
  id: string;
  intent_id: string;
  status:
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost'
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed';
  reason: string;
  reason_code: string | null;
  amount: number;
  created_at: Date;
  due_by: Date;
  submissions: number;
  withdrawn_at: Date | null;
  reinstated_at: Date | null;
}

export interface StoredFraudWarning {
  id: string;
  intent_id: string;
  fraud_type: string;
  created_at: Date;
  is_actionable: boolean;
}

export interface StoredReview {
  id: string;
  intent_id: string;
  is_open: boolean;
  opened_reason: string;
  closed_reason: string | null;
  created_at: Date;
}

/** The actions of the payer's bank and the firm on the sandbox's disputes. Each change sends a webhook. */
export interface SandboxDisputes {
  /** @param options.amount pence, by default the whole payment */
  open(
    intentId: string,
    options?: { isInquiry?: boolean; amount?: number; reason?: string; reasonCode?: string },
  ): Promise<StoredDispute>;
  /** The bank turns an inquiry into a dispute, and withdraws the money. */
  escalate(id: string): Promise<StoredDispute>;
  /** The firm submits evidence. */
  answer(id: string): Promise<StoredDispute>;
  /** The bank decides. An inquiry is closed regardless of the decision. */
  decide(id: string, outcome: 'won' | 'lost'): Promise<StoredDispute>;
  warn(intentId: string, fraudType?: string): Promise<StoredFraudWarning>;
  openReview(intentId: string): Promise<StoredReview>;
  closeReview(id: string, reason: string): Promise<StoredReview>;
  /** Decides the disputes that were not answered in time. @returns when the next one is due, or null */
  closeOverdue(): Promise<Date | null>;
  ofIntents(intentIds: readonly string[]): Promise<StoredDispute[]>;
  list(since: Date): Promise<StoredDispute[]>;
  listWarnings(since: Date): Promise<StoredFraudWarning[]>;
  findWarning(id: string): Promise<StoredFraudWarning | undefined>;
  /** Lists the open reviews, as Stripe does. */
  listReviews(since: Date): Promise<StoredReview[]>;
  findReview(id: string): Promise<StoredReview | undefined>;
}

/** The dispute, warning or review that a test card causes. */
export type SandboxAftermath = 'dispute' | 'inquiry' | 'fraud_warning';

/** The time, in milliseconds, within which a dispute can be answered. */
const answerTime = 14 * 24 * 3_600_000;

type Queries = Pick<pg.Pool, 'query'>;

/**
 * Creates the sandbox's disputes in the database.
 * @param changed called after every change that stored an event to deliver
 */
export function createSandboxDisputes(pool: pg.Pool, clock: Clock, changed: () => void): SandboxDisputes {
  const notified = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = await work();
    changed();
    return result;
  };
  /** Changes a dispute that has one of these statuses; any other stays as it is. */
  const change = (id: string, from: readonly StoredDispute['status'][], assignments: string) =>
    notified(() => changeDispute(pool, { id, from, assignments, now: clock() }));
  return {
    open: (intentId, options = {}) => notified(() => openDispute(pool, intentId, clock(), options)),
    escalate: (id) =>
      change(
        id,
        ['warning_needs_response', 'warning_under_review'],
        "status = 'needs_response', withdrawn_at = $2",
      ),
    answer: (id) =>
      change(
        id,
        ['needs_response', 'warning_needs_response'],
        `submissions = submissions + 1,
         status = case status when 'needs_response' then 'under_review' else 'warning_under_review' end`,
      ),
    decide: (id, outcome) => change(id, undecided, decisionTo(outcome)),
    warn: (intentId, fraudType) => notified(() => addWarning(pool, intentId, clock(), fraudType)),
    openReview: (intentId) => notified(() => addReview(pool, intentId, clock())),
    closeReview: (id, reason) => notified(() => closeReview(pool, id, reason, clock())),
    closeOverdue: () => closeOverdue(pool, clock(), (id) => change(id, unanswered, decisionTo('lost'))),
    ofIntents: (ids) =>
      rowsOf<StoredDispute>(pool, 'select * from sandbox_disputes where intent_id = any($1)', [ids]),
    list: (since) =>
      rowsOf<StoredDispute>(pool, 'select * from sandbox_disputes where created_at >= $1', [since]),
    listWarnings: (since) =>
      rowsOf<StoredFraudWarning>(pool, `${selectWarnings} where created_at >= $1`, [since]),
    findWarning: async (id) =>
      (await rowsOf<StoredFraudWarning>(pool, `${selectWarnings} where id = $1`, [id]))[0],
    listReviews: (since) =>
      rowsOf<StoredReview>(pool, 'select * from sandbox_reviews where is_open and created_at >= $1', [since]),
    findReview: async (id) =>
      (await rowsOf<StoredReview>(pool, 'select * from sandbox_reviews where id = $1', [id]))[0],
  };
}

/** Creates the dispute, warning or review that a test card causes, in the transaction of the payment. */
export async function addAftermath(
  queries: Queries,
  intentId: string,
  aftermath: SandboxAftermath,
  now: Date,
): Promise<void> {
  if (aftermath === 'fraud_warning') await addWarning(queries, intentId, now);
  else await openDispute(queries, intentId, now, { isInquiry: aftermath === 'inquiry' });
}

const unanswered = ['needs_response', 'warning_needs_response'] as const;
const undecided = [...unanswered, 'under_review', 'warning_under_review'] as const;

const decisionTo = (outcome: 'won' | 'lost') =>
  `status = case when status like 'warning%' then 'warning_closed' else '${outcome}' end,
   reinstated_at = case when status like 'warning%' or '${outcome}' = 'lost' then null else $2::timestamptz end`;

/** A warning is actionable until its payment is disputed. */
const selectWarnings = `select *, not exists (
    select from sandbox_disputes d where d.intent_id = sandbox_fraud_warnings.intent_id
  ) as is_actionable from sandbox_fraud_warnings`;

async function openDispute(
  queries: Queries,
  intentId: string,
  now: Date,
  {
    isInquiry = false,
    amount,
    reason = 'fraudulent',
    reasonCode = '10.4',
  }: NonNullable<Parameters<SandboxDisputes['open']>[1]>,
): Promise<StoredDispute> {
  const [dispute] = await rowsOf<StoredDispute>(
    queries,
    `insert into sandbox_disputes
       (id, intent_id, status, reason, reason_code, amount, created_at, due_by, withdrawn_at)
     select $1, id, $2, $3, $4, coalesce($5, amount), $6, $7, $8 from sandbox_intents where id = $9
     returning *`,
    [
      newSandboxId('du'),
      isInquiry ? 'warning_needs_response' : 'needs_response',
      reason,
      reasonCode,
      amount ?? null,
      now,
      new Date(now.getTime() + answerTime),
      isInquiry ? null : now,
      intentId,
    ],
  );
  if (!dispute) throw new Error(`the sandbox has no intent ${intentId}`);
  await addEvent(queries, { type: 'charge.dispute.created', intentId, now });
  return dispute;
}

async function changeDispute(
  queries: Queries,
  {
    id,
    from,
    assignments,
    now,
  }: { id: string; from: readonly StoredDispute['status'][]; assignments: string; now: Date },
): Promise<StoredDispute> {
  const [changed] = await rowsOf<StoredDispute>(
    queries,
    // Every change receives the current time as a parameter; some of them store it.
    `update sandbox_disputes set ${assignments}
     where id = $1 and status = any($3) and $2::timestamptz is not null returning *`,
    [id, now, from],
  );
  if (!changed) {
    const [unchanged] = await rowsOf<StoredDispute>(queries, 'select * from sandbox_disputes where id = $1', [
      id,
    ]);
    if (!unchanged) throw new Error(`the sandbox has no dispute ${id}`);
    return unchanged;
  }
  const isClosed = !(undecided as readonly string[]).includes(changed.status);
  const type = isClosed ? 'charge.dispute.closed' : 'charge.dispute.updated';
  await addEvent(queries, { type, intentId: changed.intent_id, now });
  return changed;
}

async function closeOverdue(
  queries: Queries,
  now: Date,
  close: (id: string) => Promise<unknown>,
): Promise<Date | null> {
  const overdue = await rowsOf<{ id: string }>(
    queries,
    'select id from sandbox_disputes where status = any($1) and due_by <= $2 limit 100',
    [unanswered, now],
  );
  for (const { id } of overdue) await close(id);
  const [next] = await rowsOf<{ at: Date | null }>(
    queries,
    'select min(due_by) as at from sandbox_disputes where status = any($1)',
    [unanswered],
  );
  return next?.at ?? null;
}

async function addWarning(
  queries: Queries,
  intentId: string,
  now: Date,
  fraudType = 'made_with_stolen_card',
): Promise<StoredFraudWarning> {
  const id = newSandboxId('issfr');
  await queries.query(
    'insert into sandbox_fraud_warnings (id, intent_id, fraud_type, created_at) values ($1, $2, $3, $4)',
    [id, intentId, fraudType, now],
  );
  await addEvent(queries, {
    type: 'radar.early_fraud_warning.created',
    intentId,
    now,
    subject: { kind: 'fraud_warning', id },
  });
  return { id, intent_id: intentId, fraud_type: fraudType, created_at: now, is_actionable: true };
}

async function addReview(queries: Queries, intentId: string, now: Date): Promise<StoredReview> {
  const review: StoredReview = {
    id: newSandboxId('prv'),
    intent_id: intentId,
    is_open: true,
    opened_reason: 'rule',
    closed_reason: null,
    created_at: now,
  };
  await queries.query(
    `insert into sandbox_reviews (id, intent_id, is_open, opened_reason, created_at)
     values ($1, $2, true, $3, $4)`,
    [review.id, intentId, review.opened_reason, now],
  );
  await addEvent(queries, {
    type: 'review.opened',
    intentId,
    now,
    subject: { kind: 'review', id: review.id },
  });
  return review;
}

async function closeReview(queries: Queries, id: string, reason: string, now: Date): Promise<StoredReview> {
  const [review] = await rowsOf<StoredReview>(
    queries,
    'update sandbox_reviews set is_open = false, closed_reason = $2 where id = $1 returning *',
    [id, reason],
  );
  if (!review) throw new Error(`the sandbox has no review ${id}`);
  await addEvent(queries, {
    type: 'review.closed',
    intentId: review.intent_id,
    now,
    subject: { kind: 'review', id },
  });
  return review;
}

/** Stores an event for the webhook. */
async function addEvent(
  queries: Queries,
  event: {
    type: string;
    intentId: string;
    now: Date;
    subject?: { kind: 'fraud_warning' | 'review'; id: string };
  },
): Promise<void> {
  const { type, intentId, now, subject } = event;
  const id = newSandboxId('evt');
  await queries.query(
    `insert into sandbox_events (id, intent_id, type, body, created_at, next_attempt_at)
     values ($1, $2, $3, $4, $5, $5)`,
    [
      id,
      intentId,
      type,
      JSON.stringify({ id, type, intent: intentId, ...(subject ? { subject } : {}) }),
      now,
    ],
  );
}

async function rowsOf<Row extends pg.QueryResultRow>(
  queries: Queries,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await queries.query<Row>(text, values)).rows;
}
