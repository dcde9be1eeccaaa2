import { useState } from 'react';
import type { FactorKit } from './factor-kit.ts';
import styles from './factors.module.css';
import { QrCode } from './qr-code.tsx';

interface AuthenticatorSecretProps {
  Button: FactorKit['Button'];
  secret: string;
  uri: string;
}

/** The secret of a new authenticator app: to scan, to open on the same phone, to copy or to type. */
export function AuthenticatorSecret({ Button, secret, uri }: AuthenticatorSecretProps) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setOutcome('Copied.');
    } catch {
      setOutcome('This browser doesn’t allow copying. Type the secret instead.');
    }
  };
  return (
    <>
      <p className={styles.about}>
        1. Scan this with an authenticator app on your phone. Is the app on this device?{' '}
        <a href={uri}>Open it in the app on this device</a>
      </p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <p className={styles.about}>Or copy or type this secret into the app:</p>
      <code className={styles.secret}>{secret.match(/.{1,4}/g)?.join(' ')}</code>
      <p className={styles.about}>
        <Button look="plain" onClick={() => void copy()}>
          Copy the secret
        </Button>{' '}
        <span role="status">{outcome}</span>
      </p>
    </>
  );
}
