import { cardNumberNotAllowed, hasCardNumber } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { useServices } from '../../../api/services/services.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { telephoneHref } from '../../../ui/base/format-phone.ts';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { EmailField } from '../fields/email-field.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';

/** Asks for a link by email. What it says never tells whether there is such a client. */
export function ForgotPasswordPage() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  return (
    <>
      {askedFor === null ? (
        <AskForLink onAsked={setAskedFor} />
      ) : (
        <LinkOnItsWay email={askedFor} onAgain={() => setAskedFor(null)} />
      )}
      <p className={styles.help}>
        <Link to="/login">Back to sign in</Link>
      </p>
    </>
  );
}

function AskForLink({ onAsked }: { onAsked(email: string): void }) {
  const { call } = useServices();
  const email = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<{ email?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (fault.email) email.current?.focus();
  }, [fault]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const address = email.current?.value.trim() ?? '';
    if (!/^[^\s@]+@[^\s@]+$/.test(address)) {
      setFault({ email: 'Enter your email address, for example name@example.com.' });
      return;
    }
    if (hasCardNumber(address)) {
      setFault({ email: cardNumberNotAllowed });
      return;
    }
    setFault({});
    setBusy(true);
    try {
      await call('POST /password/forgot', { body: { email: address } });
      onAsked(address);
    } catch (error) {
      const isTooOften = error instanceof ApiError && error.status === 429;
      setFault({
        form: isTooOften
          ? 'You have asked for several links already. Please wait a minute and look at your email.'
          : messageOf(error),
      });
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeading>Choose a password by email</PageHeading>
      <p className={styles.lead}>
        Whether it is forgotten or you are here for the first time: we send a link to the email address that
        you gave us.
      </p>
      <form method="post" onSubmit={submit} noValidate>
        {fault.form && (
          <Alert tone="danger" takesFocus title="No link was sent" className={styles.notice}>
            <p>{fault.form}</p>
          </Alert>
        )}
        <EmailField ref={email} error={fault.email} />
        <Button type="submit" size="full" busy={busy} busyText="Sending…" className={styles.submit}>
          Send me a link
        </Button>
      </form>
    </>
  );
}

function LinkOnItsWay({ email, onAgain }: { email: string; onAgain(): void }) {
  const { firm } = useServices().config;
  return (
    <>
      <PageHeading>Look at your email</PageHeading>
      <Alert tone="good" takesFocus className={styles.notice}>
        <p>
          If <strong>{email}</strong> is the address that we have for you, a link is on its way. It works
          once, for 24 hours.
        </p>
      </Alert>
      <p className={styles.lead}>
        Nothing after a few minutes? Look among unwanted mail, or{' '}
        <Button look="plain" onClick={onAgain}>
          try another address
        </Button>
        .
        {firm && (
          <>
            {' '}
            Or call us on <a href={telephoneHref(firm.phone)}>{firm.phone}</a>.
          </>
        )}
      </p>
    </>
  );
}
