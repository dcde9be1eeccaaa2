import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button, buttonClass } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { PasswordField } from '@keyturn/ui/forms/password-field.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { useRouter } from '../../../navigation/navigation.tsx';
import { removeTokenFromAddress } from '../remove-token-from-address.ts';
import { SignInLink } from '../sign-in-screen/sign-in-link.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';

/** The screen behind a password link, where the client chooses a password. */
export default function ResetPasswordPage() {
  const linked = useRouter().place().hash.slice(1);
  const [token, setToken] = useState(linked);
  // The token is removed from the address once the link no longer works.
  if (linked !== '' && linked !== token) setToken(linked);
  if (!/^[\w-]{20,200}$/.test(token)) return <LinkIncomplete />;
  // The key resets all state for another link.
  return <PasswordLink key={token} token={token} />;
}

/** Without a second factor. A client with one may use fewer; the server says so. */
const usualMinLength = 15;

function PasswordLink({ token }: { token: string }) {
  const { call } = useServices();
  const [step, setStep] = useState<'checking' | 'choose' | 'done' | 'expired'>('checking');
  const [minLength, setMinLength] = useState(usualMinLength);
  useEffect(() => {
    if (step === 'done' || step === 'expired') removeTokenFromAddress();
  }, [step]);
  useEffect(() => {
    let isUnmounted = false;
    void call('POST /password/check-link', { body: { token } })
      // If the link cannot be checked, the form is shown, and submitting it reports the error.
      .catch(() => ({ is_open: true, min_password_length: usualMinLength }))
      .then(({ is_open, min_password_length }) => {
        if (isUnmounted) return;
        setMinLength(min_password_length);
        setStep(is_open ? 'choose' : 'expired');
      });
    return () => {
      isUnmounted = true;
    };
  }, [call, token]);
  return (
    <div className={styles.linked}>
      {step === 'checking' && <CheckingLink />}
      {step === 'choose' && <ChoosePassword token={token} minLength={minLength} onStep={setStep} />}
      {step === 'expired' && <LinkExpired />}
      {step === 'done' && <PasswordIsSet />}
    </div>
  );
}

/** Placeholder of the form while the link is checked. */
function CheckingLink() {
  return (
    <div aria-busy="true">
      <VisuallyHidden>Checking your link…</VisuallyHidden>
      <Skeleton height={300} />
    </div>
  );
}

interface ChoosePasswordProps {
  token: string;
  /** Characters that the password needs. */
  minLength: number;
  onStep(step: 'done' | 'expired'): void;
}

function ChoosePassword({ token, minLength, onStep }: ChoosePasswordProps) {
  const { call } = useServices();
  const password = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<{ password?: string; form?: string }>({});
  const { isBusy, run } = useAction((reason) => {
    if (reason instanceof ApiError && reason.code === 'link_expired') onStep('expired');
    else {
      const [password] = (reason instanceof ApiError && reason.errors.password) || [];
      setError(password ? { password } : { form: messageOf(reason) });
    }
  });
  useEffect(() => {
    if (error.password) password.current?.focus();
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const chosen = password.current?.value ?? '';
    if ([...chosen].length < minLength) {
      setError({ password: `Use at least ${minLength} characters.` });
      return;
    }
    setError({});
    void run(async () => {
      await call('POST /password/reset', { body: { token, password: chosen } });
      onStep('done');
    });
  };

  return (
    <>
      <PageHeading>Choose a password</PageHeading>
      <p className={styles.lead}>
        You’ll use it to sign in from now on. We’ll sign you out on all your devices.
      </p>
      <form method="post" onSubmit={submit} noValidate>
        {error.form && (
          <Alert tone="danger" takesFocus title="We couldn’t set your password" className={styles.notice}>
            <p>{error.form}</p>
          </Alert>
        )}
        <PasswordField
          ref={password}
          label="New password"
          hint={`${minLength} to 128 characters. Try four unrelated words: they’re easy to remember.`}
          autoComplete="new-password"
          error={error.password}
          isSent={isBusy}
        />
        <Button
          type="submit"
          size="full"
          busy={isBusy}
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
        <p>You can now sign in with it.</p>
      </Alert>
      <SignInLink />
    </>
  );
}

/** An email program may cut off the end of a link. */
function LinkIncomplete() {
  return (
    <UnusableLink heading="This link is incomplete">
      Open it from our email again, or copy all of it into the address bar.
    </UnusableLink>
  );
}

function LinkExpired() {
  return (
    <UnusableLink heading="This link has expired">
      It has already been used, is too old, or has been replaced by a newer one.
    </UnusableLink>
  );
}

/** Explains why a link cannot be used, and offers a new one. */
function UnusableLink({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <PageHeading>{heading}</PageHeading>
      <Alert tone="attention" takesFocus className={styles.notice}>
        <p>{children}</p>
      </Alert>
      <p className={styles.submit}>
        <Link to="/forgot-password" className={buttonClass({ size: 'full' })}>
          Ask for a new link
        </Link>
      </p>
    </>
  );
}
