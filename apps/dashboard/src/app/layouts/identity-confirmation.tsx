import { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { type ComponentType, type ReactNode, useMemo, useRef, useState } from 'react';
import { ConfirmationContext, type WithConfirmation } from '../../api/session/confirm-identity.ts';

type DialogComponent = ComponentType<{ onSettled(isConfirmed: boolean): void }>;

/** Lets screens ask the client to confirm who they are. The dialog is loaded when it is first needed. */
export function IdentityConfirmation({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<DialogComponent | null>(null);
  const settleRequest = useRef<((isConfirmed: boolean) => void) | null>(null);
  const withConfirmation = useMemo<WithConfirmation>(() => {
    const ask = async () => {
      const { ClientIdentityDialog } = await import(
        '../../features/account/identity/client-identity-dialog.tsx'
      );
      setDialog(() => ClientIdentityDialog);
      return new Promise<boolean>((resolve) => {
        settleRequest.current = resolve;
      });
    };
    return async (work) => {
      try {
        return await work();
      } catch (error) {
        const needsConfirmation = error instanceof ApiError && error.code === 'identity_not_confirmed';
        if (!needsConfirmation || !(await ask())) throw error;
        return work();
      }
    };
  }, []);
  const settle = (isConfirmed: boolean) => {
    setDialog(null);
    settleRequest.current?.(isConfirmed);
    settleRequest.current = null;
  };
  return (
    <ConfirmationContext value={withConfirmation}>
      {children}
      {Dialog && <Dialog onSettled={settle} />}
    </ConfirmationContext>
  );
}
