import { useAction } from '@keyturn/browser/action/use-action.ts';
import { UserFacingError } from '@keyturn/browser/calls/api-error.ts';
import { type FormEvent, useState } from 'react';
import { Alert } from '../base/alert.tsx';
import { passkeySupport } from './browser-passkeys.ts';
import type { Added, AddFactorProps } from './factor-kit.ts';
import styles from './factors.module.css';

interface AddPasskeyProps extends AddFactorProps {
  add(name: string): Promise<Added>;
}

/** Adds a passkey of this device, or of a security key. */
export function AddPasskey({ kit, add, onAdded, onCancel, heading: Heading }: AddPasskeyProps) {
  const [name, setName] = useState(suggestName);
  const { isBusy, failure, run } = useAction();
  const support = passkeySupport();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      if (name.trim() === '') throw new UserFacingError('Enter a name for the passkey.');
      onAdded(await add(name.trim()));
    });
  };
  if (support !== 'yes') {
    return (
      <Alert
        tone="attention"
        className={styles.notice}
        title="Passkeys don’t work here."
        action={
          <kit.Button look="quiet" onClick={onCancel}>
            Close
          </kit.Button>
        }
      >
        <p>
          {support === 'address'
            ? 'They belong to a domain, and this page was opened at an IP address. On your own machine, open it at “localhost” instead.'
            : 'This browser or its settings don’t allow them. Use an authenticator app, or another browser.'}
        </p>
      </Alert>
    );
  }
  return (
    <div className={styles.step}>
      <Heading>Add a passkey</Heading>
      <p className={styles.about}>
        You’ll sign in with your fingerprint, face or PIN on this device, or with a security key. A fake
        sign-in page can’t steal a passkey.
      </p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{kit.errorText(failure)}</p>
        </Alert>
      )}
      <kit.Form onSubmit={submit}>
        <kit.Field
          label="Name of the passkey"
          hint="So that you recognise it later."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
          autoFocus
        />
        <kit.Buttons>
          <kit.Button type="submit" look="primary" busy={isBusy} busyText="Waiting for your device…">
            Create the passkey
          </kit.Button>
          <kit.Button look="quiet" onClick={onCancel}>
            Cancel
          </kit.Button>
        </kit.Buttons>
      </kit.Form>
    </div>
  );
}

/** The suggested name for this device. */
function suggestName(): string {
  const { userAgent } = navigator;
  const found = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android phone'],
    [/Windows/, 'Windows computer'],
    [/Mac OS X/, 'Mac'],
  ].find(([pattern]) => (pattern as RegExp).test(userAgent));
  return (found?.[1] as string | undefined) ?? 'This device';
}
