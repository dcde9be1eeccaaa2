import type { FeedRecord } from '@keyturn/contract';
import type { DeskSearch, SearchEdit, StaffCallBody } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { invalidInput, notPossible } from '../../platform/domain-error.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import { withdrawUnchecked } from '../documents/withdraw-document.ts';
import type { EditDependencies, EditRequest, RecordEditor } from '../editing/edit-case.ts';
import {
  changeVersion,
  editRecord,
  isAlike,
  type RecordChange,
  readExisting,
  restoringChanges,
  withChanges,
} from '../editing/edit-record.ts';
import { type LockedCase, lockRecord } from '../editing/lock-record.ts';
import { deskReference } from '../records/references.ts';
import { completeTasks } from '../tasks/tasks-of-records.ts';
import { findObstacle, type SearchStep } from './search-states.ts';

type SearchRecord = FeedRecord<'searches'>;
type Version = { version: string };

const editedFields = [
  'name',
  'supplier',
  'explanation',
  'price',
  'supplier_cost',
  'rebate',
  'estimate',
  'above_estimate',
  'refund_rule',
  'required_by',
  'expected_on',
  'delayed_reason',
  'valid_until',
  'outcome',
  'outcome_summary',
] as const;

/** Edits a search. @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable` */
export async function editSearch(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: SearchEdit,
): Promise<{ search: DeskSearch; undo: SearchEdit | null }> {
  const { before, after, found } = await editRecord(
    dependencies,
    request,
    { kind: 'search', id, version },
    {
      list: 'searches',
      change: (search) => {
        if (changes.outcome !== undefined && search.status !== 'reviewed')
          throw notPossible('Only a search whose result was reviewed has an outcome.');
        return withChanges(search, changes);
      },
      storeBefore: async (editor, search) => {
        const [payment] = await findPayments(editor.transaction, id);
        if (!payment || !changes.price) return;
        const { price } = await readExisting(editor, 'searches', search.reference);
        if (!isAlike(price, search.price))
          throw notPossible(
            'A payment was started at this price, so the price can’t change. Cancel the search and add it again at the new price.',
          );
      },
    },
  );
  const search = findInCase(found, 'search', id) as DeskSearch;
  const restored = restoringChanges(before, after, editedFields);
  return { search, undo: restored && { version: search.version, changes: restored } };
}

/** Records that a search was ordered. @throws DomainError as `editSearch` */
export const orderSearch = (
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, expected_on }: StaffCallBody<'POST /staff/searches/{id}/order'>,
) =>
  takeStep(dependencies, request, { id, version }, 'order', {
    change: (search) => ordered(search, dependencies.clock(), expected_on),
  });

/** @returns the search as ordered now, or unchanged if it was already ordered */
const ordered = (search: SearchRecord, now: Date, expectedOn: string | null | undefined): SearchRecord =>
  withChanges(search, {
    ...(expectedOn === undefined ? {} : { expected_on: expectedOn }),
    ...(search.status === 'ordered' ? {} : { status: 'ordered', ordered_at: now.toISOString() }),
  });

/** Cancels a search. @throws DomainError as `editSearch` */
export const cancelSearch = (
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version }: Version,
) => takeStep(dependencies, request, { id, version }, 'cancel', { change: cancelled });

const cancelled = (search: SearchRecord): SearchRecord => ({ ...search, status: 'cancelled' });

/**
 * Cancels a search in the transaction that adds the one in its place.
 * @throws DomainError `not_found`, `edit_not_possible`
 * @throws ChangedMeanwhile
 */
export async function cancelReplaced(
  editor: RecordEditor,
  ofCase: LockedCase,
  { id, version }: { id: string } & Version,
): Promise<void> {
  const locked = await lockRecord(editor.transaction, { kind: 'search', id }, ofCase);
  const before = await readExisting(editor, 'searches', locked.reference);
  const after = changeVersion(locked, version, before, () => {
    checkStep(before, 'cancel', false);
    return cancelled(before);
  });
  if (isAlike(before, after)) return;
  checkStep(before, 'cancel', await isUnderPayment(editor.transaction, id));
  await editor.store('searches', [after]);
  await completeTasks(editor, 'pay_search', { column: 'case_search_id', id });
}

/**
 * Records that the result of a search is back, and says what it means. Clients see its file once the search is reviewed.
 * @throws DomainError as `editSearch`
 */
