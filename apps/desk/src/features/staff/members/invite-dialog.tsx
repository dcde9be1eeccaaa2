import type { StaffRole } from '@keyturn/contract/staff';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { RoleChoice } from './role-choice.tsx';

/** Invites someone by email. */
export function InviteDialog({
  open,
  onClose,
  onDone,
}: {
  open: boolean;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}) {
  const [entered, setEntered] = useState(nothing);
  const { email, name, role } = entered;
  const close = () => {
    setEntered(nothing);
    onClose();
  };
  return (
    <FormDialog
      open={open}
      onClose={close}
      title="Invite someone to the desk"
      action="Send the invitation"
      busyText="Sending…"
      onSubmit={async () => {
        const body = { email: email.trim(), role, ...(name.trim() ? { name: name.trim() } : {}) };
        await callStaff('POST /staff/members', { body });
        showToast(`${body.email} is invited. The link in the email works for 72 hours.`);
        await onDone();
      }}
    >
      {(errors) => (
        <>
          <TextField
            label="Email address"
            type="email"
            autoComplete="off"
            maxLength={320}
            value={email}
            onChange={({ currentTarget }) => setEntered({ ...entered, email: currentTarget.value })}
            error={errors.email && 'Enter an email address, such as name@firm.example.'}
          />
          <TextField
            label="Name (optional)"
            hint="They can change it."
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setEntered({ ...entered, name: currentTarget.value })}
            error={errors.name}
          />
          <RoleChoice role={role} onChoose={(chosen) => setEntered({ ...entered, role: chosen })} />
        </>
      )}
    </FormDialog>
  );
}

const nothing: { email: string; name: string; role: StaffRole } = { email: '', name: '', role: 'handler' };
