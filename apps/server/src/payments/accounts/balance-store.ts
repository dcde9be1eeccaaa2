import type { PayoutFactName } from '@keyturn/contract/staff';
import { and, asc, eq, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Connection, Transaction } from '../../platform/database.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import { balanceFetches, balanceTransactions, payouts } from '../../schema/tables/account-tables.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import type { BalanceTransaction, ProviderPayout } from '../ports/balance.ts';

/** The number of rows in a statement: each row has up to twelve parameters, and a statement can have 65,535. */
const batchSize = 1_000;

/** Stores new movements of a provider's balance; stored ones do not change. */
export async function storeBalanceTransactions(
  connection: Connection,
  provider: ProviderName,
  transactions: readonly BalanceTransaction[],
  fetchedAt: Date,
): Promise<void> {
  for (let start = 0; start < transactions.length; start += batchSize) {
    await connection
      .insert(balanceTransactions)
      .values(
        transactions
          .slice(start, start + batchSize)
          .map((transaction) => ({ ...transaction, provider, fetchedAt })),
      )
      // The provider may move the day on which money is available, but nothing else; and servers of 0.2 store no id of a refund.
      .onConflictDoUpdate({
        target: [balanceTransactions.provider, balanceTransactions.transactionId],
        set: {
          availableOn: sql`excluded.available_on`,
          refundId: sql`coalesce(${balanceTransactions.refundId}, excluded.refund_id)`,
        },
        setWhere: sql`${balanceTransactions.availableOn} <> excluded.available_on
          or (${balanceTransactions.refundId} is null and excluded.refund_id is not null)`,
      });
  }
}

/** Stores payouts, with their present status and day. */
export async function storePayouts(
  connection: Connection,
  provider: ProviderName,
  found: readonly ProviderPayout[],
): Promise<void> {
  for (const { payoutId, ...payout } of found) {
    await connection
      .insert(payouts)
      .values({ provider, payoutId, ...payout })
      .onConflictDoUpdate({
        target: [payouts.provider, payouts.payoutId],
        set: { status: payout.status, arrivesOn: payout.arrivesOn },
      });
  }
}

/** Finds the matched payouts that the bank has returned since: when that is stored, the database removes their match. */
export async function findMatchesToWithdraw(
  transaction: Transaction,
  provider: ProviderName,
  found: readonly ProviderPayout[],
): Promise<PayoutRow[]> {
  const returned = found.filter(({ status }) => status === 'failed' || status === 'cancelled');
  return transaction
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.provider, provider),
        inArray(
          payouts.payoutId,
          returned.map(({ payoutId }) => payoutId),
        ),
        inArray(payouts.status, ['pending', 'in_transit', 'paid']),
        isNotNull(payouts.matchedOn),
      ),
    );
}

/** Finds the itemised payouts whose movements are not stored yet, except those that were cancelled. */
export async function findPayoutsToItemise(
  connection: Connection,
  provider: ProviderName,
): Promise<string[]> {
  const rows = await connection
    .select({ payoutId: payouts.payoutId })
    .from(payouts)
    .where(
      and(
        eq(payouts.provider, provider),
        eq(payouts.isItemised, true),
        isNull(payouts.itemisedAt),
        inArray(payouts.status, ['in_transit', 'paid', 'failed']),
      ),
    );
  return rows.map(({ payoutId }) => payoutId);
}

/** Stores which movements a payout contains. The movements must be stored already. */
export async function itemisePayout(
  connection: Connection,
  {
    provider,
    payoutId,
    transactionIds,
    at,
  }: {
    provider: ProviderName;
    payoutId: string;
    transactionIds: string[];
    at: Date;
  },
): Promise<void> {
  await connection
    .update(balanceTransactions)
    .set({ payoutId })
    .where(
      and(
        eq(balanceTransactions.provider, provider),
        sql`${balanceTransactions.transactionId} = any(${sql.param(transactionIds)}::text[])`,
        isNull(balanceTransactions.payoutId),
      ),
    );
  await connection
    .update(payouts)
    .set({ itemisedAt: at })
    .where(and(eq(payouts.provider, provider), eq(payouts.payoutId, payoutId)));
}

/** A stored payout. */
export type PayoutRow = typeof payouts.$inferSelect;

/** Finds a payout, and locks its row until the transaction ends. */
export async function lockPayout(transaction: Transaction, id: string): Promise<PayoutRow | undefined> {
  const [row] = await transaction.select().from(payouts).where(eq(payouts.payoutId, id)).for('update');
  return row;
}

/**
 * Finds the payouts of which the contents are known, but not what to transfer, and locks them until the transaction ends: a decision
 * about whose money is in them waits for their sum, and has it counted again.
 */
export async function lockPayoutsToExplain(transaction: Transaction): Promise<PayoutRow[]> {
  return transaction
    .select()
    .from(payouts)
    .where(
      and(eq(payouts.precedesMatching, false), isNull(payouts.toTransfer), isNotNull(payouts.itemisedAt)),
    )
    .orderBy(payouts.provider, payouts.payoutId)
    .for('update');
}

