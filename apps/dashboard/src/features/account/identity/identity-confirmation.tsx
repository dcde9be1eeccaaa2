import type { Account } from '@keyturn/contract';
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../../api/client/api-error.ts';
import { IdentityDialog } from './identity-dialog.tsx';

/**
 * Makes a call, and asks the client to confirm who they are if it needs that. The call is then repeated.
 * @throws the error of the call; `identity_not_confirmed` if the client cancels
 */
type WithConfirmation = <Result>(work: () => Promise<Result>) => Promise<Result>;

const Confirmation = createContext<WithConfirmation | null>(null);

/** Lets the sections of the account page ask the client to confirm who they are. */
export function IdentityConfirmation({ account, children }: { account: Account; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  const settleRequest = useRef<((isConfirmed: boolean) => void) | null>(null);
  const withConfirmation = useMemo<WithConfirmation>(() => {
    const ask = () => {
      setAsking(true);
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
    setAsking(false);
    settleRequest.current?.(isConfirmed);
    settleRequest.current = null;
  };
  return (
    <Confirmation value={withConfirmation}>
      {children}
      <IdentityDialog isOpen={isAsking} account={account} onSettled={settle} />
    </Confirmation>
  );
}

/** Returns the function that makes calls which may need a confirmation of the client’s identity. */
export function useConfirmation(): WithConfirmation {
  const withConfirmation = useContext(Confirmation);
  if (!withConfirmation) throw new Error('used outside the account page');
  return withConfirmation;
}
