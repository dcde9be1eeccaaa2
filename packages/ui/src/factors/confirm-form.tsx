import { type FormEvent, useRef, useState } from 'react';
import { passkeySupport } from './browser-passkeys.ts';
import type { FactorKit } from './factor-kit.ts';
import styles from './factors.module.css';

/** What the owner of an account proves who they are with. */
export type Proof =
  | { kind: 'passkey' }
  | { kind: 'code'; code: string }
  | { kind: 'password'; password: string };

/** The second factors of an account, which decide how its owner can confirm who they are. */
export interface ConfirmingFactors {
  factors: readonly { kind: 'passkey' | 'authenticator' }[];
  recovery_codes_left: number;
}

interface ConfirmFormProps {
  kit: FactorKit;
  /** The id of the form, for the button that submits it. */
  form: string;
  own: ConfirmingFactors;
  isBusy: boolean;
  onConfirm(proof: Proof): void;
}

/** The ways to confirm who one is: a passkey, a code, or the password while there is no second factor. */
export function ConfirmForm(props: ConfirmFormProps) {
  const { factors, recovery_codes_left } = props.own;
  const hasPasskey = factors.some(({ kind }) => kind === 'passkey') && passkeySupport() === 'yes';
  const hasCodes = factors.some(({ kind }) => kind === 'authenticator') || recovery_codes_left > 0;
  const kind = factors.length === 0 ? 'password' : hasPasskey ? 'passkey' : 'code';
  return <Fields {...props} kind={kind} hasCodes={hasCodes} />;
}

function Fields({
  kit,
  form,
  isBusy,
  onConfirm,
  kind,
  hasCodes,
}: ConfirmFormProps & { kind: Proof['kind']; hasCodes: boolean }) {
  const [usesCode, setUsesCode] = useState(kind === 'code');
  const [missing, setMissing] = useState<string | null>(null);
  const entered = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'passkey' && !usesCode) return onConfirm({ kind: 'passkey' });
    const value = entered.current?.value ?? '';
    const isEmpty = value.trim() === '';
    setMissing(isEmpty ? (kind === 'password' ? 'Enter your password.' : 'Enter a code.') : null);
    if (isEmpty) return entered.current?.focus();
    onConfirm(kind === 'password' ? { kind, password: value } : { kind: 'code', code: value.trim() });
  };
  return (
    <kit.Form id={form} onSubmit={submit}>
      {kind === 'password' && (
        <kit.PasswordField
          ref={entered}
          label="Your password"
          autoComplete="current-password"
          error={missing}
          isSent={isBusy}
          autoFocus
        />
      )}
      {kind !== 'password' && usesCode && (
        <kit.Field
          ref={entered}
          label="Code"
          hint="From your authenticator app, or one of your recovery codes."
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          error={missing}
          autoFocus
        />
      )}
      {kind === 'passkey' && !usesCode && (
        <p className={styles.about}>Your device asks for your fingerprint, face or PIN next.</p>
      )}
      {kind === 'passkey' && hasCodes && (
        <kit.Button look="plain" onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? 'Use a passkey instead' : 'Use a code instead'}
        </kit.Button>
      )}
    </kit.Form>
  );
}
