import type { DeskDocument, WithdrawalReason } from '@keyturn/contract/staff';
import { formatMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { ChoiceGroup } from '../../../ui/forms/choice-group.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { CasePartProps } from '../case-part-props.ts';

const reasons: readonly { value: WithdrawalReason; name: string; hint: string }[] = [
  {
    value: 'mistake',
    name: 'It was shared by mistake',
    hint: 'The email says so, and that the document may contain information about someone else.',
  },
  {
    value: 'malware',
    name: 'Its file contains malware',
    hint: 'The email says that the file may contain a virus, and asks them to check their device.',
  },
];

/** Asks why a document is withdrawn, and says which clients have seen it. */
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
  const [reason, setReason] = useState<WithdrawalReason | null>(null);
  return (
    <FormDialog
      open
      title={`Withdraw “${title}”?`}
      action="Withdraw the document"
      look="danger"
      onSubmit={async () => {
        if (reason === null) throw invalidForm({ reason: 'Choose a reason.' });
        await changes.make(
          callStaff('POST /staff/documents/{id}/withdraw', { params: { id }, body: { reason } }),
          `${title} is withdrawn. Clients can no longer open it.`,
        );
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
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
          <ChoiceGroup
            legend="Why are you withdrawing it?"
            choices={seen_by.length > 0 ? reasons : reasons.map(({ value, name }) => ({ value, name }))}
            value={reason}
            onChoose={setReason}
            error={errors.reason}
          />
        </>
      )}
    </FormDialog>
  );
}
