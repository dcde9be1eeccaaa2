import { isDeepStrictEqual } from 'node:util';
import type { BillLine, FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { bills, payments } from '../../schema/tables/payment-tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { checkEstimate } from '../records/check-estimate.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find, findReferenceInCase } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { amountsOf, linesOf } from './bill-lines.ts';
import { billRecord } from './bill-record.ts';

/** Writes bills. Their amounts do not change once a payment of them has started. */
export async function openBillWriter(context: WriterContext<'bills'>): Promise<RecordWriter<'bills'>> {
  const { transaction, changes } = context;
  const underPayment = await findBillsUnderPayment(
    transaction,
    changes.flatMap(({ id, isNew }) => (isNew ? [] : [id])),
  );
  const rows: { isNew: boolean; row: typeof bills.$inferInsert }[] = [];
  return {
    plan: ({ record, id, isNew, sent }) => {
      const caseId = find(context, 'cases', record.case, '/case').id;
      const parent = assertParentUnchanged(context, 'bills', record.reference, '/case', caseId);
      const matter = findReferenceInCase(context, 'matters', record.matter, '/matter', parent);
      const document = findReferenceInCase(context, 'documents', record.document, '/document', parent);
      checkDueDate(record);
      const amounts = amountsOf(record);
      checkEstimate(record, amounts.net + amounts.vat);
      checkAmounts({ ...amounts, description: record.description }, underPayment.get(id));
      rows.push({
        isNew,
        row: {
          ...storedColumns(billRecord, record),
          id,
          caseId: parent,
          ...amounts,
          matterId: matter?.id ?? null,
          documentId: document?.id ?? null,
          feedHash: sent.hash,
          feedSentAt: sent.sentAt,
        },
      });
      return { id, ...sent, parent, caseId: parent };
    },
    write: () => writeRows(transaction, bills, rows),
  };
}

function checkDueDate({ matter, due_on, due_on_completion }: FeedRecord<'bills'>): void {
  if (!due_on_completion) return;
  if (due_on !== undefined) throw new RecordRejected('/due_on', 'cannot be set with due_on_completion');
  if (matter === undefined) throw new RecordRejected('/matter', 'is needed for due_on_completion');
}

type BillAmounts = Pick<typeof bills.$inferSelect, 'lines' | 'description' | 'net' | 'vatRate' | 'vat'>;

/** The payments and receipts of a bill list its amounts, so these stay as they are. */
function checkAmounts(sent: BillAmounts, before: BillAmounts | undefined): void {
  if (!before || isDeepStrictEqual(linesOf(before).map(amountOf), linesOf(sent).map(amountOf))) return;
  const field = sent.lines
    ? '/lines'
    : before.net !== sent.net
      ? '/net'
      : before.vat !== sent.vat
        ? '/vat'
        : '/vat_rate';
  throw new RecordRejected(field, 'cannot change: a payment of this bill was started');
}

const amountOf = ({ net, vat_rate, vat, money }: BillLine) => ({ net, vat_rate, vat, money });

/** Locks bills, and waits for payments that are being started. @returns those with a payment, by id */
async function findBillsUnderPayment(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, BillAmounts>> {
  const among = sql`any(${sql.param(ids)}::uuid[])`;
  await transaction.execute(sql`select from bills where id = ${among} order by id for update`);
  const rows = await transaction
    .select({
      id: bills.id,
      lines: bills.lines,
      description: bills.description,
      net: bills.net,
      vatRate: bills.vatRate,
      vat: bills.vat,
    })
    .from(bills)
    .where(
      sql`${bills.id} = ${among} and exists (select from ${payments}
        where ${payments.billId} = ${bills.id} and ${payments.status} <> 'cancelled')`,
    );
  return new Map(rows.map((row) => [row.id, row]));
}
