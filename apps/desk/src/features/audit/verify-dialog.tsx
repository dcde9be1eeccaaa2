import type { StaffCallData } from '@keyturn/contract/staff';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';

export type Verification = StaffCallData<'POST /staff/audit/verify'>;

/** Checks the hash of every entry of the audit log. */
export function VerifyDialog({
  onClose,
  onVerified,
}: {
  onClose: () => void;
  onVerified: (verification: Verification) => void;
}) {
  const [expected, setExpected] = useState('');
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Verify the audit log"
      action="Verify"
      busyText="Checking every entry…"
      onSubmit={async () => {
        const body = expected.trim() === '' ? {} : { expected: expected.trim() };
        onVerified(await callStaff('POST /staff/audit/verify', { body, timeout: 300_000 }));
      }}
    >
      {(errors) => (
        <>
          <p>Every hash is computed again. That shows whether an entry was changed, removed or moved.</p>
          <TextField
            label="A position you noted earlier (optional)"
            hint="Such as 4211:6f1c… It shows whether newer entries were removed."
            autoComplete="off"
            spellCheck={false}
            value={expected}
            onChange={({ currentTarget }) => setExpected(currentTarget.value)}
            error={
              errors.expected && 'Enter a position and its hash, as an earlier verification showed them.'
            }
          />
        </>
      )}
    </FormDialog>
  );
}
