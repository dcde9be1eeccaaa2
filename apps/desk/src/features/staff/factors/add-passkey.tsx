import type { AddedFactor } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/dashboard/ui/base/alert.tsx';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { addPasskey, PasskeyProblem, passkeySupport } from '../../../api/passkeys.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Form, FormButtons, TextField } from '../../../ui/forms/fields.tsx';
import styles from './factors.module.css';

export interface AddFactorProps {
  onAdded: (added: AddedFactor) => void;
  onCancel: () => void;
  /** The level of its heading. */
  heading: 'h2' | 'h3';
}

/** Adds a passkey of this device, or of a security key. */
export function AddPasskey({ onAdded, onCancel, heading: Heading }: AddFactorProps) {
  const [name, setName] = useState(deviceName);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const support = passkeySupport();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') return setFailure('Enter a name for the passkey.');
    setFailure(null);
    setBusy(true);
    try {
      onAdded(await addPasskey(name.trim()));
    } catch (error) {
      setFailure(error instanceof PasskeyProblem ? error.message : errorText(error));
      setBusy(false);
    }
  };
  if (support !== 'yes') {
    return (
      <Alert
        tone="attention"
        className={styles.notice}
        title="Passkeys don’t work here."
        action={<Button onClick={onCancel}>Close</Button>}
      >
        <p>
          {support === 'address'
            ? 'They belong to a domain, and this page was opened at an IP address. On your own machine, open the desk at “localhost” instead.'
            : 'This browser or its settings don’t allow them. Use an authenticator app, or another browser.'}
        </p>
      </Alert>
    );
  }
  return (
    <div className={styles.step}>
      <Heading>Add a passkey</Heading>
      <p className={styles.about}>
        You then sign in with the fingerprint, face or PIN of this device, or with a security key. No one can
        steal it with a false sign-in page.
      </p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <Form onSubmit={submit}>
        <TextField
          label="Name of the passkey"
          hint="So that you recognise it later."
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          maxLength={100}
          autoFocus
        />
        <FormButtons>
          <Button type="submit" look="primary" busy={isBusy} busyText="Waiting for your device…">
            Create the passkey
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </FormButtons>
      </Form>
    </div>
  );
}

/** The suggested name for this device. */
function deviceName(): string {
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
