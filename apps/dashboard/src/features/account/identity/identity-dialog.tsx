import type { Account } from '@keyturn/contract';
import { useId, useState } from 'react';
import { messageOf } from '../../../api/client/api-error.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { PasskeyProblem, requestPasskey } from '../../../ui/factors/browser-passkeys.ts';
import { ConfirmForm, type Proof } from '../../../ui/factors/confirm-form.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import styles from '../account.module.css';
import { accountKit } from '../account-kit.tsx';

/** Asks the client to confirm who they are. */
export function IdentityDialog({
  isOpen,
  account,
  onSettled,
}: {
  isOpen: boolean;
  account: Account;
  onSettled(isConfirmed: boolean): void;
}) {
  const form = useId();
  const confirm = useConfirm();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const settle = (isConfirmed: boolean) => {
    setFailure(null);
    setBusy(false);
    onSettled(isConfirmed);
  };
  const submit = async (proof: Proof) => {
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      await confirm(proof);
      settle(true);
    } catch (error) {
      setFailure(error instanceof PasskeyProblem ? error.message : messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={isOpen}
      onClose={() => isOpen && settle(false)}
      title="Confirm that it’s you"
      actions={
        <>
          <Button look="quiet" onClick={() => settle(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={isBusy} busyText="Checking…">
            Confirm
          </Button>
        </>
      }
    >
      <p>We ask so that no one else can make this change on a device you’ve left unlocked.</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <ConfirmForm
        kit={accountKit}
        form={form}
        own={account}
        isBusy={isBusy}
        onConfirm={(proof) => void submit(proof)}
      />
    </Dialog>
  );
}

/** Returns the function that sends a proof to the server. */
function useConfirm(): (proof: Proof) => Promise<void> {
  const { call } = useServices();
  return async (proof) => {
    if (proof.kind !== 'passkey') {
      const { kind: _, ...body } = proof;
      return call('POST /account/confirm', { body });
    }
    const { options } = await call('POST /account/confirm/options', {});
    const credential = await requestPasskey(options);
    await call('POST /account/confirm/passkey', { body: { credential } });
  };
}
