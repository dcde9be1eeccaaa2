import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import type { Factor } from '@keyturn/contract';
import { Field } from '@keyturn/ui/base/field.tsx';
import { FactorList } from '@keyturn/ui/factors/factor-list.tsx';
import { useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import styles from '../account.module.css';
import { accountKit } from '../account-kit.tsx';
import { ActionDialog } from '../action-dialog.tsx';

/** The client’s passkeys and authenticator apps, to rename and remove. */
export function ClientFactors({
  factors,
  onChanged,
}: {
  factors: readonly Factor[];
  /** @param text what has changed */
  onChanged(text: string): void;
}) {
  const [opened, setOpened] = useState<{ kind: 'rename' | 'remove'; factor: Factor } | null>(null);
  const close = () => setOpened(null);
  if (factors.length === 0) return null;
  return (
    <>
      <FactorList kit={accountKit} factors={factors} styles={styles} onOpen={setOpened} />
      {opened?.kind === 'rename' && (
        <RenameDialog factor={opened.factor} onClose={close} onChanged={onChanged} />
      )}
      {opened?.kind === 'remove' && (
        <RemoveDialog
          factor={opened.factor}
          isLast={factors.length === 1}
          onClose={close}
          onChanged={onChanged}
        />
      )}
    </>
  );
}

interface FactorDialogProps {
  factor: Factor;
  onClose(): void;
  onChanged(text: string): void;
}

function RenameDialog({ factor, onClose, onChanged }: FactorDialogProps) {
  const { call } = useServices();
  const withConfirmation = useConfirmation();
  const [name, setName] = useState(factor.name);
  return (
    <ActionDialog
      title={`Rename “${factor.name}”`}
      action="Save name"
      onClose={onClose}
      onSubmit={async () => {
        const newName = name.trim();
        if (newName === '') throw new UserFacingError('Enter a name.');
        const body = { name: newName };
        await withConfirmation(() => call('PUT /account/factors/{id}', { params: { id: factor.id }, body }));
        onChanged(`Renamed to “${newName}”.`);
      }}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={100}
      />
    </ActionDialog>
  );
}

function RemoveDialog({ factor, isLast, onClose, onChanged }: FactorDialogProps & { isLast: boolean }) {
  const { call } = useServices();
  const withConfirmation = useConfirmation();
  return (
    <ActionDialog
      title={`Remove “${factor.name}”?`}
      action="Remove"
      onClose={onClose}
      onSubmit={async () => {
        await withConfirmation(() => call('DELETE /account/factors/{id}', { params: { id: factor.id } }));
        onChanged(`“${factor.name}” has been removed.`);
      }}
    >
      <p>
        You can no longer sign in with it, and we’ll sign you out on your other devices.
        {isLast && ' Your recovery codes stop working too, and your password alone is enough to sign in.'}{' '}
        We’ll email you that it was removed.
      </p>
    </ActionDialog>
  );
}
