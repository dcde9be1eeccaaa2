import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button, buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { VisuallyHidden } from '../../../ui/content/visually-hidden.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { PasswordField } from '../fields/password-field.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';

/** Behind the link of a mail: a password is chosen, once. */
export function ResetPasswordPage() {
  const { token = '' } = useParams({ from: '/authentication/reset-password/$token' });
  // Another link starts with nothing of the one before.
  return <BehindLink key={token} token={token} />;
}

function BehindLink({ token }: { token: string }) {
  const { call } = useServices();
  const [step, setStep] = useState<'look' | 'choose' | 'set' | 'ended'>('look');
  useEffect(() => {
    let isLeft = false;
    void call('POST /password/check-link', { body: { token } })
      // Where nobody can tell, the form is there, and says what comes of it.
      .catch(() => ({ is_open: true }))
      .then(({ is_open }) => {
        if (!isLeft) setStep(is_open ? 'choose' : 'ended');
      });
    return () => {
      isLeft = true;
    };
  }, [call, token]);
  if (step === 'look') return <LookingAtLink />;
  if (step === 'set') return <PasswordIsSet />;
  if (step === 'ended') return <LinkHasEnded />;
  return <ChoosePassword token={token} onStep={setStep} />;
}

/** The size of the form, for the moment until it is known whether there is one. */
function LookingAtLink() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>Looking at your link…</VisuallyHidden>
      <Skeleton height={300} />
    </div>
  );
}

function ChoosePassword({ token, onStep }: { token: string; onStep(step: 'set' | 'ended'): void }) {
  const { call } = useServices();
  const password = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<{ password?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (fault.password) password.current?.focus();
  }, [fault]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const chosen = password.current?.value ?? '';
    if ([...chosen].length < 12) {
      setFault({ password: 'Use at least 12 characters.' });
      return;
    }
    setFault({});
    setBusy(true);
    try {
      await call('POST /password/reset', { body: { token, password: chosen } });
      onStep('set');
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 'link_expired') onStep('ended');
      else {
        const [password] = (error instanceof ApiError && error.errors.password) || [];
        setFault(password ? { password } : { form: messageOf(error) });
      }
    }
  };

  return (
    <>
      <PageHeading>Choose a password</PageHeading>
      <p className={styles.lead}>
        You sign in with it from now on. Every device that is signed in is signed out.
      </p>
      <form method="post" onSubmit={submit} noValidate>
        {fault.form && (
          <Alert tone="danger" takesFocus title="Your password is not set" className={styles.notice}>
            <p>{fault.form}</p>
          </Alert>
        )}
        <PasswordField
          ref={password}
          label="New password"
          hint="12 to 128 characters. Four words that do not belong together are good, and easy to remember."
          autoComplete="new-password"
          error={fault.password}
          isSent={busy}
        />
        <Button
          type="submit"
          size="full"
          busy={busy}
          busyText="Setting your password…"
          className={styles.submit}
        >
          Set my password
        </Button>
      </form>
    </>
  );
}

function PasswordIsSet() {
  return (
    <>
      <PageHeading>Your password is set</PageHeading>
      <Alert tone="good" takesFocus className={styles.notice}>
        <p>You can sign in with it now.</p>
      </Alert>
      <p className={styles.submit}>
        <Link to="/login" className={buttonClass({ size: 'full' })}>
          Sign in
        </Link>
      </p>
    </>
  );
}

function LinkHasEnded() {
  return (
    <>
      <PageHeading>This link has ended</PageHeading>
      <Alert tone="attention" takesFocus className={styles.notice}>
        <p>It was used before, is older than 24 hours, or a newer one has taken its place.</p>
      </Alert>
      <p className={styles.submit}>
        <Link to="/forgot-password" className={buttonClass({ size: 'full' })}>
          Ask for a new link
        </Link>
      </p>
    </>
  );
}
