import type { DeskClient } from '@keyturn/contract/staff';
import { callStaff } from '../../../api/desk-api.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CaseChanges, SavedEdit } from '../case-queries.ts';
import { nameOf } from './access-dialog.tsx';

/** Asks whether to remove a client from the case, with the consequences, and does it. */
export function RemoveDialog({
  caseId,
  client,
  changes,
  onClose,
}: {
  caseId: string;
  client: DeskClient;
  changes: CaseChanges;
  onClose(): void;
}) {
  const name = nameOf(client);
  const params = { id: caseId, client_id: client.id };
  const send = async (edit: 'remove' | 'add'): Promise<SavedEdit<'remove' | 'add'>> => {
    if (edit === 'add') {
      await callStaff('PUT /staff/cases/{id}/clients/{client_id}', { params });
      return { undo: null };
    }
    await callStaff('DELETE /staff/cases/{id}/clients/{client_id}', { params });
    return { undo: 'add' };
  };
  return (
    <FormDialog
      open
      title={`Remove ${name} from this case?`}
      action="Remove from the case"
      look="danger"
      onSubmit={() =>
        changes.save(send, 'remove', {
          done: `${name} can no longer see this case.`,
          undone: `${name} can see this case again.`,
        })
      }
      onClose={onClose}
    >
      <p>
        They can no longer see this case, its documents or its payments. They can still sign in, and see their
        other cases. What they have signed and paid stays on this case.
      </p>
    </FormDialog>
  );
}
