import type { ErasurePlan } from '@keyturn/contract/staff';
import { useState } from 'react';
import { codeOf, invalidForm } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { ClientDataChanges } from '../client-data-queries.ts';
import { counted } from '../retention-text.ts';

/** Erases a client once the member has typed their reference. */
export function EraseDialog({
  clientId,
  plan: { version, reference, name, erased },
  changes,
  onClose,
}: {
  clientId: string;
  plan: ErasurePlan;
  changes: ClientDataChanges;
  onClose(): void;
}) {
  const [entered, setEntered] = useState('');
  const erase = async () => {
    if (entered.trim() !== reference) throw invalidForm({ reference: `Enter ${reference} to confirm.` });
    try {
      const record = await callStaff('POST /staff/clients/{id}/erasure', {
        params: { id: clientId },
        body: { version, reference },
        timeout: 120_000,
      });
      changes.showErased(record);
    } catch (error) {
      // The page shows what an erasure would delete now, and what prevents it.
      if (codeOf(error) === 'changed_meanwhile' || codeOf(error) === 'edit_not_possible')
        await changes.refresh();
      throw error;
    }
  };
  return (
    <FormDialog
      open
      title={`Erase ${name} for good?`}
      action="Erase for good"
      busyText="Erasing…"
      look="danger"
      onSubmit={erase}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p>
            {erased.length === 0
              ? `This erases the account of ${name}.`
              : `This erases the account of ${name} and ${counted(erased.length, 'case')} with all documents, signatures and payments.`}{' '}
            It cannot be undone.
          </p>
          <TextField
            label={`Enter the client’s reference, ${reference}, to confirm`}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={entered}
            onChange={({ currentTarget }) => setEntered(currentTarget.value)}
            error={errors.reference}
          />
        </>
      )}
    </FormDialog>
  );
}
