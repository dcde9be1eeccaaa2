import { useAction } from '@keyturn/browser/action/use-action.ts';
import { useId } from 'react';
import { Alert } from '../base/alert.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { LoadFailure } from '../states/load-failure.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { ConfirmForm, type ConfirmingFactors, type Proof } from './confirm-form.tsx';
import type { FactorKit } from './factor-kit.ts';
import styles from './factors.module.css';

export interface IdentityDialogProps {
  kit: FactorKit;
  /** Why we ask. */
  reason: string;
  /** The query that reads which ways to confirm there are. */
  own: {
    data: ConfirmingFactors | undefined;
    error: unknown;
    isFetching: boolean;
    refetch(): unknown;
  };
  /** Sends the proof to the server. */
  confirm(proof: Proof): Promise<unknown>;
  onSettled(isConfirmed: boolean): void;
}

/** Asks the owner of an account to confirm who they are. */
export function IdentityDialog({ kit, reason, own, confirm, onSettled }: IdentityDialogProps) {
  const form = useId();
  const { isBusy, failure, run } = useAction();
  const onConfirm = (proof: Proof) =>
    void run(async () => {
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
          <kit.Button look="quiet" onClick={() => onSettled(false)}>
            Cancel
          </kit.Button>
          <kit.Button type="submit" form={form} look="primary" busy={isBusy} busyText="Checking…">
            Confirm
          </kit.Button>
        </>
      }
    >
      <p>{reason}</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{kit.errorText(failure)}</p>
        </Alert>
      )}
      {own.data ? (
        <ConfirmForm kit={kit} form={form} own={own.data} isBusy={isBusy} onConfirm={onConfirm} />
      ) : own.error ? (
        <LoadFailure
          what="How you sign in"
          message={kit.errorText(own.error)}
          isTrying={own.isFetching}
          onRetry={() => void own.refetch()}
        />
      ) : (
        <Skeleton lines={2} />
      )}
    </Dialog>
  );
}
