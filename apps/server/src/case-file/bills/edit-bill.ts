import type { FeedRecord } from '@keyturn/contract';
import type { BillEdit, DeskBill, StaffCallBody } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { invalidInput, notPossible } from '../../platform/domain-error.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import { findStoredFile } from '../documents/stored-files.ts';
import type { EditDependencies, EditRequest } from '../editing/edit-case.ts';
import { editRecord, restoringChanges, withChanges } from '../editing/edit-record.ts';
import { deskReference } from '../records/references.ts';
import { sentLinesOf, withVat } from './bill-lines.ts';

type BillRecord = FeedRecord<'bills'>;

/**
 * Changes the lines of a bill that nothing was paid of, and its estimate.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function editBill(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: BillEdit,
): Promise<{ bill: DeskBill; undo: BillEdit | null }> {
  const { before, after, found } = await editRecord(
    dependencies,
    request,
    { kind: 'bill', id, version },
    {
      list: 'bills',
      change: (bill) => changedBill(bill, changes),
      storeBefore: ({ transaction }, bill) => assertUnpaid(transaction, id, bill),
    },
  );
  const former = sentLinesOf(before);
  const restored = restoringChanges(before, after, editedFields);
  const bill = findInCase(found, 'bill', id) as DeskBill;
  const undo =
    restored && former && bill.version
      ? { version: bill.version, changes: { ...restored, lines: former } }
      : null;
  return { bill, undo };
}

const editedFields = ['lines', 'estimate', 'above_estimate'] as const;

function changedBill(
  { net: _net, vat_rate: _rate, vat: _vat, ...bill }: BillRecord,
  { lines, ...changes }: BillEdit['changes'],
): BillRecord {
  return withChanges({ ...bill, lines: lines.map(withVat) }, changes);
}

/** Payments and receipts list the lines of a bill. The writer checks that too, for a bill that a client has just started to pay. */
async function assertUnpaid(
  transaction: Transaction,
  id: string,
  { status, paid }: BillRecord,
): Promise<void> {
  if (status === 'cancelled') throw notPossible('This bill is cancelled, so its lines can’t be changed.');
  const { rows } = await transaction.execute<{ isOpen: boolean }>(sql`
    select paid_at is null as "isOpen" from payments
    where bill_id = ${id} and status <> 'cancelled' order by paid_at nulls first limit 1`);
  const [payment] = rows;
  if (payment?.isOpen)
    throw notPossible(
      'A client is paying this bill, so its lines can’t be changed. They can be changed if the payment is cancelled.',
    );
  if (payment || (paid ?? 0) > 0)
    throw notPossible(
      'Some of this bill has been paid, so its lines can’t be changed. Correct it with a new bill or a credit note.',
    );
}

/**
 * Shares an uploaded PDF as the document of a bill. It is a newer version of the earlier one, if there is one.
 * @throws DomainError as `editBill`
 */
export async function setBillDocument(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, file_id, file_name }: StaffCallBody<'POST /staff/bills/{id}/document'>,
): Promise<{ bill: DeskBill }> {
  const reference = deskReference(file_id);
  const { found } = await editRecord(
    dependencies,
    request,
    { kind: 'bill', id, version },
    {
      list: 'bills',
      change: (bill) => ({ ...bill, document: reference }),
      storeBefore: async (editor, bill) => {
        const file = await findStoredFile(editor.transaction, reference);
        if (file && file.mediaType !== 'application/pdf')
          throw invalidInput('file_id', 'must be a PDF: clients keep it as their invoice');
        const { matter, supersedes } = await findPlaceOfDocument(editor.transaction, id);
        await editor.store('documents', [
          {
            reference,
            matter,
            group: 'money',
            title: `Bill ${bill.number}`,
            file: file_name,
            uploaded_by: request.actor.name,
            shared_at: dependencies.clock().toISOString(),
            ...(supersedes === null ? {} : { supersedes }),
          },
        ]);
      },
    },
  );
  return { bill: findInCase(found, 'bill', id) as DeskBill };
}

/** Finds the matter of a bill’s document and the version that it replaces: the newest that was not withdrawn, if there is one. */
async function findPlaceOfDocument(
  transaction: Transaction,
  id: string,
): Promise<{ matter: string; supersedes: string | null }> {
  const { rows } = await transaction.execute<{ matter: string; supersedes: string | null }>(sql`
    with recursive versions as (
      select document.*, 0 as age from documents document
        join bills bill on bill.document_id = document.id where bill.id = ${id}
      union all
      select newer.*, versions.age + 1 from documents newer join versions on newer.supersedes_id = versions.id)
    select matter.reference as matter, earlier.reference as supersedes
    from bills bill
    left join lateral (
      select * from versions where withdrawn_at is null order by age desc, id limit 1) earlier on true
    join matters matter on matter.case_id = bill.case_id
    where bill.id = ${id}
    order by matter.id = earlier.matter_id desc nulls last, matter.id = bill.matter_id desc nulls last,
      matter.position, matter.id limit 1`);
  const [place] = rows;
  if (!place) throw notPossible('This case has no matter, so its bills can have no documents.');
  return place;
}
