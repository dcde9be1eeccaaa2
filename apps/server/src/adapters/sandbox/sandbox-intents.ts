import { randomBytes } from 'node:crypto';
import type { PaymentMethod, SandboxConfirmBody } from '@keyturn/contract';
import { joinStatement, statementPrefix, statementSuffix } from '@keyturn/format/statement-descriptor';
import { expectedClearingDay } from '@keyturn/format/working-days';
import type pg from 'pg';
import type { IntentTerms } from '../../features/payments/ports.ts';
import {
  type IntentLabels,
  type IntentMetadata,
  toMetadata,
} from '../../features/payments/recovery/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { addAftermath } from './sandbox-disputes.ts';
import {
  type BankOutcome,
  decideAtBank,
  decideOnCard,
  type IntentChange,
  refused,
} from './sandbox-outcomes.ts';
import {
  endRefund,
  findDueRefunds,
  findSandboxRefund,
  insertRefund,
  listSandboxRefunds,
  refundsOfIntent,
  type SandboxRefundTerms,
} from './sandbox-refunds.ts';
import type { StoredIntent, StoredRefund } from './stored-intent.ts';

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
    caseId: string;
    kind: string;
    method: PaymentMethod;
    labels?: IntentLabels;
    statement?: IntentTerms['statement'];
    idempotencyKey: string;
  }): Promise<StoredIntent>;
  find(id: string): Promise<StoredIntent | undefined>;
  /** Adds to the metadata of an intent. */
  label(id: string, metadata: IntentMetadata): Promise<void>;
  /** Lists the intents created since a time. */
  list(since: Date): Promise<StoredIntent[]>;
  /** Pays with a test card; the intent's error says why a card was declined. */
  confirm(id: string, card: SandboxConfirmBody['card']): Promise<StoredIntent>;
  /** Starts a payment by bank, which the client then approves on the bank's page. */
  goToBank(id: string, returnUrl: string): Promise<StoredIntent>;
  findByBankToken(token: string): Promise<StoredIntent | undefined>;
  /** The client's, or the bank's, answer on the bank's page; a page that was answered changes nothing. */
  answerAtBank(token: string, outcome: BankOutcome): Promise<StoredIntent | undefined>;
  authenticate(id: string, outcome: 'approved' | 'refused'): Promise<StoredIntent>;
  /** Cancels an intent that waits for the payer; any other stays as it is. @returns undefined for an unknown intent */
  cancel(id: string): Promise<StoredIntent | undefined>;
  /**
   * Refunds a paid intent, or returns the refund that this key has made.
   * @throws SandboxRefundRefused, or SandboxError if the key was used with other terms
   */
  refund(id: string, terms: SandboxRefundTerms): Promise<StoredRefund>;
  /** The bank returns a refund, or it is cancelled. */
  endRefund(refundId: string, status: 'failed' | 'canceled'): Promise<StoredRefund | undefined>;
  listRefunds(since: Date): Promise<StoredRefund[]>;
  /** Settles the processing intents and the refunds that are due. @returns when the next one is due, or null */
  settleDue(): Promise<Date | null>;
}

export class SandboxError extends Error {
  override name = 'SandboxError';
}

/**
 * Creates the sandbox's intents in the database.
 * @param changed called after every commit that stored an event to deliver
 */
