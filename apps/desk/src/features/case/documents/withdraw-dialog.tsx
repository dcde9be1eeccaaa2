import type { DeskDocument } from '@keyturn/contract/staff';
import { formatMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CasePartProps } from '../case-part-props.ts';

/** Asks whether to withdraw a document that was shared by mistake, and says which clients have seen it. */
export function WithdrawDialog({
  document: { id, title, seen_by },
  changes,
  onClose,
}: {
  document: DeskDocument;
  changes: CasePartProps['changes'];
  onClose(): void;
}) {
  const today = useToday();
  return (
    <FormDialog
      open
      title={`Withdraw “${title}”?`}
      action="Withdraw the document"
      look="danger"
      onSubmit={() =>
        changes.make(
          callStaff('POST /staff/documents/{id}/withdraw', { params: { id } }),
          `${title} is withdrawn. Clients can no longer open it.`,
        )
      }
      onClose={onClose}
    >
      <p>Clients can no longer open it, and tasks about it are done. This cannot be undone.</p>
      {seen_by.length === 0 ? (
        <p>No client has opened it.</p>
      ) : (
        <>
          <p>These clients have opened it. Each gets an email that asks them to delete their copies:</p>
          <ul>
            {seen_by.map(({ client, seen_at }) => (
              <li key={client.id}>
                {client.name} {formatMoment(seen_at, today)}
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  );
}
