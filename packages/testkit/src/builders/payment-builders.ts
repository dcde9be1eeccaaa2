import { randomUUID } from 'node:crypto';
import type { PaymentStatus } from '@keyturn/contract';
import type { Connection } from '@keyturn/server/platform/database.ts';
import { bills, payments } from '@keyturn/server/schema/tables/payment-tables.ts';
import { insertOne, type Row } from './insert-row.ts';

/** Builds a bill for the whole case, of £276.00 with VAT. */
export async function buildBill(database: Connection, row: Row<typeof bills> & { caseId: string }) {
  const number = randomUUID().slice(0, 8);
  return insertOne(
    database
      .insert(bills)
      .values({
        id: randomUUID(),
        reference: `B-${number}`,
        number,
        description: 'Our fee for your purchase',
        issuedOn: '2026-11-17',
        net: 23_000,
        vatRate: 20,
        vat: 4_600,
        status: 'issued',
        paidOtherwise: 0,
        ...row,
      })
      .returning(),
  );
}

/**
 * Builds a payment that reached `status` by the fewest allowed transitions. It is for a search if `caseSearchId` is
 * set.
 */
export async function buildPayment(
  database: Connection,
  {
    status = 'requires_payment_method',
    paidAt,
    refundedAmount,
    ...row
  }: Row<typeof payments> & { caseId: string; clientId: string },
) {
  const amount = row.amount ?? 18_000;
  const started = await insertOne(
    database
      .insert(payments)
      .values({
        id: randomUUID(),
        kind: row.caseSearchId ? 'search' : 'other',
        status: 'requires_payment_method',
        amount,
        description: 'Local authority search',
        category: row.caseSearchId ? 'search' : 'money_on_account',
        lines: [],
        provider: 'sandbox',
        providerIdempotencyKey: randomUUID(),
        lastCause: 'test',
        ...row,
      })
      .returning(),
  );
  let payment = started;
  for (const step of wayTo[status]) {
    const change = {
      status: step,
      paidAt: isPaid(step) ? (paidAt ?? new Date()) : null,
      refundedAmount:
        step === 'refunded' ? amount : step === 'partially_refunded' ? (refundedAmount ?? 1) : 0,
    };
    // The insert always conflicts with an existing row, so that each step is an update that fires the triggers.
    payment = await insertOne(
      database
        .insert(payments)
        .values(started)
        .onConflictDoUpdate({ target: payments.id, set: change })
        .returning(),
    );
  }
  return payment;
}

const isPaid = (status: PaymentStatus) =>
  status === 'succeeded' || status === 'partially_refunded' || status === 'refunded';

const wayTo: Record<PaymentStatus, readonly PaymentStatus[]> = {
  requires_payment_method: [],
  requires_action: ['requires_action'],
  processing: ['processing'],
  succeeded: ['succeeded'],
  partially_refunded: ['succeeded', 'partially_refunded'],
  refunded: ['succeeded', 'refunded'],
  cancelled: ['cancelled'],
};
