import { randomBytes } from 'node:crypto';
import {
  type SandboxBehaviour,
  type SandboxConfirmBody,
  type SandboxIntent,
  sandboxCards,
} from '@keyturn/contract';
import type pg from 'pg';
import type { Clock } from '../../platform/clock.ts';

/** An intent as the sandbox stores it. */
export interface StoredIntent {
  id: string;
  client_secret: string;
  amount: number;
  currency: string;
  metadata: { payment_id?: string };
  status: SandboxIntent['status'];
  pending_behaviour: SandboxBehaviour | null;
  settles_at: Date | null;
  card_brand: string | null;
  card_last4: string | null;
  error_code: string | null;
  error_message: string | null;
  version: number;
}

/** The sandbox's intents. They are independent of the product, as a separate service's would be. */
export interface SandboxIntents {
  /**
   * Creates an intent, or returns the one that this key has created.
   * @throws SandboxError if the key was used with other terms
   */
  create(terms: {
    amount: number;
    currency: string;
    paymentId: string;
    idempotencyKey: string;
  }): Promise<StoredIntent>;
  find(id: string): Promise<StoredIntent | undefined>;
  /** Lists the intents created since a time. */
  list(since: Date): Promise<StoredIntent[]>;
  /** Pays with a test card; the intent's error says why a card was declined. */
  confirm(id: string, card: SandboxConfirmBody['card']): Promise<StoredIntent>;
  authenticate(id: string, outcome: 'approved' | 'refused'): Promise<StoredIntent>;
  /** Cancels an intent that waits for the payer; any other stays as it is. @returns undefined for an unknown intent */
  cancel(id: string): Promise<StoredIntent | undefined>;
  /** Settles the processing intents that are due. @returns when the next one is due, or null */
  settleDue(): Promise<Date | null>;
}

export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** Seconds until a card that succeeds later succeeds. */
const settlementDelay = 10;

/**
 * Creates the sandbox's intents in the database.
 * @param changed called after every commit that stored an event to deliver
 */
export function createSandboxIntents(pool: pg.Pool, clock: Clock, changed: () => void): SandboxIntents {
  const find = async (id: string, on: Pick<pg.Pool, 'query'> = pool, lock = '') =>
    (await on.query<StoredIntent>(`select * from sandbox_intents where id = $1 ${lock}`, [id])).rows[0];

  /** Changes an intent under a row lock, increments its version and stores an event about the change. */
  const change = async (
    id: string,
    decide: (intent: StoredIntent) => Change | null,
  ): Promise<StoredIntent> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const intent = await find(id, client, 'for update');
      if (!intent) throw new SandboxError(`no intent ${id}`);
      const decided = decide(intent);
      const after = decided ? await storeChange(client, intent, decided, clock()) : intent;
      await client.query('commit');
      if (decided) changed();
      return after;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  };

  return {
    create: (terms) => createIntent(pool, terms, clock()),

    find: (id) => find(id),

    list: async (since) =>
      (await pool.query<StoredIntent>('select * from sandbox_intents where created_at >= $1', [since])).rows,

    confirm: (id, card) =>
      change(id, (intent) =>
        intent.status === 'requires_payment_method' ? decideOnCard(card, clock()) : null,
      ),

    authenticate: (id, outcome) =>
      change(id, (intent) => {
        if (intent.status !== 'requires_action') return null;
        if (outcome === 'refused') return refused('authentication_failed');
        return intent.pending_behaviour === 'declined_after_authentication'
          ? refused('card_declined')
          : { status: 'succeeded' };
      }),

    cancel: async (id) => {
      if (!(await find(id))) return undefined;
      return change(id, (intent) =>
        intent.status === 'requires_payment_method' || intent.status === 'requires_action'
          ? { status: 'canceled' }
          : null,
      );
    },

    settleDue: async () => {
      const due = await pool.query<{ id: string }>(
        "select id from sandbox_intents where status = 'processing' and settles_at <= $1 order by settles_at limit 100",
        [clock()],
      );
      for (const { id } of due.rows) {
        await change(id, (intent) => (intent.status === 'processing' ? { status: 'succeeded' } : null));
      }
      const { rows } = await pool.query<{ at: Date | null }>(
        "select min(settles_at) as at from sandbox_intents where status = 'processing'",
      );
      return rows[0]?.at ?? null;
    },
  };
}

