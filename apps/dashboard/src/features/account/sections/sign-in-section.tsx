import type { Account, Factor } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { AddAuthenticator } from '@keyturn/ui/factors/add-authenticator.tsx';
import { AddPasskey } from '@keyturn/ui/factors/add-passkey.tsx';
import { createPasskey } from '@keyturn/ui/factors/browser-passkeys.ts';
import type { Added } from '@keyturn/ui/factors/factor-kit.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshAccount } from '../../../api/queries/refresh-account.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { accountKit } from '../account-kit.tsx';
import { ClientFactors } from './client-factors.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';

type Opened = { kind: 'passkey' | 'authenticator' } | { kind: 'codes'; codes: string[] };

/** The client’s passkeys and authenticator apps, and buttons to add more. */
export function SignInSection({ account }: { account: Account }) {
  const queries = useQueryClient();
  const factorCalls = useFactorCalls();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const open = (next: Opened | null) => {
    setDone(null);
    setOpened(next);
  };
  const close = () => open(null);
  const refresh = () => refreshAccount(queries);
  const added = ({ recovery_codes }: Added) => {
    open(recovery_codes ? { kind: 'codes', codes: recovery_codes } : null);
    setDone('Added. You can now use it to sign in.');
    void refresh();
  };
  if (opened?.kind === 'codes') return <NewRecoveryCodes codes={opened.codes} onDone={close} done={done} />;
  return (
    <Panel title="How you sign in" look="raised">
      <Protection factors={account.factors} />
      {done !== null && (
        <Alert key={done} tone="good" takesFocus className={styles.notice}>
          <p>{done}</p>
        </Alert>
      )}
      <ClientFactors
        factors={account.factors}
        onChanged={(text) => {
          setDone(text);
          void refresh();
        }}
      />
      {opened && (
        <div className={styles.step}>
          {opened.kind === 'passkey' && (
            <AddPasskey
              kit={accountKit}
              heading="h3"
              add={factorCalls.addPasskey}
              onAdded={added}
              onCancel={close}
            />
          )}
          {opened.kind === 'authenticator' && (
            <AddAuthenticator
              kit={accountKit}
              heading="h3"
              start={factorCalls.startAuthenticator}
              activate={factorCalls.activateAuthenticator}
              onAdded={added}
              onCancel={close}
            />
          )}
        </div>
      )}
      {opened === null && (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={() => open({ kind: 'passkey' })}>
            Add a passkey
          </Button>
          <Button look="quiet" onClick={() => open({ kind: 'authenticator' })}>
            Add an authenticator app
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Says what a thief would need to sign in as the client. */
function Protection({ factors }: { factors: readonly Factor[] }) {
  if (factors.length === 0) {
    return (
      <p className={styles.about}>
        You sign in with your password alone. Add a passkey or an authenticator app, so that a stolen password
        is not enough.
      </p>
    );
  }
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey');
  const hasApp = factors.some(({ kind }) => kind === 'authenticator');
  const withPassword = `your password and a ${hasApp ? 'code of your app, or a ' : ''}recovery code`;
  return (
    <p className={styles.about}>
      You sign in with {hasPasskey ? 'a passkey alone, or with ' : ''}
      {withPassword}. Your password alone is not enough.
    </p>
  );
}

/** Returns the calls that add second factors. They ask the client to confirm who they are if needed. */
function useFactorCalls() {
  const { call } = useServices();
  const withConfirmation = useConfirmation();
  return {
    addPasskey: async (name: string) => {
      const { options } = await withConfirmation(() => call('POST /account/passkeys/options'));
      const credential = await createPasskey(options);
      return withConfirmation(() => call('POST /account/passkeys', { body: { credential, name } }));
    },
    startAuthenticator: () => withConfirmation(() => call('POST /account/authenticators')),
    activateAuthenticator: ({ id, ...body }: { id: string; code: string; name: string }) =>
      withConfirmation(() => call('POST /account/authenticators/{id}/activate', { params: { id }, body })),
  };
}
