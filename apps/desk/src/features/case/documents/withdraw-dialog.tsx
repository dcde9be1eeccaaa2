import type { DeskDocument, WithdrawalReason } from '@keyturn/contract/staff';
import { FieldError } from '@keyturn/dashboard/ui/base/field.tsx';
import { formatMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import { Choice } from '@keyturn/dashboard/ui/forms/choice.tsx';
import { useId, useState } from 'react';
import { invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';

const reasons: readonly [reason: WithdrawalReason, name: string, hint: string][] = [
  [
    'mistake',
    'It was shared by mistake',
    'The email says so, and that the document may contain information about someone else.',
  ],
  [
    'malware',
    'Its file contains malware',
    'The email says that the file may contain a virus, and asks them to check their device.',
  ],
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
  const field = useId();
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
          <fieldset className={styles.reasons}>
            <legend>Why are you withdrawing it?</legend>
            {errors.reason && <FieldError id={`${field}-error`}>{errors.reason}</FieldError>}
            {reasons.map(([value, name, hint]) => (
              <Choice
                key={value}
                id={`${field}-${value}`}
                name={field}
                checked={reason === value}
                onChoose={() => setReason(value)}
                errorId={errors.reason && `${field}-error`}
                {...(seen_by.length > 0 ? { hint } : {})}
              >
                {name}
              </Choice>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  );
}
