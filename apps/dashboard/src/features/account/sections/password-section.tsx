import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { Account } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PasswordField } from '@keyturn/ui/forms/password-field.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { refreshAccount } from '../../../api/queries/refresh-account.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { signOut } from '../../../api/session/sign-out.ts';
import { useNavigate } from '../../../navigation/navigation.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';

type Outcome = { current?: string; next?: string; form?: string } | 'changed';

/** Changes the password with the current one. */
export function PasswordSection({ account }: { account: Account }) {
  const { call } = useServices();
  const queries = useQueryClient();
  const withConfirmation = useConfirmation();
  const current = useRef<HTMLInputElement>(null);
  const next = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [outcome, setOutcome] = useState<Outcome>({});
  const { isBusy, run } = useAction((error) => setOutcome(errorsFrom(error)));
  const errors = outcome === 'changed' ? {} : outcome;
  useEffect(() => {
    if (errors.current) current.current?.focus();
    else if (errors.next) next.current?.focus();
  }, [errors]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = {
      current_password: current.current?.value ?? '',
      password: next.current?.value ?? '',
    };
    const missing = findMissing(entered, account.min_password_length);
    setOutcome(missing);
    if (missing.current || missing.next) return;
    void run(async () => {
      await withConfirmation(() => call('PUT /account/password', { body: entered }));
      form.current?.reset();
      setOutcome('changed');
      void refreshAccount(queries);
    });
  };
  return (
    <Panel title="Password" look="raised">
      {outcome === 'changed' && (
        <Alert tone="good" takesFocus className={styles.notice}>
          <p>Your password is changed. We’ve signed you out on your other devices.</p>
        </Alert>
      )}
      <form ref={form} method="post" onSubmit={submit} noValidate>
        {errors.form && (
          <Alert tone="danger" takesFocus title="We couldn’t change your password" className={styles.notice}>
            <p>{errors.form}</p>
          </Alert>
        )}
        {/* Tells password managers the account of the new password. */}
        <input type="email" name="email" autoComplete="username" value={account.email} readOnly hidden />
        <PasswordField
          ref={current}
          label="Current password"
          autoComplete="current-password"
          error={errors.current}
          isSent={isBusy}
        />
        <PasswordField
          ref={next}
          label="New password"
          hint={`${account.min_password_length} to 128 characters. Try four unrelated words: they’re easy to remember.`}
          autoComplete="new-password"
          error={errors.next}
          isSent={isBusy}
        />
        <div className={styles.buttons}>
          <Button type="submit" look="quiet" busy={isBusy} busyText="Saving…">
            Change password
          </Button>
          <ForgottenPassword email={account.email} />
        </div>
      </form>
    </Panel>
  );
}

/** Signs the client out, because the link by email is for guests. */
function ForgottenPassword({ email }: { email: string }) {
  const services = useServices();
  const navigate = useNavigate();
  const leave = () => {
    signOut(services);
    void navigate('/forgot-password', { state: { email } });
  };
  return (
    <Button look="plain" onClick={leave}>
      Forgotten it? Sign out and get a link
    </Button>
  );
}

function findMissing(
  { current_password, password }: { current_password: string; password: string },
  min: number,
) {
  return {
    ...(current_password === '' ? { current: 'Enter your current password.' } : {}),
    ...([...password].length < min ? { next: `Use at least ${min} characters.` } : {}),
  } satisfies Outcome;
}

function errorsFrom(error: unknown): Exclude<Outcome, 'changed'> {
  if (!(error instanceof ApiError)) return { form: messageOf(error) };
  if (error.code === 'identity_not_confirmed') return {};
  const [current] = error.errors.current_password ?? [];
  const [next] = error.errors.password ?? [];
  if (current) return { current };
  return next ? { next } : { form: error.message };
}
