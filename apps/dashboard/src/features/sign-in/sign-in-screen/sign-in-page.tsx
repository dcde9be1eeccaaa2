import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/client/api-error.ts';
import { useServices } from '../../../api/services/services.ts';
import type { SignOutReason } from '../../../api/session/auth-store.ts';
import { signIn } from '../../../api/session/sign-in.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { EmailField } from '../fields/email-field.tsx';
import { PasswordField } from '../fields/password-field.tsx';
import {
  type SignInErrors,
  signInErrorsFrom,
  validateCredentials,
  withSecondsLeft,
} from './sign-in-errors.ts';
import styles from './sign-in-page.module.css';
import { takeOverForm } from './take-over-form.ts';
import { useCountdown } from './use-countdown.ts';

/** Email and password. Once signed in, the guest guard leads on to where the client was going. */
export function SignInPage() {
  const services = useServices();
  const { config } = services;
  const ending = endingWords[services.auth.signOutReason() ?? 'left'];
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<SignInErrors>({});
  const [busy, setBusy] = useState(false);
  const [secondsLeft, waitFor] = useCountdown();
  const underWay = useRef(false);

  useEffect(() => takeOverForm(form.current), []);
  useEffect(() => {
    if (faults.email) email.current?.focus();
    else if (faults.password) password.current?.focus();
  }, [faults]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    const credentials = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    const missing = validateCredentials(credentials);
    setFaults(missing);
    if (missing.email || missing.password) return;
    underWay.current = true;
    setBusy(true);
    try {
      await signIn(services, credentials);
    } catch (error) {
      underWay.current = false;
      setBusy(false);
      setFaults(signInErrorsFrom(error));
      waitFor(error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0);
    }
  };

  return (
    <>
      <PageHeading>Sign in to your case</PageHeading>
      <p className={styles.lead}>See where your move stands, what happens next, and pay for searches.</p>
      {ending && (
        <Alert tone="information" className={styles.notice}>
          <p>{ending}</p>
        </Alert>
      )}
      {config.demonstration && (
        <Alert tone="attention" className={styles.notice}>
          <p>
            <strong>Demonstration.</strong> The people, homes and payments in here are made up.
          </p>
        </Alert>
      )}
      {/* Only a browser without scripts reads what is in it, so the words stay out of them. */}
      <noscript>
        {import.meta.env.SSR && (
          <Alert tone="attention" title="Signing in needs JavaScript" className={styles.notice}>
            <p>
              Turn it on in your browser and load this page again, or call your conveyancer on the number that
              you already know.
            </p>
          </Alert>
        )}
      </noscript>
      {/* By POST even where a script fails, so that a password never stands in an address. */}
      <form ref={form} method="post" onSubmit={submit} noValidate>
        {faults.form && (
          <Alert tone="danger" takesFocus title="You are not signed in" className={styles.notice}>
            <p>{faults.form}</p>
          </Alert>
        )}
        <EmailField ref={email} error={faults.email} />
        <PasswordField
          ref={password}
          label="Password"
          autoComplete="current-password"
          error={faults.password && withSecondsLeft(faults.password, secondsLeft)}
          isSent={busy}
        />
        <Button type="submit" size="full" busy={busy} busyText="Signing in…" className={styles.submit}>
          Sign in
        </Button>
      </form>
      <p className={styles.help}>
        <Link to="/forgot-password">Forgotten your password, or first time here?</Link>
      </p>
    </>
  );
}

const endingWords: Record<SignOutReason, string | null> = {
  left: null,
  elsewhere: 'You were signed out in another tab or window. Sign in to go on where you were.',
  idle: 'You were signed out because nothing happened here for a while. Sign in to go on where you were.',
  expired: 'Your sign-in has ended. Sign in to go on where you were.',
};
