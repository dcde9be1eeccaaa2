import { type Action, useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Field } from '@keyturn/ui/base/field.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { type FormEvent, useRef, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { signIn } from '../../../api/session/sign-in.ts';
import styles from '../sign-in-screen/sign-in-page.module.css';
import { signInWithPasskey } from './passkey-sign-in.ts';

/** The second step of a sign-in with the password, for a client with a second factor: a code, or a passkey. */
export function SecondFactorStep({
  credentials,
  onRestart,
}: {
  /** The right ones. */
  credentials: { email: string; password: string };
  onRestart(): void;
}) {
  const services = useServices();
  const code = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<{ code?: string; form?: string }>({});
  const byCode = useAction(
    (failure) => {
      const isAboutCode = failure instanceof ApiError && [401, 422, 429].includes(failure.status);
      setError({ [isAboutCode ? 'code' : 'form']: messageOf(failure) });
      code.current?.focus();
    },
    { staysBusy: true },
  );
  const byPasskey = useAction((failure) => setError({ form: messageOf(failure) }), { staysBusy: true });
  const attempt = (way: Action, work: () => Promise<void>) => {
    if (byCode.isBusy || byPasskey.isBusy) return;
    setError({});
    void way.run(work);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const entered = code.current?.value.trim() ?? '';
    if (entered !== '') return attempt(byCode, () => signIn(services, { ...credentials, code: entered }));
    setError({ code: 'Enter a code.' });
    code.current?.focus();
  };
  return (
    <>
      <PageHeading>Confirm that it’s you</PageHeading>
      <p className={styles.lead}>Your account needs more than a password.</p>
      <form method="post" onSubmit={submit} noValidate>
        {error.form && (
          <Alert tone="danger" takesFocus title="We couldn’t sign you in" className={styles.notice}>
            <p>{error.form}</p>
          </Alert>
        )}
        <Field
          ref={code}
          label="Code"
          hint="From your authenticator app, or one of your recovery codes."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          error={error.code}
          autoFocus
        />
        <Button
          type="submit"
          size="full"
          busy={byCode.isBusy}
          busyText="Signing in…"
          className={styles.submit}
        >
          Sign in
        </Button>
        <Button
          look="quiet"
          size="full"
          busy={byPasskey.isBusy}
          busyText="Waiting for your passkey…"
          className={styles.other}
          onClick={() => attempt(byPasskey, () => signInWithPasskey(services))}
        >
          Use a passkey instead
        </Button>
      </form>
      <p className={styles.help}>
        Lost your phone, your passkey and your recovery codes? Call us on a number you already have. Once
        we’ve checked that it’s you, we’ll reset your sign-in.
      </p>
      <p className={styles.help}>
        <Button look="plain" onClick={onRestart}>
          Sign in with other details
        </Button>
      </p>
    </>
  );
}
