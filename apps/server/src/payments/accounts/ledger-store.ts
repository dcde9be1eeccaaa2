import type { PaymentMethod } from '@keyturn/contract';
import { and, asc, eq, gt, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import { type BalanceKind, balanceTransactions, payouts } from '../../schema/tables/account-tables.ts';
import {
  bills,
  paymentChanges,
  payments,
  refunds,
  type StoredPaymentLine,
} from '../../schema/tables/payment-tables.ts';
import { clients, conveyancingCases, matters } from '../../schema/tables/tables.ts';

/** A movement at the provider, or a change of whose money a payment is. */
export type LedgerKind = BalanceKind | 'allocation';

/** A movement of a provider's balance with the payment, case and matter that it belongs to, if any. */
export interface MovementRow {
  provider: ProviderName;
  transactionId: string;
  kind: LedgerKind;
  amount: number;
  fee: number;
  createdAt: Date;
  availableOn: string;
  payoutId: string | null;
  payoutArrivesOn: string | null;
  payoutMatchedOn: string | null;
  paymentId: string | null;
  method: PaymentMethod | null;
  receiptNumber: string | null;
  /** The purpose of the payment. */
  purpose: string | null;
  description: string | null;
  lines: StoredPaymentLine[] | null;
  /** The provider's id of the refund; null for other movements, and if it was not stored. */
  refundId: string | null;
  /** How much of the refund is the firm's money, in pence, as finance chose; else null. */
  refundOffice: number | null;
  caseReference: string | null;
  matterReference: string | null;
  /** The name of the case’s first handler. */
  feeEarner: string | null;
  /** The client who paid. */
  clientName: string | null;
  clientReference: string | null;
  /** The name on the card or of the bank account. */
  payerName: string | null;
  bill: Pick<
    typeof bills.$inferSelect,
    'number' | 'lines' | 'description' | 'net' | 'vatRate' | 'vat'
  > | null;
}

/** Finds the movements that were created before a time, oldest first. */
export async function findMovements(connection: Connection, before: Date): Promise<MovementRow[]> {
  const payerId = sql`coalesce(${payments.confirmedBy}, ${payments.clientId})`;
  return connection
    .select({
      provider: balanceTransactions.provider,
      transactionId: balanceTransactions.transactionId,
      kind: balanceTransactions.kind,
      amount: balanceTransactions.amount,
      fee: balanceTransactions.fee,
      createdAt: balanceTransactions.createdAt,
      availableOn: balanceTransactions.availableOn,
      payoutId: balanceTransactions.payoutId,
      payoutArrivesOn: payouts.arrivesOn,
      payoutMatchedOn: payouts.matchedOn,
      paymentId: payments.id,
      method: payments.method,
      receiptNumber: payments.receiptNumber,
      purpose: payments.category,
      description: payments.description,
      lines: payments.lines,
      refundId: balanceTransactions.refundId,
      refundOffice: refunds.office,
      caseReference: conveyancingCases.reference,
      matterReference: matters.reference,
      feeEarner: sql<string | null>`${conveyancingCases.handlers} -> 0 ->> 'name'`,
      clientName: sql<string | null>`${clients.firstName} || ' ' || ${clients.lastName}`,
      clientReference: clients.reference,
      payerName: payments.payerName,
      bill: {
        number: bills.number,
        lines: bills.lines,
        description: bills.description,
        net: bills.net,
        vatRate: bills.vatRate,
        vat: bills.vat,
      },
    })
    .from(balanceTransactions)
    .leftJoin(
      payments,
      and(
        eq(payments.provider, balanceTransactions.provider),
        eq(payments.providerIntentId, balanceTransactions.intentId),
      ),
    )
    .leftJoin(
      refunds,
      and(eq(refunds.paymentId, payments.id), eq(refunds.providerRefundId, balanceTransactions.refundId)),
    )
    .leftJoin(conveyancingCases, eq(conveyancingCases.id, payments.caseId))
    .leftJoin(matters, eq(matters.id, payments.matterId))
    .leftJoin(clients, eq(clients.id, payerId))
    .leftJoin(bills, eq(bills.id, payments.billId))
    .leftJoin(
      payouts,
      and(
        eq(payouts.provider, balanceTransactions.provider),
        eq(payouts.payoutId, balanceTransactions.payoutId),
      ),
    )
    .where(lt(balanceTransactions.createdAt, before))
    .orderBy(asc(balanceTransactions.createdAt), asc(balanceTransactions.transactionId));
}

/** A decision about whose money a payment is. */
export interface AllocationRow {
  id: number;
  paymentId: string;
  /** Pence that repay the firm. */
  office: number;
  decidedAt: Date;
}

/** Finds the decisions about whose money payments are, oldest first. */
export async function findAllocations(connection: Connection): Promise<AllocationRow[]> {
  const rows = await connection
    .select({
      id: paymentChanges.id,
      paymentId: paymentChanges.paymentId,
      allocation: paymentChanges.allocation,
    })
    .from(paymentChanges)
    .where(isNotNull(paymentChanges.allocation))
    .orderBy(asc(paymentChanges.id));
  return rows.flatMap(({ allocation, ...row }) =>
    allocation ? [{ ...row, office: allocation.office, decidedAt: new Date(allocation.decided_at) }] : [],
  );
}

/** The amounts of a payment in our record and in the provider's balance, in pence. */
export interface PaymentTotals {
  paymentId: string;
  provider: ProviderName;
  /** Captured less refunded, according to our record. */
  recorded: number;
  /** Charges, refunds and failed refunds, according to the balance. */
  moved: number;
  charges: number;
}

/**
 * Finds the payments, among those last changed before a time, with movements that do not add up to the recorded
 * amount.
 */
export async function findMovementMismatches(
  connection: Connection,
  query: { provider: ProviderName; unchangedSince: Date },
): Promise<PaymentTotals[]> {
  const isMoney = sql`${balanceTransactions.kind} in ('charge', 'refund', 'refund_failure')`;
  const recorded = sql<number>`case when ${payments.paidAt} is null then 0
    else ${payments.amount} - ${payments.refundedAmount} end`;
  const moved = sql<number>`coalesce(sum(${balanceTransactions.amount}) filter (where ${isMoney}), 0)::int`;
  const charges = sql<number>`(count(*) filter (where ${balanceTransactions.kind} = 'charge'))::int`;
  return connection
    .select({ paymentId: payments.id, provider: payments.provider, recorded, moved, charges })
    .from(payments)
    .leftJoin(
      balanceTransactions,
      and(
        eq(balanceTransactions.provider, payments.provider),
        eq(balanceTransactions.intentId, payments.providerIntentId),
      ),
    )
    .where(and(eq(payments.provider, query.provider), lt(payments.updatedAt, query.unchangedSince)))
    .groupBy(payments.id)
    .having(sql`${recorded} <> ${moved} or ${charges} > 1`)
    .orderBy(asc(payments.createdAt));
}

export interface PayoutTotals {
  payoutId: string;
  provider: ProviderName;
  amount: number;
  /** The sum of its movements, after fees. */
  contained: number;
}

/** Finds the itemised payouts with movements that do not add up to their amount. */
export async function findPayoutMismatches(connection: Connection): Promise<PayoutTotals[]> {
  const contained = sql<number>`coalesce(sum(${balanceTransactions.amount} - ${balanceTransactions.fee}), 0)::int`;
  return connection
    .select({
      payoutId: payouts.payoutId,
      provider: payouts.provider,
      amount: payouts.amount,
      contained,
    })
    .from(payouts)
    .leftJoin(
      balanceTransactions,
      and(
        eq(balanceTransactions.provider, payouts.provider),
        eq(balanceTransactions.payoutId, payouts.payoutId),
      ),
    )
    .where(sql`${payouts.itemisedAt} is not null`)
    .groupBy(payouts.provider, payouts.payoutId)
    .having(sql`${contained} <> ${payouts.amount}`)
    .orderBy(asc(payouts.payoutId));
}

/** A payout without all of the clients’ money in it, and no recorded transfer to the client account. */
export interface OpenTransfer {
  provider: ProviderName;
  payoutId: string;
  arrivesOn: string;
  /** Pence. */
  toTransfer: number;
}

/** Finds the payouts that reached the bank by a day without all of the clients’ money in them, and that the firm has not made up. */
export async function findOpenTransfers(connection: Connection, today: string): Promise<OpenTransfer[]> {
  return connection
    .select({
      provider: payouts.provider,
      payoutId: payouts.payoutId,
      arrivesOn: payouts.arrivesOn,
      toTransfer: sql<number>`${payouts.toTransfer}`,
    })
    .from(payouts)
    .where(
      and(
        eq(payouts.precedesMatching, false),
        isNull(payouts.transferredOn),
        or(eq(payouts.status, 'paid'), isNotNull(payouts.matchedOn)),
        lte(payouts.arrivesOn, today),
        gt(payouts.toTransfer, 0),
      ),
    )
    .orderBy(asc(payouts.arrivesOn), asc(payouts.payoutId));
}
