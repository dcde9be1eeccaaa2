import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { cardNumberNotAllowed, hasCardNumber, isEmailAddress, removeInvisible } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { useRouter } from '../../../navigation/navigation.tsx';
import { EmailField } from '../fields/email-field.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';

/** The screen for requesting a password link by email. It never reveals whether the address belongs to a client. */
export default function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <>
      {sentTo === null ? (
        <RequestLink onSent={setSentTo} />
      ) : (
        <LinkSent email={sentTo} onTryAgain={() => setSentTo(null)} />
      )}
      <p className={styles.help}>
        <Link to="/login">Back to sign in</Link>
      </p>
    </>
  );
}

function RequestLink({ onSent }: { onSent(email: string): void }) {
  const { call } = useServices();
  const email = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<{ email?: string; form?: string }>({});
  const { isBusy, run } = useAction((reason) => {
    const isRateLimited = reason instanceof ApiError && reason.status === 429;
    setError({
      form: isRateLimited
        ? 'You’ve already asked for several links. Please check your email, or try again in a minute.'
        : messageOf(reason),
    });
  });
  const { email: knownEmail } = useRouter().place().state;
  useEffect(() => {
    if (knownEmail && email.current?.value === '') email.current.value = knownEmail;
  }, [knownEmail]);
  useEffect(() => {
    if (error.email) email.current?.focus();
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const address = removeInvisible(email.current?.value ?? '').trim();
    if (!isEmailAddress(address)) {
      setError({ email: 'Enter your email address, for example name@example.com.' });
      return;
    }
    if (hasCardNumber(address)) {
      setError({ email: cardNumberNotAllowed });
      return;
    }
    setError({});
    void run(async () => {
      await call('POST /password/forgot', { body: { email: address } });
      onSent(address);
    });
  };

  return (
    <>
      <PageHeading>Reset your password</PageHeading>
      <p className={styles.lead}>
        If you’ve forgotten your password or haven’t chosen one yet, we’ll send a link to the email address
        you gave us.
      </p>
      <form method="post" onSubmit={submit} noValidate>
        {error.form && (
          <Alert tone="danger" takesFocus title="We couldn’t send a link" className={styles.notice}>
            <p>{error.form}</p>
          </Alert>
        )}
        <EmailField ref={email} error={error.email} />
        <Button type="submit" size="full" busy={isBusy} busyText="Sending…" className={styles.submit}>
          Send me a link
        </Button>
      </form>
    </>
  );
}

function LinkSent({ email, onTryAgain }: { email: string; onTryAgain(): void }) {
  const { firm } = useServices().config;
  return (
    <>
      <PageHeading>Check your email</PageHeading>
      <Alert tone="good" takesFocus className={styles.notice}>
        <p>
          If <strong>{email}</strong> is the address we have for you, a link is on its way. You can use it
          once within an hour.
        </p>
      </Alert>
      <p className={styles.lead}>
        Nothing after a few minutes? Check your junk folder, or{' '}
        <Button look="plain" onClick={onTryAgain}>
          try another address
        </Button>
        .
        {firm && (
          <>
            {' '}
            You can also call us on <PhoneLink phone={firm.phone} />.
          </>
        )}
      </p>
    </>
  );
}