/** Stores what to move for a payout, in pence, less what was moved before the sum changed. */
export async function storeTransfer(
  connection: Connection,
  { provider, payoutId }: Pick<PayoutRow, 'provider' | 'payoutId'>,
  toTransfer: number,
): Promise<void> {
  await connection
    .update(payouts)
    .set({ toTransfer: sql`${toTransfer}::integer - ${payouts.moved}` })
    .where(and(eq(payouts.provider, provider), eq(payouts.payoutId, payoutId)));
}

/**
 * Has it counted again what to move for the payouts with the money of a payment, because more or less of it is the firm's. A recorded
 * transfer counts as moved, so that only the difference is left.
 */
export async function reopenTransfers(
  transaction: Transaction,
  { provider, providerIntentId }: Pick<typeof payments.$inferSelect, 'provider' | 'providerIntentId'>,
): Promise<void> {
  if (providerIntentId === null) return;
  await transaction
    .update(payouts)
    .set({
      moved: sql`${payouts.moved} + case when ${payouts.transferredOn} is null then 0 else ${payouts.toTransfer} end`,
      toTransfer: null,
      transferredOn: null,
      transferredBy: null,
      transferredByStaff: null,
    })
    .where(
      and(
        eq(payouts.provider, provider),
        // Also those that are being counted at the moment, for which this waits.
        eq(payouts.precedesMatching, false),
        isNotNull(payouts.itemisedAt),
        sql`exists (select from ${balanceTransactions} where ${balanceTransactions.provider} = ${payouts.provider}
          and ${balanceTransactions.payoutId} = ${payouts.payoutId} and ${balanceTransactions.intentId} = ${providerIntentId})`,
      ),
    );
}

/** Sums the movements in a payout, after fees, in pence. */
export async function sumOfPayout(
  connection: Connection,
  { provider, payoutId }: PayoutRow,
): Promise<number> {
  const [row] = await connection
    .select({
      sum: sql<number>`coalesce(sum(${balanceTransactions.amount} - ${balanceTransactions.fee}), 0)::int`,
    })
    .from(balanceTransactions)
    .where(and(eq(balanceTransactions.provider, provider), eq(balanceTransactions.payoutId, payoutId)));
  return row?.sum ?? 0;
}

/** Finds the day on which the money of a failed payout arrived with a later one, if it has. */
export async function findLaterArrival(
  connection: Connection,
  { provider, amount, createdAt }: PayoutRow,
): Promise<string | null> {
  const [row] = await connection
    .select({ arrivesOn: payouts.arrivesOn })
    .from(balanceTransactions)
    .innerJoin(
      payouts,
      and(
        eq(payouts.provider, balanceTransactions.provider),
        eq(payouts.payoutId, balanceTransactions.payoutId),
      ),
    )
    .where(
      and(
        eq(balanceTransactions.provider, provider),
        eq(balanceTransactions.kind, 'payout_failure'),
        eq(balanceTransactions.amount, amount),
        gte(balanceTransactions.createdAt, createdAt),
        inArray(payouts.status, ['in_transit', 'paid']),
      ),
    )
    .orderBy(asc(payouts.arrivesOn))
    .limit(1);
  return row?.arrivesOn ?? null;
}

/** Stores what finance found out about a payout; null removes it. */
export async function updatePayout(
  transaction: Transaction,
  { provider, payoutId }: PayoutRow,
  fact: PayoutFactName,
  found: { on: string; by: string; byStaff: string | null } | null,
): Promise<void> {
  const { on = null, by = null, byStaff = null } = found ?? {};
  await transaction
    .update(payouts)
    .set(
      fact === 'matched'
        ? { matchedOn: on, matchedBy: by, matchedByStaff: byStaff }
        : { transferredOn: on, transferredBy: by, transferredByStaff: byStaff },
    )
    .where(and(eq(payouts.provider, provider), eq(payouts.payoutId, payoutId)));
}

/** Finds the times of the newest stored movement and of the oldest payment; null where there is none. */
export async function findBalanceStart(
  connection: Connection,
  provider: ProviderName,
): Promise<{ newestMovement: Date | null; oldestPayment: Date | null }> {
  const [movement] = await connection
    .select({ at: sql<Date | null>`max(${balanceTransactions.createdAt})`.mapWith(toDate) })
    .from(balanceTransactions)
    .where(eq(balanceTransactions.provider, provider));
  const [payment] = await connection
    .select({ at: sql<Date | null>`min(${payments.createdAt})`.mapWith(toDate) })
    .from(payments)
    .where(eq(payments.provider, provider));
  return { newestMovement: movement?.at ?? null, oldestPayment: payment?.at ?? null };
}

/** Records that a provider's balance was fetched completely. */
export async function recordBalanceFetch(
  connection: Connection,
  provider: ProviderName,
  fetchedAt: Date,
): Promise<void> {
  await connection
    .insert(balanceFetches)
    .values({ provider, fetchedAt })
    .onConflictDoUpdate({ target: balanceFetches.provider, set: { fetchedAt } });
}

/** Finds when each provider's balance was last fetched completely. */
export async function findBalanceFetches(connection: Connection): Promise<Map<ProviderName, Date>> {
  const rows = await connection.select().from(balanceFetches);
  return new Map(rows.map(({ provider, fetchedAt }) => [provider, fetchedAt]));
}

const toDate = (value: string | Date | null): Date | null => (value === null ? null : new Date(value));