/** Creates an intent, or returns the one that was created with the same idempotency key. */
async function createIntent(
  pool: pg.Pool,
  { amount, currency, paymentId, idempotencyKey }: Parameters<SandboxIntents['create']>[0],
  now: Date,
): Promise<StoredIntent> {
  const id = newId('pi');
  await pool.query(
    `insert into sandbox_intents (id, idempotency_key, client_secret, amount, currency, metadata, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'requires_payment_method', $7, $7)
     on conflict (idempotency_key) do nothing`,
    [
      id,
      idempotencyKey,
      `${id}_secret_${randomBytes(24).toString('base64url')}`,
      amount,
      currency,
      JSON.stringify({ payment_id: paymentId }),
      now,
    ],
  );
  const { rows } = await pool.query<StoredIntent>(
    'select * from sandbox_intents where idempotency_key = $1',
    [idempotencyKey],
  );
  const intent = rows[0] as StoredIntent;
  if (intent.amount !== amount || intent.currency !== currency || intent.metadata.payment_id !== paymentId) {
    throw new SandboxError('this idempotency key was used with other terms');
  }
  return intent;
}

/** Stores a change of an intent, the charge of a success, and an event for the webhook. */
async function storeChange(
  client: pg.PoolClient,
  intent: StoredIntent,
  decided: Change,
  now: Date,
): Promise<StoredIntent> {
  const { rows } = await client.query<StoredIntent>(
    `update sandbox_intents set status = $2, pending_behaviour = $3, settles_at = $4, card_brand = $5,
       card_last4 = $6, error_code = $7, error_message = $8, version = version + 1, updated_at = $9
     where id = $1 returning *`,
    [
      intent.id,
      decided.status,
      decided.pending ?? null,
      decided.settlesAt ?? null,
      decided.card?.brand ?? intent.card_brand,
      decided.card?.last4 ?? intent.card_last4,
      decided.error?.code ?? null,
      decided.error?.message ?? null,
      now,
    ],
  );
  const after = rows[0] as StoredIntent;
  if (decided.status === 'succeeded') {
    await client.query(
      'insert into sandbox_charges (id, intent_id, amount, created_at) values ($1, $2, $3, $4)',
      [newId('ch'), intent.id, intent.amount, now],
    );
  }
  const eventId = newId('evt');
  const type = eventTypes[decided.error ? 'refused' : decided.status];
  await client.query(
    `insert into sandbox_events (id, intent_id, type, body, created_at, next_attempt_at) values ($1, $2, $3, $4, $5, $5)`,
    [
      eventId,
      intent.id,
      type,
      JSON.stringify({ id: eventId, type, intent: intent.id, version: after.version }),
      now,
    ],
  );
  return after;
}

interface Change {
  status: SandboxIntent['status'];
  pending?: SandboxBehaviour;
  settlesAt?: Date;
  card?: { brand: string; last4: string };
  error?: { code: string; message: string };
}

/** Decides the bank's answer for a test card. Only the card's brand and last four digits are stored. */
function decideOnCard(card: SandboxConfirmBody['card'], now: Date): Change {
  const known = sandboxCards.find(({ number }) => number === card.number);
  if (!known) return refused('test_card_required');
  const storedCard = { brand: known.brand, last4: card.number.slice(-4) };
  const endsBefore = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (card.exp_year * 12 + card.exp_month < endsBefore)
    return { ...refused('expired_card'), card: storedCard };
  switch (known.behaviour) {
    case 'succeeds':
      return { status: 'succeeded', card: storedCard };
    case 'succeeds_later':
      return {
        status: 'processing',
        card: storedCard,
        settlesAt: new Date(now.getTime() + settlementDelay * 1000),
      };
    case 'authentication_required':
    case 'declined_after_authentication':
      return { status: 'requires_action', card: storedCard, pending: known.behaviour };
    default:
      return { ...refused(known.behaviour), card: storedCard };
  }
}

const refused = (code: string): Change => ({
  status: 'requires_payment_method',
  error: { code, message: errorMessages[code] ?? 'The card was declined.' },
});

const errorMessages: Record<string, string> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card has insufficient funds.',
  expired_card: 'The card has expired.',
  incorrect_cvc: "The card's security code is incorrect.",
  authentication_failed: 'The payer was not authenticated.',
  test_card_required: 'The sandbox only accepts its test cards.',
};

const eventTypes = {
  refused: 'payment_intent.payment_failed',
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
} as const;

const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;
