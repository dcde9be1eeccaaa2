import { createHash } from 'node:crypto';
import { isRefundPending } from '@keyturn/format/refunds';
import { and, eq, sql } from 'drizzle-orm';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { storeAndRecord } from '../../platform/files/file-reservations.ts';
import { type FileStore, readStoredFile } from '../../platform/stored-file.ts';
import { receiptFiles } from '../../schema/tables/payment-tables.ts';
import type { ReceiptContent, ReceiptPrinter } from '../ports/printers.ts';

/**
 * The receipts of payments. Each is created once, when it is first needed, and never changes. A refund, a failed
 * refund, a new clearing day or a dispute leads to another receipt.
 */
export interface StoredReceipts {
  /**
   * Returns the receipt of a payment with the refunds made so far, creating it if necessary.
   * @throws DomainError `document_damaged` if the stored file is missing or altered
   */
  get(paymentId: string, receipt: ReceiptContent): Promise<Buffer>;
}

export interface StoredReceiptsOptions {
  database: Database;
  files: Pick<FileStore, 'put' | 'read'>;
  printer: ReceiptPrinter;
  clock: Clock;
  alertOperator: AlertOperator;
}

export function createStoredReceipts(options: StoredReceiptsOptions): StoredReceipts {
  const inProgress = new Map<string, Promise<Buffer>>();
  return {
    get: (paymentId, receipt) => {
      const key = Object.values(keyOf(paymentId, receipt)).join(' ');
      const reading =
        inProgress.get(key) ?? readOrMake(options, paymentId, receipt).finally(() => inProgress.delete(key));
      inProgress.set(key, reading);
      return reading;
    },
  };
}

async function readOrMake(
  options: StoredReceiptsOptions,
  paymentId: string,
  receipt: ReceiptContent,
): Promise<Buffer> {
  const key = keyOf(paymentId, receipt);
  const stored = (await findReceiptFile(options, key)) ?? (await makeReceipt(options, key, receipt));
  return readStoredFile(options, { paymentId, sha256: stored.sha256, size: stored.size });
}

type ReceiptKey = Pick<
  typeof receiptFiles.$inferSelect,
  'paymentId' | 'refundedAmount' | 'isCleared' | 'clearsOn' | 'refunds' | 'dispute'
>;

/** The facts on a receipt that can change after the payment. */
const keyOf = (
  paymentId: string,
  { refundedAmount, clearing, refunds, dispute, kind, lines }: ReceiptContent,
): ReceiptKey => ({
  paymentId,
  refundedAmount,
  isCleared: clearing?.is_cleared === true,
  clearsOn: clearing?.on ?? null,
  refunds: digestOf(refunds, kind === 'search' ? officeMoneyIn(lines) : 0),
  dispute,
});

const officeMoneyIn = (lines: ReceiptContent['lines']) =>
  lines.reduce((sum, { gross, client_money }) => sum + (client_money ? 0 : gross), 0);

/**
 * A receipt shows for each refund the time, the amount, and whether it failed or is on its way; and how much of the payment for a search
 * repays the firm, in pence. Empty if it shows none of that.
 */
function digestOf(refunds: ReceiptContent['refunds'], repaid: number): string {
  if (refunds.length === 0 && repaid === 0) return '';
  const shown = refunds.map((refund) => [
    refund.amount,
    refund.created_at,
    refund.failed_at,
    ...(isRefundPending(refund) ? ['pending'] : []),
  ]);
  return createHash('sha256')
    .update(JSON.stringify(repaid === 0 ? shown : [...shown, { repaid }]))
    .digest('hex');
}

/** Prints and stores a receipt. The first one stored wins, because another server may have created it meanwhile. */
async function makeReceipt(options: StoredReceiptsOptions, key: ReceiptKey, receipt: ReceiptContent) {
  const { database, files, printer, clock } = options;
  const content = await printer.print(receipt);
  await storeAndRecord({ database, files }, content, (sha256) =>
    database
      .insert(receiptFiles)
      .values({ ...key, sha256, size: content.length, madeAt: clock() })
      .onConflictDoNothing(),
  );
  const stored = await findReceiptFile(options, key);
  if (!stored) throw new Error('the receipt was not stored');
  return stored;
}

async function findReceiptFile({ database }: StoredReceiptsOptions, key: ReceiptKey) {
  const [row] = await database
    .select()
    .from(receiptFiles)
    .where(
      and(
        eq(receiptFiles.paymentId, key.paymentId),
        eq(receiptFiles.refundedAmount, key.refundedAmount),
        eq(receiptFiles.isCleared, key.isCleared),
        eq(receiptFiles.dispute, key.dispute),
        sql`${receiptFiles.clearsOn} is not distinct from ${key.clearsOn}::date`,
        eq(receiptFiles.refunds, key.refunds),
      ),
    );
  return row;
}
