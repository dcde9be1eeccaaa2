import type { FeedRecord } from '@keyturn/contract';
import { bills } from '../../../platform/tables/payment-tables.ts';
import { type Known, lockBill, upsert } from '../feed-store.ts';
import { RecordRejected } from '../read-document.ts';
import type { RecordContext } from '../record-context.ts';
import { assertParentUnchanged, find, findInCase } from './find-references.ts';

/** Writes a bill. Its amounts do not change once a payment of it has started. */
export async function writeBill(record: FeedRecord<'bills'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const caseId = find(context, 'cases', record.case, '/case').id;
  const parent = assertParentUnchanged(context, 'bills', record.reference, '/case', caseId);
  const matter = findInCase(context, 'matters', record.matter, '/matter', parent);
  checkDueDate(record);
  if (!isNew) await checkBillUnderPayment(transaction, id, record);
  await upsert(transaction, bills, !isNew, {
    id,
    caseId: parent,
    matterId: matter?.id ?? null,
    reference: record.reference,
    number: record.number,
    description: record.description,
    issuedOn: record.issued_on,
    dueOn: record.due_on ?? null,
    dueOnCompletion: record.due_on_completion ?? false,
    net: record.net,
    vatRate: record.vat_rate,
    vat: record.vat,
    status: record.status,
    paidOtherwise: record.paid ?? 0,
    feedHash: hash,
  });
  return { id, hash, parent, caseId: parent };
}

function checkDueDate({ matter, due_on, due_on_completion }: FeedRecord<'bills'>): void {
  if (!due_on_completion) return;
  if (due_on !== undefined) throw new RecordRejected('/due_on', 'cannot be set with due_on_completion');
  if (matter === undefined) throw new RecordRejected('/matter', 'is needed for due_on_completion');
}

/** The payments and receipts of a bill list its amounts, so these stay as they are. */
async function checkBillUnderPayment(
  transaction: RecordContext['transaction'],
  id: string,
  { net, vat, vat_rate }: FeedRecord<'bills'>,
): Promise<void> {
  const before = await lockBill(transaction, id);
  if (!before?.hasPayments) return;
  const field = before.net !== net ? '/net' : before.vat !== vat ? '/vat' : null;
  if (field !== null || before.vatRate !== vat_rate) {
    throw new RecordRejected(field ?? '/vat_rate', 'cannot change: a payment of this bill was started');
  }
}
