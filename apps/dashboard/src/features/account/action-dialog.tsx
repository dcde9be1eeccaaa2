import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import { type FormEvent, type ReactNode, useId } from 'react';
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
  /** @throws ApiError, UserFacingError */
  onSubmit(): Promise<void>;
  children: ReactNode;
}) {
  const id = useId();
  const { isBusy, failure, run } = useAction();
  const isCancelled = failure instanceof ApiError && failure.code === 'identity_not_confirmed';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await onSubmit();
      onClose();
    });
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
      {failure !== null && !isCancelled && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{messageOf(failure)}</p>
        </Alert>
      )}
      <form id={id} method="post" noValidate onSubmit={submit}>
        {children}
      </form>
    </Dialog>
  );
}
