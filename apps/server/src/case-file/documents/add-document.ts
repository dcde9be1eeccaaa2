import type { FeedRecord } from '@keyturn/contract';
import type { DeskDocument, StaffCallBody } from '@keyturn/contract/staff';
import { findAdded, requireSame } from '../editing/added-record.ts';
import { type EditDependencies, type EditRequest, editCase } from '../editing/edit-case.ts';
import { lockRecord } from '../editing/lock-record.ts';
import { deskReference } from '../records/references.ts';
import { assertSigningPossible, taskToSign } from './signing.ts';

type NewDocument = StaffCallBody<'POST /staff/matters/{id}/documents'>;

/**
 * Shares an uploaded file with the clients of a matter. Sending the same request again adds nothing more.
 * @throws DomainError as `addSearch`
 */
export async function addDocument(
  dependencies: EditDependencies,
  request: EditRequest,
  matterId: string,
  {
    file_id,
    file_name,
    title,
    group,
    signing,
    binds_on,
    confirm_identity,
    supersedes,
    for_client,
  }: NewDocument,
): Promise<{ document: DeskDocument }> {
  const reference = deskReference(file_id);
  if (signing === 'simple') await assertSigningPossible(dependencies, reference, 'file_id');
  const subject = { kind: 'matter', id: matterId } as const;
  const caseId = await editCase(dependencies, request, subject, async (editor, ofCase) => {
    const matter = await lockRecord(editor.transaction, subject, ofCase);
    const earlier =
      supersedes && (await lockRecord(editor.transaction, { kind: 'document', id: supersedes }, ofCase));
    const record: FeedRecord<'documents'> = {
      reference,
      matter: matter.reference,
      group,
      title,
      file: file_name,
      uploaded_by: request.actor.name,
      shared_at: dependencies.clock().toISOString(),
      ...(earlier ? { supersedes: earlier.reference } : {}),
      ...(signing ? { signing } : {}),
      ...(binds_on ? { binds_on } : {}),
      ...(confirm_identity === undefined ? {} : { confirm_identity }),
      ...(for_client ? { for_client } : {}),
    };
    const former = await editor.read('documents', reference);
    if (former)
      return requireSame(former, record, ['matter', 'title', 'group', 'for_client'], ofCase, 'file_id');
    await editor.store('documents', [record]);
    if (signing)
      await editor.store('tasks', [taskToSign(record, { reference, ofCase: ofCase.caseReference })]);
    return ofCase.caseId;
  });
  return { document: await findAdded(dependencies, caseId, 'documents', reference) };
}
