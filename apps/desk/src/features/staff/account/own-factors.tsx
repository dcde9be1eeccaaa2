import type { Factor } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { FactorList } from '@keyturn/ui/factors/factor-list.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { callStaff } from '../../../api/desk-api.ts';
import { ownFactorsKey, useOwnFactors } from '../../../api/own-factors.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { deskKit } from '../../../ui/factors/desk-kit.ts';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { AddOwnAuthenticator, AddOwnPasskey, OwnRecoveryCodes } from '../factors/desk-factors.tsx';
import styles from './account.module.css';

type Opened =
  | { kind: 'passkey' | 'authenticator' }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'rename' | 'remove'; factor: Factor };

/** The member’s passkeys and authenticator apps. */
export function OwnFactors() {
  const factors = useOwnFactors();
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const refresh = () => queries.invalidateQueries({ queryKey: ownFactorsKey });
  const added = async ({ recovery_codes }: { recovery_codes: string[] | null }) => {
    setOpened(recovery_codes ? { kind: 'codes', codes: recovery_codes } : null);
    showToast('Added. You can now use it to sign in.');
    await refresh();
  };
  if (opened?.kind === 'codes') {
    return (
      <Section title="Keep your recovery codes">
        <OwnRecoveryCodes codes={opened.codes} onDone={close} />
      </Section>
    );
  }
  return (
    <Section
      title="How you sign in"
      actions={
        <>
          <Button onClick={() => setOpened({ kind: 'passkey' })}>Add a passkey</Button>
          <Button onClick={() => setOpened({ kind: 'authenticator' })}>Add an authenticator app</Button>
        </>
      }
    >
      {opened?.kind === 'passkey' && <AddOwnPasskey heading="h3" onAdded={added} onCancel={close} />}
      {opened?.kind === 'authenticator' && (
        <AddOwnAuthenticator heading="h3" onAdded={added} onCancel={close} />
      )}
      <LoadedFactors factors={factors} onOpen={setOpened} />
      {opened?.kind === 'rename' && (
        <RenameDialog factor={opened.factor} onClose={close} onDone={() => void refresh()} />
      )}
      {opened?.kind === 'remove' && (
        <FormDialog
          open
          onClose={close}
          title={`Remove “${opened.factor.name}”?`}
          action="Remove"
          look="danger"
          onSubmit={async () => {
            await callStaff('DELETE /staff/factors/{id}', { params: { id: opened.factor.id } });
            showToast(`“${opened.factor.name}” has been removed.`);
            await refresh();
          }}
        >
          <p>
            It can no longer be used to sign in, and your other sessions end. We’ll email you that it was
            removed.
          </p>
        </FormDialog>
      )}
    </Section>
  );
}

function LoadedFactors({
  factors: { data, error, isFetching, refetch },
  onOpen,
}: {
  factors: ReturnType<typeof useOwnFactors>;
  onOpen: (opened: Opened) => void;
}) {
  if (!data && error)
    return (
      <LoadFailure
        what="Your passkeys and authenticator apps"
        message={errorText(error)}
        onRetry={() => void refetch()}
        isTrying={isFetching}
      />
    );
  if (!data) return <Skeleton lines={3} />;
  if (data.factors.length === 0) {
    return (
      <Alert tone="attention" title="You sign in with your password alone.">
        <p>Add a passkey or an authenticator app, so that a stolen password is not enough.</p>
      </Alert>
    );
  }
  return <FactorList kit={deskKit} factors={data.factors} styles={styles} onOpen={onOpen} />;
}

function RenameDialog({
  factor,
  onClose,
  onDone,
}: {
  factor: Factor;
  onClose: () => void;
  onDone: () => void;
}) {
  const [name, setName] = useState(factor.name);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Rename “${factor.name}”`}
      action="Save name"
      onSubmit={async () => {
        await callStaff('PUT /staff/factors/{id}', { params: { id: factor.id }, body: { name } });
        onDone();
      }}
    >
      {(errors) => (
        <TextField
          label="Name"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          error={errors.name}
          maxLength={100}
        />
      )}
    </FormDialog>
  );
}