export function createSandboxIntents(pool: pg.Pool, clock: Clock, changed: () => void): SandboxIntents {
  const find = async (id: string, on: Pick<pg.Pool, 'query'> = pool) =>
    (await on.query<StoredIntent>(`${selectIntents} where id = $1`, [id])).rows[0];

  const findByBankToken = async (token: string) =>
    (await pool.query<StoredIntent>(`${selectIntents} where bank_token = $1`, [token])).rows[0];

  /** Works on an intent under a row lock. */
  const withIntent = async <Result>(
    id: string,
    work: (client: pg.PoolClient, intent: StoredIntent) => Promise<Result>,
  ): Promise<Result> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      // Locked first: a statement that waits for the lock would not see refunds that are committed meanwhile.
      await client.query('select from sandbox_intents where id = $1 for update', [id]);
      const intent = await find(id, client);
      if (!intent) throw new SandboxError(`no intent ${id}`);
      const result = await work(client, intent);
      await client.query('commit');
      changed();
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  };

  /** Changes an intent, increments its version and stores an event about the change. */
  const change = (id: string, decide: (intent: StoredIntent) => IntentChange | null): Promise<StoredIntent> =>
    withIntent(id, async (client, intent) => {
      const decided = decide(intent);
      return decided ? storeChange(client, intent, decided, clock()) : intent;
    });

  /** Changes a refund, increments the version of its intent and stores an event about it. */
  const changeRefund = (
    intentId: string,
    refundId: string,
    status: 'succeeded' | 'failed' | 'canceled',
  ): Promise<void> =>
    withIntent(intentId, async (client, intent) => {
      if (!(await endRefund(client, refundId, status, clock()))) return;
      const type = status === 'failed' ? 'refund.failed' : 'refund.updated';
      await storeRefundEvent(client, intent, type, clock());
    });

  return {
    create: (terms) => createIntent(pool, terms, clock()),

    find: (id) => find(id),

    label: async (id, metadata) => {
      await pool.query('update sandbox_intents set metadata = metadata || $2 where id = $1', [
        id,
        JSON.stringify(metadata),
      ]);
    },

    list: async (since) =>
      (await pool.query<StoredIntent>(`${selectIntents} where created_at >= $1`, [since])).rows,

    confirm: (id, card) =>
      change(id, (intent) =>
        intent.status === 'requires_payment_method' && intent.method === 'card'
          ? decideOnCard(card, clock())
          : null,
      ),

    goToBank: (id, returnUrl) =>
      change(id, (intent) =>
        intent.method === 'bank' && waitsForPayer(intent)
          ? { status: 'requires_action', bankPage: { token: newId('bank'), returnUrl } }
          : null,
      ),

    findByBankToken,

    answerAtBank: async (token, outcome) => {
      const found = await findByBankToken(token);
      return found && change(found.id, (intent) => decideAtBank(intent, token, outcome, clock()));
    },

    authenticate: (id, outcome) =>
      change(id, (intent) => {
        if (intent.status !== 'requires_action' || intent.method !== 'card') return null;
        if (outcome === 'refused') return refused('authentication_failed');
        return intent.pending_behaviour === 'declined_after_authentication'
          ? refused('card_declined')
          : { status: 'succeeded' };
      }),

    cancel: async (id) => {
      if (!(await find(id))) return undefined;
      return change(id, (intent) => (waitsForPayer(intent) ? { status: 'canceled' } : null));
    },

    refund: (id, terms) =>
      withIntent(id, async (client, intent) => {
        const known = await findSandboxRefund(client, 'idempotency_key', terms.idempotencyKey);
        if (known) {
          if (known.intent_id === id && known.amount === terms.amount) return known;
          throw new SandboxError('this idempotency key was used with other terms');
        }
        const refundId = await insertRefund(client, intent, terms, clock());
        await storeRefundEvent(client, intent, 'refund.created', clock());
        return (await findSandboxRefund(client, 'id', refundId)) as StoredRefund;
      }),

    endRefund: async (refundId, status) => {
      const refund = await findSandboxRefund(pool, 'id', refundId);
      if (refund) await changeRefund(refund.intent_id, refundId, status);
      return findSandboxRefund(pool, 'id', refundId);
    },

    listRefunds: (since) => listSandboxRefunds(pool, since),

    settleDue: async () => {
      const due = await pool.query<{ id: string }>(
        "select id from sandbox_intents where status = 'processing' and settles_at <= $1 order by settles_at limit 100",
        [clock()],
      );
      for (const { id } of due.rows) {
        await change(id, (intent) => {
          if (intent.status !== 'processing') return null;
          return intent.pending_behaviour === 'bank_fails' ? refused('bank_failed') : { status: 'succeeded' };
        });
      }
      for (const { id, intent_id, behaviour } of await findDueRefunds(pool, clock())) {
        await changeRefund(intent_id, id, behaviour === 'refund_fails' ? 'failed' : 'succeeded');
      }
      const { rows } = await pool.query<{ at: Date | null }>(
        `select least((select min(settles_at) from sandbox_intents where status = 'processing'),
           (select min(settles_at) from sandbox_refunds)) as at`,
      );
      return rows[0]?.at ?? null;
    },
  };
}

const selectIntents = `select *, (select available_at from sandbox_charges where intent_id = sandbox_intents.id),
  (select created_at from sandbox_charges where intent_id = sandbox_intents.id) as captured_at,
  ${refundsOfIntent} from sandbox_intents`;

/** Settles like card payments do: the money is available at the start of the third working day. */
async function findAvailability(client: pg.PoolClient, now: Date): Promise<Date> {
  const { rows } = await client.query<{ days: string[] }>('select bank_holiday_days() as days');
  return new Date(`${expectedClearingDay(now, rows[0]?.days ?? [])}T00:00:00Z`);
}

