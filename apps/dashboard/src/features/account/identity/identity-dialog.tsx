import { useAction } from '@keyturn/browser/action/use-action.ts';
import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { requestPasskey } from '@keyturn/ui/factors/browser-passkeys.ts';
import { ConfirmForm, type Proof } from '@keyturn/ui/factors/confirm-form.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useId } from 'react';
import { useAccount } from '../../../api/queries/use-account.ts';
import { useServices } from '../../../api/services/services.ts';
import styles from '../account.module.css';
import { accountKit } from '../account-kit.tsx';

/** Asks the client to confirm who they are. */
export function IdentityDialog({ onSettled }: { onSettled(isConfirmed: boolean): void }) {
  const form = useId();
  const confirm = useConfirm();
  const { data: account, error, isFetching, refetch } = useAccount();
  const { isBusy, failure, run } = useAction();
  const submit = (proof: Proof) =>
    run(async () => {
      await confirm(proof);
      onSettled(true);
    });
  return (
    <Dialog
      open
      onClose={() => onSettled(false)}
      title="Confirm that it’s you"
      actions={
        <>
          <Button look="quiet" onClick={() => onSettled(false)}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={isBusy} busyText="Checking…">
            Confirm
          </Button>
        </>
      }
    >
      <p>We ask so that no one else can do this on a device you’ve left unlocked.</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{messageOf(failure)}</p>
        </Alert>
      )}
      {!account && !error && <Skeleton lines={2} />}
      {!account && error && (
        <LoadFailure
          what="How you sign in"
          message={messageOf(error)}
          isTrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {account && (
        <ConfirmForm
          kit={accountKit}
          form={form}
          own={account}
          isBusy={isBusy}
          onConfirm={(proof) => void submit(proof)}
        />
      )}
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
    const { options } = await call('POST /account/confirm/options');
    const credential = await requestPasskey(options);
    await call('POST /account/confirm/passkey', { body: { credential } });
  };
}
