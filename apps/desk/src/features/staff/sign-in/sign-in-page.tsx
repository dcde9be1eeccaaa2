import { useAction } from '@keyturn/browser/action/use-action.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { passkeySupport } from '@keyturn/ui/factors/browser-passkeys.ts';
import { type FormEvent, useRef, useState } from 'react';
import { errorText } from '../../../api/client/staff-error.ts';
import { getConfig } from '../../../api/config.ts';
import { callStaff, startSession } from '../../../api/desk-api.ts';
import { signInMember } from '../../../api/passkeys.ts';
import type { SessionEnd } from '../../../api/session/session.ts';
import { Button } from '../../../ui/base/button.tsx';
import { PageHead } from '../../../ui/base/page.tsx';
import { DeskPasswordField } from '../../../ui/forms/desk-password-field.tsx';
import { Form, FormButtons, TextField } from '../../../ui/forms/fields.tsx';
import styles from './sign-in.module.css';

/** Signs a member in. The page of the address follows, so that the member returns to it. */
export default function SignInPage({ reason }: { reason: SessionEnd | null }) {
  const { isBusy, failure, run } = useAction();
  const [way, setWay] = useState<'passkey' | 'password'>('password');
  const attempt = (chosen: typeof way, signIn: () => ReturnType<typeof signInMember>) =>
    run(async () => {
      setWay(chosen);
      startSession(await signIn());
    });
  const notice = reason && notices[reason];
  return (
    <>
      <PageHead title="Sign in to the desk" />
      {notice && (
        <Alert tone="information" className={styles.notice}>
          <p>{notice}</p>
        </Alert>
      )}
      {failure !== null && (
        <Alert tone="danger" takesFocus title="You’re not signed in" className={styles.notice}>
          <p>{errorText(failure)}</p>
        </Alert>
      )}
      {passkeySupport() === 'yes' && (
        <>
          <Button
            look="primary"
            wide
            busy={isBusy && way === 'passkey'}
            busyText="Waiting for your passkey…"
            onClick={() => void attempt('passkey', signInMember)}
          >
            Sign in with a passkey
          </Button>
          <p className={styles.or}>or with your password</p>
        </>
      )}
      <PasswordForm
        isBusy={isBusy && way === 'password'}
        onSubmit={(body) => void attempt('password', () => callStaff('POST /staff/login', { body }))}
      />
      <Help />
    </>
  );
}

function PasswordForm({
  isBusy,
  onSubmit,
}: {
  isBusy: boolean;
  onSubmit: (credentials: { email: string; password: string; code?: string }) => void;
}) {
  const [missing, setMissing] = useState<{ email?: string; password?: string }>({});
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entered = {
      email: email.current?.value.trim() ?? '',
      password: password.current?.value ?? '',
      code: code.current?.value.trim() ?? '',
    };
    setMissing({
      ...(entered.email ? {} : { email: 'Enter your email address.' }),
      ...(entered.password ? {} : { password: 'Enter your password.' }),
    });
    if (!entered.email) return email.current?.focus();
    if (!entered.password) return password.current?.focus();
    const { code: enteredCode, ...credentials } = entered;
    onSubmit({ ...credentials, ...(enteredCode ? { code: enteredCode } : {}) });
  };
  return (
    <Form onSubmit={submit}>
      <TextField
        ref={email}
        label="Email address"
        name="email"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={320}
        required
        error={missing.email}
      />
      <DeskPasswordField
        ref={password}
        label="Password"
        autoComplete="current-password"
        error={missing.password}
        isSent={isBusy}
      />
      <TextField
        ref={code}
        label="Code"
        hint="From your authenticator app, or one of your recovery codes."
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
      />
      <FormButtons>
        <Button type="submit" wide busy={isBusy} busyText="Signing in…">
          Sign in
        </Button>
      </FormButtons>
    </Form>
  );
}

function Help() {
  const { demonstration } = getConfig();
  return (
    <>
      {demonstration && (
        <p className={styles.help}>
          <strong>Demonstration.</strong> The people here are made up, and need no code. The terminal that
          started Keyturn shows who can sign in.
        </p>
      )}
      <p className={styles.help}>
        Lost your device or forgotten your password? An admin of your firm can reset it.
      </p>
    </>
  );
}

const notices: Record<SessionEnd, string | null> = {
  signed_out: null,
  idle: 'You were signed out because you were inactive. Sign in to continue where you left off.',
  expired: 'Your session has ended after eight hours. Sign in to continue where you left off.',
  ended: 'Your session has ended. Sign in to continue where you left off.',
  not_kept:
    'Your browser blocked the cookie that keeps you signed in. Allow cookies for this site in your browser’s settings, then sign in again.',
};
