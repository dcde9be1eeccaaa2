import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import styles from './account.module.css';

/** A dialog for an action on the account, which closes when the action succeeds and shows why it failed. */
export function ActionDialog({
  title,
  action,
  onClose,
  onSubmit,
  children,
}: {
  title: string;
  /** The label of the button: “Remove”. */
  action: string;
  onClose(): void;
  /** @throws ApiError, or an Error whose message is for the client */
  onSubmit(): Promise<void>;
  children: ReactNode;
}) {
  const id = useId();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      const isCancelled = error instanceof ApiError && error.code === 'identity_not_confirmed';
      setFailure(isCancelled ? null : error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <form id={id} method="post" noValidate onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
