import { randomBytes } from 'node:crypto';
import type { PaymentMethod, SandboxConfirmBody } from '@keyturn/contract';
import { joinStatement, statementPrefix, statementSuffix } from '@keyturn/format/statement-descriptor';
import type pg from 'pg';
import type { IntentTerms } from '../../payments/ports/intents.ts';
import { type IntentLabels, type IntentMetadata, toMetadata } from '../../payments/ports/intents.ts';
import { IdempotencyKeyConflict } from '../../payments/ports/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  createIntentTransactions,
  findIntent,
  type IntentTransactions,
  selectIntents,
  storeRefundEvent,
} from './intent-transactions.ts';
import { newSandboxId } from './new-id.ts';
import { type BankOutcome, decideAtBank, decideOnCard, refused } from './sandbox-outcomes.ts';
import {
  findDueRefunds,
  findSandboxRefund,
  insertSandboxRefund,
  listSandboxRefunds,
  type SandboxRefundTerms,
} from './sandbox-refunds.ts';
import type { StoredRefund, StoredSandboxIntent } from './stored-intent.ts';

/** The sandbox's intents. They are independent of the product, as a separate service's would be. */
export interface SandboxIntents {
  /**
   * Creates an intent, or returns the existing one of this key.
   * @throws IdempotencyKeyConflict if the key was used with other terms
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
  }): Promise<StoredSandboxIntent>;
  find(id: string): Promise<StoredSandboxIntent | undefined>;
  /** Adds to the metadata of an intent. */
  label(id: string, metadata: IntentMetadata): Promise<void>;
  /** Lists the intents created since a time. */
  list(since: Date): Promise<StoredSandboxIntent[]>;
  /** Pays with a test card; the intent's error says why a card was declined. */
  confirm(id: string, card: SandboxConfirmBody['card']): Promise<StoredSandboxIntent>;
  /** Starts a payment by bank, which the client then approves on the bank's page. */
  goToBank(id: string, returnUrl: string): Promise<StoredSandboxIntent>;
  findByBankToken(token: string): Promise<StoredSandboxIntent | undefined>;
  /**
   * Applies the client's or the bank's answer on the bank's page. A page that was already answered changes nothing.
   */
  answerAtBank(token: string, outcome: BankOutcome): Promise<StoredSandboxIntent | undefined>;
  authenticate(id: string, outcome: 'approved' | 'refused'): Promise<StoredSandboxIntent>;
  /** Cancels an intent that waits for the payer; any other stays as it is. @returns undefined for an unknown intent */
  cancel(id: string): Promise<StoredSandboxIntent | undefined>;
  /**
   * Refunds a paid intent, or returns the refund that this key has made.
   * @throws RefundRefused, or IdempotencyKeyConflict if the key was used with other terms
   */
  refund(id: string, terms: SandboxRefundTerms): Promise<StoredRefund>;
  /** The bank returns a refund, or it is cancelled. */
  endRefund(refundId: string, status: 'failed' | 'canceled'): Promise<StoredRefund | undefined>;
  listRefunds(since: Date): Promise<StoredRefund[]>;
  /** Settles the processing intents and the refunds that are due. @returns when the next one is due, or null */
  settleDue(): Promise<Date | null>;
}

/**
 * Creates the sandbox's intents in the database.
 * @param changed called after every commit that stored an event to deliver
 */
