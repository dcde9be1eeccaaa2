import { becomesContract, type FeedRecord } from '@keyturn/contract';
import type { DeskDocument, DocumentEdit } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { sql } from 'drizzle-orm';
import { invalidInput } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { findInCase } from '../cases/read-desk-case.ts';
import type { EditDependencies, EditRequest, RecordEditor } from '../editing/edit-case.ts';
import { editRecord, readExisting, restoringChanges, withChanges } from '../editing/edit-record.ts';
import { deskReference } from '../records/references.ts';
import { completeTasks } from '../tasks/tasks-of-records.ts';
import { assertSigningPossible, taskToSign } from './signing.ts';

type DocumentRecord = FeedRecord<'documents'>;

const editedFields = [
  ...['title', 'group', 'signing', 'binds_on', 'received_on', 'originals', 'confirm_identity', 'for_client'],
] as const;

/**
 * Edits a document. Its signing task is opened when signatures are requested, and completed when they are withdrawn or
 * the signed paper has arrived.
 * @throws DomainError `not_found`, `invalid_input`, `changed_meanwhile`, `unavailable`
 */
export async function editDocument(
  dependencies: EditDependencies,
  request: EditRequest,
  id: string,
  { version, changes }: DocumentEdit,
): Promise<{ document: DeskDocument; undo: DocumentEdit | null }> {
  const today = londonDay(dependencies.clock());
  if (changes.signing === 'simple') {
    const reference = await findReference(dependencies, id);
    if (reference !== null) await assertSigningPossible(dependencies, reference, 'changes.signing');
  }
  let stored: DocumentRecord;
  const { before, after, found } = await editRecord(
    dependencies,
    request,
    { kind: 'document', id, version },
    {
      list: 'documents',
      change: (document) => changeDocument(document, changes, today),
      storeBefore: async (editor, { reference }) => {
        stored = await readExisting(editor, 'documents', reference);
      },
      storeAfter: async (editor, { reference }, { caseReference }) => {
        const document = await readExisting(editor, 'documents', reference);
        await updateTask(editor, id, { stored, document, caseReference });
      },
    },
  );
  const document = findInCase(found, 'document', id) as DeskDocument;
  const restored = restoringChanges(before, after, editedFields);
  return { document, undo: restored && { version: document.version, changes: withoutNull(restored) } };
}

function changeDocument(
  document: DocumentRecord,
  changes: DocumentEdit['changes'],
  today: string,
): DocumentRecord {
  if ((changes.received_on ?? '') > today) throw invalidInput('changes.received_on', 'is in the future');
  for (const [index, { received_on }] of (changes.originals ?? []).entries())
    if (received_on > today) throw invalidInput(`changes.originals.${index}.received_on`, 'is in the future');
  // Both fields belong to the withdrawn signatures.
  const implied = changes.signing === null ? { binds_on: null, received_on: null, originals: null } : {};
  // It was the day of the last original, which the writer finds again.
  const derived = changes.originals !== undefined && document.originals ? { received_on: null } : {};
  const after = withChanges(document, { ...implied, ...derived, ...changes });
  const isStillUndecided = document.signing === 'simple' && changes.confirm_identity === undefined;
  return isStillUndecided && becomesContract(document, after) ? { ...after, confirm_identity: true } : after;
}

/** A document that was not signed on the screen did not say whether clients confirm their identity. */
const withoutNull = ({ confirm_identity, ...restored }: Record<string, unknown>): DocumentEdit['changes'] =>
  typeof confirm_identity === 'boolean' ? { ...restored, confirm_identity } : restored;

/** Opens or completes the task to sign a document whose signing changes, or whose signed paper has arrived. */
async function updateTask(
  editor: RecordEditor,
  id: string,
  {
    stored,
    document,
    caseReference,
  }: { stored: DocumentRecord; document: DocumentRecord; caseReference: string },
): Promise<void> {
  if (document.signing === undefined || document.received_on !== undefined)
    return completeTasks(editor, 'sign_document', { column: 'document_id', id });
  const isTakenBack = stored.received_on !== undefined;
  if (stored.signing === document.signing && !isTakenBack) return;
  const { rows } = await editor.transaction.execute<{ reference: string }>(sql`
    select reference from tasks where document_id = ${id} and kind = 'sign_document' order by position, id limit 1`);
  const [task] = rows;
  if (isTakenBack && !task) return;
  const asked = task
    ? { ...(await readExisting(editor, 'tasks', task.reference)), status: 'open' as const }
    : taskToSign(document, { reference: deskReference(newId()), ofCase: caseReference });
  await editor.store('tasks', [asked]);
}

/** Finds the reference of a document; null for an unknown one. */
async function findReference({ database }: EditDependencies, id: string): Promise<string | null> {
  const { rows } = await database.execute<{ reference: string }>(
    sql`select reference from documents where id::text = ${id}`,
  );
  return rows[0]?.reference ?? null;
}