/** Creates an intent, or returns the one that was created with the same idempotency key. */
async function createIntent(
  pool: pg.Pool,
  terms: Parameters<SandboxIntents['create']>[0],
  now: Date,
): Promise<StoredIntent> {
  const { amount, currency, paymentId, idempotencyKey } = terms;
  const id = newId('pi');
  await pool.query(
    `insert into sandbox_intents (id, idempotency_key, client_secret, amount, currency, metadata, status, created_at, updated_at,
       statement_descriptor, method)
     values ($1, $2, $3, $4, $5, $6, 'requires_payment_method', $7, $7, $8, $9)
     on conflict (idempotency_key) do nothing`,
    [
      id,
      idempotencyKey,
      `${id}_secret_${randomBytes(24).toString('base64url')}`,
      amount,
      currency,
      JSON.stringify(toMetadata(terms)),
      now,
      terms.statement && terms.method === 'card' ? statementOf(terms.statement) : null,
      terms.method,
    ],
  );
  const { rows } = await pool.query<StoredIntent>(`${selectIntents} where idempotency_key = $1`, [
    idempotencyKey,
  ]);
  const intent = rows[0] as StoredIntent;
  if (intent.amount !== amount || intent.currency !== currency || intent.metadata.payment_id !== paymentId) {
    throw new SandboxError('this idempotency key was used with other terms');
  }
  return intent;
}

/** What a card statement would show, with the start that card schemes give the firm’s name. */
function statementOf({ firmName, caseReference }: { firmName: string; caseReference: string }) {
  const prefix = statementPrefix(firmName);
  const suffix = statementSuffix(caseReference, prefix);
  return prefix !== null && suffix !== null ? joinStatement(prefix, suffix) : null;
}

/** Stores a change of an intent, the charge of a success, and an event for the webhook. */
async function storeChange(
  client: pg.PoolClient,
  intent: StoredIntent,
  decided: IntentChange,
  now: Date,
): Promise<StoredIntent> {
  const { rows } = await client.query<StoredIntent>(
    `update sandbox_intents set status = $2, pending_behaviour = $3, settles_at = $4, card_brand = $5,
       card_last4 = $6, error_code = $7, error_message = $8, version = version + 1, updated_at = $9,
       bank_token = $10, return_url = $11
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
      // The page stays known, so that a client who comes back to it is led back to the firm.
      decided.bankPage?.token ?? intent.bank_token,
      decided.bankPage?.returnUrl ?? intent.return_url,
    ],
  );
  const available_at =
    decided.status !== 'succeeded'
      ? null
      : decided.clearsImmediately
        ? now
        : await findAvailability(client, now);
  const captured_at = available_at && now;
  const after = { ...(rows[0] as StoredIntent), available_at, captured_at, refunds: intent.refunds };
  if (available_at) {
    await client.query(
      'insert into sandbox_charges (id, intent_id, amount, created_at, available_at) values ($1, $2, $3, $4, $5)',
      [newId('ch'), intent.id, intent.amount, now, available_at],
    );
  }
  await storeEvent(client, after, eventTypes[decided.error ? 'refused' : decided.status], now);
  if (decided.aftermath) await addAftermath(client, intent.id, decided.aftermath, now);
  return after;
}

async function storeEvent(
  client: pg.PoolClient,
  { id: intent, version }: Pick<StoredIntent, 'id' | 'version'>,
  type: string,
  now: Date,
): Promise<void> {
  const id = newId('evt');
  await client.query(
    `insert into sandbox_events (id, intent_id, type, body, created_at, next_attempt_at) values ($1, $2, $3, $4, $5, $5)`,
    [id, intent, type, JSON.stringify({ id, type, intent, version }), now],
  );
}

/** Increments the version of an intent whose refund has changed, and stores an event about it. */
async function storeRefundEvent(
  client: pg.PoolClient,
  { id, version }: StoredIntent,
  type: string,
  now: Date,
): Promise<void> {
  await client.query('update sandbox_intents set version = $2, updated_at = $3 where id = $1', [
    id,
    version + 1,
    now,
  ]);
  await storeEvent(client, { id, version: version + 1 }, type, now);
}

const waitsForPayer = ({ status }: StoredIntent) =>
  status === 'requires_payment_method' || status === 'requires_action';

const eventTypes = {
  refused: 'payment_intent.payment_failed',
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
} as const;

const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;
