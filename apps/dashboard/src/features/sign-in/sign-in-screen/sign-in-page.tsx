import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, localFailure, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { PasswordField } from '@keyturn/ui/forms/password-field.tsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import type { SignOutReason } from '../../../api/session/auth-store.ts';
import { signIn } from '../../../api/session/sign-in.ts';
import { Link } from '../../../navigation/link.tsx';
import { EmailField } from '../fields/email-field.tsx';
import {
  type SignInErrors,
  signInErrorsFrom,
  validateCredentials,
  withSecondsLeft,
} from './sign-in-errors.ts';
import styles from './sign-in-page.module.css';
import { takeOverForm } from './take-over-form.ts';
import { useCountdown } from './use-countdown.ts';

/** The sign-in screen. After signing in, the guest guard redirects to the page that the client requested. */
export default function SignInPage() {
  const [secondStep, setSecondStep] = useState<SecondStep | null>(null);
  if (!secondStep) return <FirstStep onSecondStep={setSecondStep} />;
  const { Step, credentials } = secondStep;
  return <Step credentials={credentials} onRestart={() => setSecondStep(null)} />;
}

/** Loaded on demand, because few clients need it. */
const loadSecondStep = () => import('../second-factor/second-factor-step.tsx');
const loadPasskeys = () => import('../second-factor/passkey-sign-in.ts');

interface SecondStep {
  Step: Awaited<ReturnType<typeof loadSecondStep>>['SecondFactorStep'];
  credentials: { email: string; password: string };
}

function FirstStep({ onSecondStep }: { onSecondStep(step: SecondStep): void }) {
  const services = useServices();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<SignInErrors>({});
  const [secondsLeft, startCountdown] = useCountdown();
  const byPassword = useAction(
    (error) => {
      setErrors(signInErrorsFrom(error));
      startCountdown(error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0);
    },
    { staysBusy: true },
  );
  const byPasskey = useAction((error) => setErrors({ form: messageOf(error) }), { staysBusy: true });
  const isBusy = byPassword.isBusy || byPasskey.isBusy;

  useEffect(() => takeOverForm(form.current), []);
  useEffect(() => {
    if (errors.email) email.current?.focus();
    else if (errors.password) password.current?.focus();
  }, [errors]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const credentials = { email: email.current?.value.trim() ?? '', password: password.current?.value ?? '' };
    const missing = validateCredentials(credentials);
    setErrors(missing);
    if (missing.email || missing.password) return;
    void byPassword.run(async () => {
      try {
        await signIn(services, credentials);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error;
        onSecondStep({ Step: (await loaded(loadSecondStep())).SecondFactorStep, credentials });
      }
    });
  };
  const signInOnDevice = () => {
    if (isBusy) return;
    setErrors({});
    void byPasskey.run(async () => (await loaded(loadPasskeys())).signInWithPasskey(services));
  };

  return (
    <>
      <PageHeading>Sign in to your case</PageHeading>
      <p className={styles.lead}>See how your move is going, what happens next, and pay for searches.</p>
      <Notices />
      {/* Uses POST even if a script fails, so that a password never appears in a URL. */}
      <form ref={form} method="post" onSubmit={submit} noValidate>
        {errors.form && (
          <Alert tone="danger" takesFocus title="We couldn’t sign you in" className={styles.notice}>
            <p>{errors.form}</p>
          </Alert>
        )}
        <EmailField ref={email} error={errors.email} known={services.auth.interruptedClient()?.email} />
        <PasswordField
          ref={password}
          label="Password"
          autoComplete="current-password"
          error={errors.password && withSecondsLeft(errors.password, secondsLeft)}
          isSent={isBusy}
        />
        <Button
          type="submit"
          size="full"
          busy={byPassword.isBusy}
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
          onClick={signInOnDevice}
        >
          Use a passkey
        </Button>
      </form>
      <p className={styles.help}>
        <Link to="/forgot-password">Forgotten your password, or first time here?</Link>
      </p>
    </>
  );
}

/** @throws ApiError `unreachable` if the code cannot be loaded */
const loaded = <Module,>(module: Promise<Module>): Promise<Module> =>
  module.catch(() => {
    throw localFailure('unreachable');
  });

/** Why the last sign-in ended, and what the client has to know before signing in. */
function Notices() {
  const { auth, config, isClockWrong, persisted } = useServices();
  const hasWrongClock = useStore(isClockWrong);
  const [keepsNothing, setKeepsNothing] = useState(false);
  // The prerendered page does not know the browser.
  useEffect(() => setKeepsNothing(!persisted.lasts), [persisted]);
  const signOutNotice = signOutNotices[auth.signOutReason() ?? 'signed_out'];
  return (
    <>
      {signOutNotice && (
        <Alert tone="information" className={styles.notice}>
          <p>{signOutNotice}</p>
        </Alert>
      )}
      {keepsNothing && (
        <Alert
          tone="attention"
          title="Your browser isn’t saving anything for this site"
          className={styles.notice}
        >
          <p>
            You can sign in, but you’ll be signed out when you reload or close the page. To stay signed in,
            allow cookies and site data for this site in your browser’s settings.
          </p>
        </Alert>
      )}
      {hasWrongClock && (
        <Alert tone="attention" title="This device’s clock seems to be wrong" className={styles.notice}>
          <p>
            Turn on automatic date and time in its settings. Until you do, codes from an authenticator app may
            not work, and some dates may be shown incorrectly.
          </p>
        </Alert>
      )}
      {config.demonstration && (
        <Alert tone="attention" className={styles.notice}>
          <p>
            <strong>Demonstration.</strong> The people, homes and payments here are made up.
          </p>
        </Alert>
      )}
      {/* Only browsers without scripts show this, so its text is left out of the script bundle. */}
      <noscript>
        {import.meta.env.SSR && (
          <Alert tone="attention" title="Signing in needs JavaScript" className={styles.notice}>
            <p>
              Turn it on in your browser and reload this page, or call your conveyancer on a number you
              already have.
            </p>
          </Alert>
        )}
      </noscript>
    </>
  );
}

const signOutNotices: Record<SignOutReason, string | null> = {
  signed_out: null,
  other_tab: 'You were signed out in another tab or window. Sign in to come back to this page.',
  idle: 'We signed you out because you were inactive. Sign in to continue where you left off.',
  expired: 'Your session has ended. Sign in to continue where you left off.',
  not_kept:
    'Your browser blocked the cookie that keeps you signed in. Allow cookies for this site in your browser’s settings, then sign in again.',
};