export function returnSearch(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  {
    version,
    outcome,
    outcome_summary,
    valid_until,
    document,
  }: StaffCallBody<'POST /staff/searches/{id}/result'>,
) {
  const now = dependencies.clock();
  const reference = document && deskReference(document.file_id);
  const change = (search: SearchRecord): SearchRecord => {
    if (document && outcome === null && search.status === 'reviewed')
      throw invalidInput('outcome', 'is required: clients see the new file at once');
    return withChanges(search, {
      status: outcome === null && search.status !== 'reviewed' ? 'returned' : 'reviewed',
      returned_at: search.returned_at ?? now.toISOString(),
      ...(outcome === null ? {} : { outcome }),
      ...(outcome_summary === null ? {} : { outcome_summary }),
      ...(valid_until === undefined ? {} : { valid_until }),
      ...(reference ? { result_document: reference } : {}),
    });
  };
  const shareNow = async (editor: RecordEditor, file: string) =>
    editor.store('documents', [
      { ...(await readExisting(editor, 'documents', file)), shared_at: now.toISOString() },
    ]);
  const shareResult = async (editor: RecordEditor, search: SearchRecord) => {
    const stored = await readExisting(editor, 'searches', search.reference);
    const former = stored.result_document;
    if (!document || !reference) {
      if (former && stored.status !== 'reviewed' && search.status === 'reviewed')
        await shareNow(editor, former);
      return;
    }
    if (await editor.read('documents', reference))
      throw invalidInput('document.file_id', 'was used for another document: upload the file again');
    const by = { actor: request.actor, address: request.address };
    const isWithdrawn =
      former && (await withdrawUnchecked(editor.transaction, { reference: former }, { at: now, by }));
    await editor.store('documents', [
      {
        reference,
        matter: search.matter,
        group: 'searches',
        title: document.title,
        file: document.file_name,
        uploaded_by: request.actor.name,
        shared_at: now.toISOString(),
        ...(former && !isWithdrawn ? { supersedes: former } : {}),
      },
    ]);
  };
  return takeStep(dependencies, request, { id, version }, 'return', { change, storeBefore: shareResult });
}

async function takeStep(
  dependencies: EditDependencies,
  request: EditRequest,
  { id, version }: { id: string } & Version,
  step: SearchStep,
  { change, storeBefore }: Pick<RecordChange<'searches'>, 'change' | 'storeBefore'>,
): Promise<{ search: DeskSearch }> {
  const { found } = await editRecord(
    dependencies,
    request,
    { kind: 'search', id, version },
    {
      list: 'searches',
      change: (search, locked) => {
        checkStep(search, step, false);
        return change(search, locked);
      },
      storeBefore: async (editor, search, locked) => {
        const stored = await readExisting(editor, 'searches', search.reference);
        checkStep(stored, step, await isUnderPayment(editor.transaction, id));
        if (step !== 'cancel' && (await awaitsPayerCheck(editor.transaction, id)))
          throw notPossible(
            'Someone else’s card paid for this search. Finance checks who paid before it is ordered.',
          );
        await storeBefore?.(editor, search, locked);
      },
      // An ordered or cancelled search no longer needs to be paid.
      storeAfter: (editor) => completeTasks(editor, 'pay_search', { column: 'case_search_id', id }),
    },
  );
  return { search: findInCase(found, 'search', id) as DeskSearch };
}

/** @throws DomainError `edit_not_possible` */
function checkStep(search: SearchRecord, step: SearchStep, isUnderPayment: boolean): void {
  const obstacle = findObstacle(search, step, isUnderPayment);
  if (obstacle !== null) throw notPossible(obstacle);
}

/** Whether a client is paying for a search, whose row is locked. */
const isUnderPayment = async (transaction: Transaction, caseSearchId: string): Promise<boolean> =>
  (await findPayments(transaction, caseSearchId)).some(({ paidAt }) => paidAt === null);

const awaitsPayerCheck = async (transaction: Transaction, caseSearchId: string): Promise<boolean> =>
  (await findPayments(transaction, caseSearchId)).some((payment) => payment.awaitsPayerCheck);

/** Finds the payments that reserve a search, whose row is locked, or have paid for it. */
async function findPayments(
  transaction: Transaction,
  caseSearchId: string,
): Promise<{ paidAt: unknown; awaitsPayerCheck: boolean }[]> {
  const { rows } = await transaction.execute<{ paidAt: unknown; awaitsPayerCheck: boolean }>(sql`
    select paid_at as "paidAt", awaits_payer_check(payments) as "awaitsPayerCheck" from payments
    where case_search_id = ${caseSearchId} and status <> 'cancelled' and search_released_at is null`);
  return rows;
}