export function createSandboxIntents(pool: pg.Pool, clock: Clock, changed: () => void): SandboxIntents {
  const findByBankToken = async (token: string) =>
    (await pool.query<StoredSandboxIntent>(`${selectIntents} where bank_token = $1`, [token])).rows[0];

  const transactions = createIntentTransactions(pool, clock, changed);
  const { withIntent, change, changeRefund } = transactions;

  return {
    create: (terms) => createIntent(pool, terms, clock()),

    find: (id) => findIntent(pool, id),

    label: async (id, metadata) => {
      await pool.query('update sandbox_intents set metadata = metadata || $2 where id = $1', [
        id,
        JSON.stringify(metadata),
      ]);
    },

    list: async (since) =>
      (await pool.query<StoredSandboxIntent>(`${selectIntents} where created_at >= $1`, [since])).rows,

    confirm: (id, card) =>
      change(id, (intent) =>
        intent.status === 'requires_payment_method' && intent.method === 'card'
          ? decideOnCard(card, clock())
          : null,
      ),

    goToBank: (id, returnUrl) =>
      change(id, (intent) =>
        intent.method === 'bank' && waitsForPayer(intent)
          ? { status: 'requires_action', bankPage: { token: newSandboxId('bank'), returnUrl } }
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
      if (!(await findIntent(pool, id))) return undefined;
      return change(id, (intent) => (waitsForPayer(intent) ? { status: 'canceled' } : null));
    },

    refund: (id, terms) =>
      withIntent(id, async (client, intent) => {
        const known = await findSandboxRefund(client, 'idempotency_key', terms.idempotencyKey);
        if (known) {
          if (known.intent_id === id && known.amount === terms.amount) return known;
          throw new IdempotencyKeyConflict('this idempotency key was used with other terms');
        }
        const refundId = await insertSandboxRefund(client, intent, terms, clock());
        await storeRefundEvent(client, intent, 'refund.created', clock());
        return (await findSandboxRefund(client, 'id', refundId)) as StoredRefund;
      }),

    endRefund: async (refundId, status) => {
      const refund = await findSandboxRefund(pool, 'id', refundId);
      if (refund) await changeRefund(refund.intent_id, refundId, status);
      return findSandboxRefund(pool, 'id', refundId);
    },

    listRefunds: (since) => listSandboxRefunds(pool, since),

    settleDue: () => settleDue(pool, transactions, clock()),
  };
}

/** Creates an intent, or returns the one that was created with the same idempotency key. */
async function createIntent(
  pool: pg.Pool,
  terms: Parameters<SandboxIntents['create']>[0],
  now: Date,
): Promise<StoredSandboxIntent> {
  const { amount, currency, paymentId, idempotencyKey } = terms;
  const id = newSandboxId('pi');
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
  const { rows } = await pool.query<StoredSandboxIntent>(`${selectIntents} where idempotency_key = $1`, [
    idempotencyKey,
  ]);
  const intent = rows[0] as StoredSandboxIntent;
  if (intent.amount !== amount || intent.currency !== currency || intent.metadata.payment_id !== paymentId) {
    throw new IdempotencyKeyConflict('this idempotency key was used with other terms');
  }
  return intent;
}

/**
 * Returns the line of a card statement, which starts with the prefix that card schemes reserve for the firm’s name.
 */
function statementOf({ firmName, caseReference }: { firmName: string; caseReference: string }) {
  const prefix = statementPrefix(firmName);
  const suffix = statementSuffix(caseReference, prefix);
  return prefix !== null && suffix !== null ? joinStatement(prefix, suffix) : null;
}

/** Settles the processing intents and the refunds that are due. @returns when the next one is due, or null */
async function settleDue(
  pool: pg.Pool,
  { change, changeRefund }: IntentTransactions,
  now: Date,
): Promise<Date | null> {
  const due = await pool.query<{ id: string }>(
    "select id from sandbox_intents where status = 'processing' and settles_at <= $1 order by settles_at limit 100",
    [now],
  );
  for (const { id } of due.rows) {
    await change(id, (intent) => {
      if (intent.status !== 'processing') return null;
      return intent.pending_behaviour === 'bank_fails' ? refused('bank_failed') : { status: 'succeeded' };
    });
  }
  for (const { id, intent_id, behaviour } of await findDueRefunds(pool, now)) {
    await changeRefund(intent_id, id, behaviour === 'refund_fails' ? 'failed' : 'succeeded');
  }
  const { rows } = await pool.query<{ at: Date | null }>(
    `select least((select min(settles_at) from sandbox_intents where status = 'processing'),
       (select min(settles_at) from sandbox_refunds)) as at`,
  );
  return rows[0]?.at ?? null;
}

const waitsForPayer = ({ status }: StoredSandboxIntent) =>
  status === 'requires_payment_method' || status === 'requires_action';
