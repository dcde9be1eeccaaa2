import { Alert } from '@keyturn/dashboard/ui/base/alert.tsx';
import { Dialog } from '@keyturn/dashboard/ui/overlays/dialog.tsx';
import { LoadFailure } from '@keyturn/dashboard/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/dashboard/ui/states/skeleton.tsx';
import { type FormEvent, useId, useRef, useState } from 'react';
import { errorText } from '../../api/client/staff-error.ts';
import { useStore } from '../../api/create-store.ts';
import { callStaff, identityRequest, startSession } from '../../api/desk-api.ts';
import { useOwnFactors } from '../../api/own-factors.ts';
import { confirmWithPasskey, PasskeyProblem, passkeySupport } from '../../api/passkeys.ts';
import { Button } from '../../ui/base/button.tsx';
import { Form, TextField } from '../../ui/forms/fields.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';

/** Asks the member to confirm who they are, when a call needs it. The call is then repeated. */
export function IdentityDialog() {
  const request = useStore(identityRequest);
  const form = useId();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const settle = (isConfirmed: boolean) => {
    setFailure(null);
    setBusy(false);
    request?.settle(isConfirmed);
  };
  const confirm = async (way: () => ReturnType<typeof confirmWithPasskey>) => {
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      startSession(await way());
      settle(true);
    } catch (error) {
      setFailure(error instanceof PasskeyProblem ? error.message : errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={request !== null}
      onClose={() => settle(false)}
      title="Confirm that it’s you"
      actions={
        <>
          <Button onClick={() => settle(false)}>Cancel</Button>
          <Button type="submit" form={form} look="primary" busy={isBusy} busyText="Checking…">
            Confirm
          </Button>
        </>
      }
    >
      <p>This change needs it, so that no one else can make it on a device you’ve left unlocked.</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus>
          <p>{failure}</p>
        </Alert>
      )}
      <Ways form={form} isBusy={isBusy} onConfirm={(way) => void confirm(way)} />
    </Dialog>
  );
}

interface WaysProps {
  form: string;
  isBusy: boolean;
  onConfirm(way: () => ReturnType<typeof confirmWithPasskey>): void;
}

/** The ways to confirm: a passkey, a code, or the password while the member has no second factor. */
function Ways({ form, isBusy, onConfirm }: WaysProps) {
  const factors = useOwnFactors();
  if (factors.error && !factors.data) {
    return (
      <LoadFailure
        what="Your ways to confirm"
        message={errorText(factors.error)}
        onRetry={() => void factors.refetch()}
        isTrying={factors.isFetching}
      />
    );
  }
  if (!factors.data) return <Skeleton lines={3} />;
  const { factors: own, recovery_codes_left } = factors.data;
  const hasPasskey = own.some(({ kind }) => kind === 'passkey') && passkeySupport() === 'yes';
  const hasCodes = own.some(({ kind }) => kind === 'authenticator') || recovery_codes_left > 0;
  const kind = own.length === 0 ? 'password' : hasPasskey ? 'passkey' : 'code';
  return <ConfirmForm {...{ form, isBusy, onConfirm, kind, hasCodes }} />;
}

function ConfirmForm({
  form,
  isBusy,
  onConfirm,
  kind,
  hasCodes,
}: WaysProps & { kind: 'password' | 'passkey' | 'code'; hasCodes: boolean }) {
  const [usesCode, setUsesCode] = useState(kind === 'code');
  const [missing, setMissing] = useState<string | null>(null);
  const entered = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === 'passkey' && !usesCode) return onConfirm(confirmWithPasskey);
    const value = entered.current?.value.trim() ?? '';
    setMissing(value === '' ? (kind === 'password' ? 'Enter your password.' : 'Enter a code.') : null);
    if (value === '') return entered.current?.focus();
    const body = kind === 'password' ? { password: entered.current?.value ?? '' } : { code: value };
    onConfirm(() => callStaff('POST /staff/session/confirm', { body }));
  };
  return (
    <Form id={form} onSubmit={submit}>
      {kind === 'password' && (
        <PasswordField
          ref={entered}
          label="Your password"
          autoComplete="current-password"
          error={missing}
          isSent={isBusy}
          autoFocus
        />
      )}
      {kind !== 'password' && usesCode && (
        <TextField
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
      {kind === 'passkey' && !usesCode && <p>Your device asks for your fingerprint, face or PIN next.</p>}
      {kind === 'passkey' && hasCodes && (
        <Button look="plain" onClick={() => setUsesCode(!usesCode)}>
          {usesCode ? 'Use a passkey instead' : 'Use a code instead'}
        </Button>
      )}
    </Form>
  );
}
