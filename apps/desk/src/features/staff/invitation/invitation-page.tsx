import { useAction } from '@keyturn/browser/action/use-action.ts';
import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { codeOf, errorText, fieldErrorsOf } from '../../../api/client/staff-error.ts';
import { callStaff, session, startSession } from '../../../api/desk-api.ts';
import { Button, LinkButton } from '../../../ui/base/button.tsx';
import { PageHead } from '../../../ui/base/page.tsx';
import { DeskPasswordField } from '../../../ui/forms/desk-password-field.tsx';
import { Form, FormButtons, TextField } from '../../../ui/forms/fields.tsx';
import styles from './invitation.module.css';

type Check =
  | { kind: 'checking' }
  | { kind: 'open'; email: string | null; name: string | null }
  | { kind: 'closed' }
  | { kind: 'failed'; message: string };

/** Opens an invitation link: its token is the fragment of the address. */
export default function InvitationPage() {
  const token = useInvitationToken();
  const [check, setCheck] = useState<Check>({ kind: 'checking' });
  const [attempts, setAttempts] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt checks again.
  useEffect(() => {
    let isLatest = true;
    const show = (next: Check) => isLatest && setCheck(next);
    if (token === '') {
      show({ kind: 'closed' });
      return;
    }
    show({ kind: 'checking' });
    callStaff('POST /staff/invitation/check', { body: { token } }).then(
      ({ is_open, email, name }) => show(is_open ? { kind: 'open', email, name } : { kind: 'closed' }),
      (error: unknown) => show({ kind: 'failed', message: errorText(error) }),
    );
    return () => {
      isLatest = false;
    };
  }, [token, attempts]);
  const retry = () => setAttempts(attempts + 1);
  switch (check.kind) {
    case 'checking':
      return <Skeleton lines={4} />;
    case 'closed':
      return <ClosedInvitation />;
    case 'failed':
      return (
        <>
          <PageHead title="Your invitation could not be checked" />
          <Alert tone="attention" action={<Button onClick={retry}>Try again</Button>}>
            <p>{check.message}</p>
          </Alert>
        </>
      );
    case 'open':
      return <AcceptForm token={token} email={check.email} name={check.name} onClosed={retry} />;
  }
}

/** The token, including that of a second link that is opened in the same tab. */
function useInvitationToken(): string {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    const follow = () => setToken(readToken());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return token;
}

const readToken = () => location.hash.slice(1);

function ClosedInvitation() {
  return (
    <>
      <PageHead title="This invitation no longer works">
        It has expired, was used already, or a newer one was sent to you. Use the link in the newest email, or
        ask an admin of your firm to send it again.
      </PageHead>
      <LinkButton to="/">Go to sign-in</LinkButton>
    </>
  );
}

function AcceptForm({
  token,
  email,
  name: invitedName,
  onClosed,
}: {
  token: string;
  email: string | null;
  name: string | null;
  onClosed: () => void;
}) {
  const [, navigate] = useLocation();
  const isSignedIn = useStore(session).kind === 'signed-in';
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const [missingName, setMissingName] = useState(false);
  const { isBusy, failure, run } = useAction((error) => {
    if (codeOf(error) === 'link_expired') onClosed();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const entered = name.current?.value.trim() ?? '';
    setMissingName(entered === '');
    if (entered === '') return name.current?.focus();
    void run(async () => {
      const body = { token, name: entered, password: password.current?.value ?? '' };
      const signIn = await callStaff('POST /staff/invitation/accept', { body });
      // Removes the token from the address, and from the history of the tab.
      navigate('/', { replace: true });
      startSession(signIn);
    });
  };
  const errors = fieldErrorsOf(failure);
  return (
    <>
      <PageHead title="Set up your sign-in">
        {email ? `For ${email}. ` : ''}Choose a password. After that, you’ll add a passkey or an authenticator
        app.
      </PageHead>
      {isSignedIn && (
        <Alert tone="attention" className={styles.notice}>
          <p>
            Someone is signed in to the desk in this browser. When you continue, you’re signed in instead.
          </p>
        </Alert>
      )}
      {failure !== null && !errors.password && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{errorText(failure)}</p>
        </Alert>
      )}
      <Form onSubmit={submit}>
        <input type="email" name="email" autoComplete="username" value={email ?? ''} readOnly hidden />
        <TextField
          ref={name}
          label="Your name"
          hint="As clients and colleagues see it."
          defaultValue={invitedName ?? ''}
          autoComplete="name"
          maxLength={200}
          error={missingName ? 'Enter your name.' : undefined}
        />
        <DeskPasswordField
          ref={password}
          label="Choose a password"
          hint="At least 12 characters, not one that is easy to guess."
          autoComplete="new-password"
          error={errors.password}
          isSent={isBusy}
        />
        <FormButtons>
          <Button type="submit" look="primary" wide busy={isBusy} busyText="Signing in…">
            Continue
          </Button>
        </FormButtons>
      </Form>
    </>
  );
}
