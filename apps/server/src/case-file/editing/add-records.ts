import type { FeedRecord } from '@keyturn/contract';
import type { DeskCase, DeskDocument, DeskSearch, DeskTask, StaffCallBody } from '@keyturn/contract/staff';
import { invalidInput } from '../../platform/domain-error.ts';
import { assertSigningPossible, taskToSign } from '../documents/signing.ts';
import { deskReference } from '../records/desk-reference.ts';
import { cancelReplaced } from '../searches/edit-search.ts';
import { taskToPay } from '../tasks/tasks-of-records.ts';
import { type EditDependencies, notPossible, runEdit } from './edit-record.ts';
import { findCaseReference, type LockedRecord, lockRecord } from './lock-record.ts';
import type { EditRequest, RecordEditor } from './ports.ts';

type NewSearch = StaffCallBody<'POST /staff/matters/{id}/searches'>;
type NewDocument = StaffCallBody<'POST /staff/matters/{id}/documents'>;
type NewTask = StaffCallBody<'POST /staff/cases/{id}/tasks'>;

/**
 * Adds a search to a matter, with a task to pay for it, and cancels the search that it replaces. Sending the same
 * request again adds nothing more.
 * @throws DomainError `not_found`, `invalid_input`, `edit_not_possible`, `changed_meanwhile`, `unavailable`
 */
export async function addSearch(
  dependencies: EditDependencies,
  request: EditRequest,
  matterId: string,
  { id, pay_by, expected_on, replaces, ...search }: NewSearch,
): Promise<{ search: DeskSearch }> {
  const reference = deskReference(id);
  const caseId = await runEdit(dependencies, request, async (editor) => {
    const matter = await lockRecord(editor.transaction, 'matter', matterId);
    const record: FeedRecord<'searches'> = {
      ...search,
      reference,
      matter: matter.reference,
      ...(search.status === 'paid' ? { paid_at: dependencies.clock().toISOString() } : {}),
      ...(expected_on ? { expected_on } : {}),
    };
    const former = await editor.read('searches', reference);
    if (former) return requireSame(former, record, ['matter', 'code', 'name'], matter);
    if (replaces) await cancelReplaced(editor, matter, replaces);
    await editor.send('searches', record);
    if (record.status === 'awaiting_payment') {
      const task = taskToPay(record, { reference, ofCase: matter.caseReference, dueOn: pay_by });
      await editor.send('tasks', task);
    }
    return matter.caseId;
  });
  return { search: await findAdded(dependencies, caseId, 'searches', reference) };
}

/**
 * Shares an uploaded file with the clients of a matter. Sending the same request again adds nothing more.
 * @throws DomainError as `addSearch`
 */
export async function addDocument(
  dependencies: EditDependencies,
  request: EditRequest,
  matterId: string,
  { file_id, file_name, title, group, signing, binds_on, confirm_identity, supersedes }: NewDocument,
): Promise<{ document: DeskDocument }> {
  const reference = deskReference(file_id);
  if (signing === 'simple') await assertSigningPossible(dependencies, reference, 'file_id');
  const caseId = await runEdit(dependencies, request, async (editor) => {
    const matter = await lockRecord(editor.transaction, 'matter', matterId);
    const earlier = supersedes && (await findInOwn(editor, matter, 'document', supersedes));
    const record: FeedRecord<'documents'> = {
      reference,
      matter: matter.reference,
      group,
      title,
      file: file_name,
      uploaded_by: request.actor.name,
      shared_at: dependencies.clock().toISOString(),
      ...(earlier ? { supersedes: earlier } : {}),
      ...(signing ? { signing } : {}),
      ...(binds_on ? { binds_on } : {}),
      ...(confirm_identity ? { confirm_identity } : {}),
    };
    const former = await editor.read('documents', reference);
    if (former) return requireSame(former, record, ['matter', 'title', 'group'], matter, 'file_id');
    await editor.send('documents', record);
    if (signing) await editor.send('tasks', taskToSign(record, { reference, ofCase: matter.caseReference }));
    return matter.caseId;
  });
  return { document: await findAdded(dependencies, caseId, 'documents', reference) };
}

/**
 * Adds a task. Sending the same request again adds nothing more.
 * @throws DomainError as `addSearch`
 */
export async function addTask(
  dependencies: EditDependencies,
  request: EditRequest,
  caseId: string,
  { id, kind, title, explanation, due_on, amount, matter_id, case_search_id, document_id }: NewTask,
): Promise<{ task: DeskTask }> {
  const reference = deskReference(id);
  if (amount !== null && kind !== 'pay') throw invalidInput('amount', 'is only for a task to pay');
  await runEdit(dependencies, request, async (editor) => {
    const ofCase = { caseId, caseReference: await findCaseReference(editor.transaction, caseId) };
    const [matter, search, document] = [
      matter_id && (await findInOwn(editor, ofCase, 'matter', matter_id)),
      case_search_id && (await findInOwn(editor, ofCase, 'search', case_search_id)),
      document_id && (await findInOwn(editor, ofCase, 'document', document_id)),
    ];
    const record: FeedRecord<'tasks'> = {
      reference,
      case: ofCase.caseReference,
      kind,
      title,
      explanation,
      status: 'open',
      ...(due_on ? { due_on } : {}),
      ...(amount ? { amount } : {}),
      ...(matter ? { matter } : {}),
      ...(search ? { search } : {}),
      ...(document ? { document } : {}),
    };
    const former = await editor.read('tasks', reference);
    if (former) return requireSame(former, record, ['case', 'kind', 'title'], ofCase);
    await editor.send('tasks', record);
    return caseId;
  });
  return { task: await findAdded(dependencies, caseId, 'tasks', reference) };
}

type OwnCase = Pick<LockedRecord, 'caseId' | 'caseReference'>;

/** @returns the reference of a record of the case @throws DomainError `edit_not_possible` for another case’s record */
async function findInOwn(
  editor: RecordEditor,
  { caseId }: OwnCase,
  kind: 'matter' | 'search' | 'document',
  id: string,
): Promise<string> {
  const found = await lockRecord(editor.transaction, kind, id);
  if (found.caseId !== caseId) throw notPossible(`This ${kind} belongs to another case.`);
  return found.reference;
}

/** Accepts a repeated request. @returns the id of the case @throws DomainError `invalid_input` for another request */
function requireSame<Sent extends object>(
  former: Sent,
  record: Sent,
  fields: readonly (keyof Sent)[],
  { caseId }: OwnCase,
  idField = 'id',
): string {
  if (fields.some((field) => former[field] !== record[field]))
    throw invalidInput(idField, 'was used for another record: send this one with a new id');
  return caseId;
}

/** Finds an added record in the current case. */
async function findAdded<List extends 'searches' | 'documents' | 'tasks'>(
  { database, readCase }: EditDependencies,
  caseId: string,
  list: List,
  reference: string,
): Promise<DeskCase[List][number]> {
  const records: readonly DeskCase[List][number][] = (await readCase(database, caseId))[list];
  const added = records.find((record) => record.reference === reference);
  if (!added) throw new Error(`${list} ${reference} was added and cannot be read`);
  return added;
}
