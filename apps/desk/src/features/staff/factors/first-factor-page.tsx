import { passkeySupport } from '@keyturn/ui/factors/browser-passkeys.ts';
import type { Added } from '@keyturn/ui/factors/factor-kit.ts';
import { useState } from 'react';
import { readSession, signOut, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { PageHead } from '../../../ui/base/page.tsx';
import { AddOwnAuthenticator, AddOwnPasskey, OwnRecoveryCodes } from './desk-factors.tsx';
import styles from './first-factor.module.css';

/** Requires a member to add their first second factor before using the desk. */
export default function FirstFactorPage() {
  const { email } = useMember();
  const [chosen, setChosen] = useState<'passkey' | 'authenticator' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const enter = () => void readSession();
  if (codes) {
    return (
      <>
        <PageHead key="codes" title="Keep your recovery codes" />
        <OwnRecoveryCodes codes={codes} onDone={enter} />
      </>
    );
  }
  const added = ({ recovery_codes }: Added) => (recovery_codes ? setCodes(recovery_codes) : enter());
  const cancel = () => setChosen(null);
  return (
    <>
      <PageHead key="choice" title="Protect your sign-in">
        Your password alone is not enough to open the desk. Choose what else proves that it’s you, {email}.
      </PageHead>
      {chosen === 'passkey' && <AddOwnPasskey heading="h2" onAdded={added} onCancel={cancel} />}
      {chosen === 'authenticator' && <AddOwnAuthenticator heading="h2" onAdded={added} onCancel={cancel} />}
      {chosen === null && (
        <div className={styles.choices}>
          {passkeySupport() === 'yes' && (
            <>
              <Button look="primary" wide onClick={() => setChosen('passkey')}>
                Add a passkey
              </Button>
              <p className={styles.about}>
                Recommended: the fingerprint, face or PIN of this device, or a security key.
              </p>
            </>
          )}
          <Button wide onClick={() => setChosen('authenticator')}>
            Add an authenticator app
          </Button>
          <p className={styles.about}>An app on your phone that shows a new code every 30 seconds.</p>
          <Button look="plain" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      )}
    </>
  );
}
