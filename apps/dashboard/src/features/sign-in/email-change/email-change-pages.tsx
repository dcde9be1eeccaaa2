import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { useServices } from '../../../api/services/services.ts';
import { Link } from '../../../navigation/link.tsx';
import { useRouter } from '../../../navigation/navigation.tsx';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button, buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { removeTokenFromAddress } from '../remove-token-from-address.ts';
import styles from '../sign-in-screen/sign-in-page.module.css';

/** The screen behind the link that was mailed to a new email address. */
export function ConfirmEmailPage() {
  const { call } = useServices();
  return (
    <LinkAction
      heading="Confirm your email address"
      about="You’ll sign in with this address from now on, and get our emails there. We’ll sign you out on all your devices."
      action="Confirm this address"
      use={async (body) => {
        await call('POST /email-change/confirm', { body });
        return (
          <Done heading="Your email address has been changed">
            <Alert tone="good" takesFocus className={styles.notice}>
              <p>Sign in with your new address. Your password stays the same.</p>
            </Alert>
            <p className={styles.submit}>
              <Link to="/login" className={buttonClass({ size: 'full' })}>
                Sign in
              </Link>
            </p>
          </Done>
        );
      }}
    />
  );
}

/** The screen behind the link that was mailed to the former email address. */
export function StopEmailChangePage() {
  const { call } = useServices();
  return (
    <LinkAction
      heading="Stop your email address being changed"
      about="Do this if you didn’t ask for it. Your account keeps its previous address, we sign you out on all your devices, and your password stops working."
      action="Stop the change"
      use={async (body) => {
        const { is_address_restored } = await call('POST /email-change/stop', { body });
        return (
          <Done heading="The change has been stopped">
            {is_address_restored ? <Restored /> : <NotRestored />}
          </Done>
        );
      }}
    />
  );
}

const Restored = () => (
  <>
    <Alert tone="good" takesFocus className={styles.notice}>
      <p>
        We’ve restored your previous email address. Choose a new password now, and call us on a number you
        already have: someone else was signed in to your account.
      </p>
    </Alert>
    <p className={styles.submit}>
      <Link to="/forgot-password" className={buttonClass({ size: 'full' })}>
        Get a link for a new password
      </Link>
    </p>
  </>
);

const NotRestored = () => (
  <Alert tone="attention" takesFocus title="Please call us now" className={styles.notice}>
    <p>
      Every device is signed out, and the password no longer works. Another account now uses your previous
      address, so we couldn’t restore it. Call us on a number you already have, so that we can enter an
      address that only you can read.
    </p>
  </Alert>
);

interface LinkActionProps {
  heading: string;
  about: string;
  action: string;
  /** Uses the link. @returns the content to show afterwards */
  use(body: { token: string }): Promise<ReactNode>;
}

/** Uses the token of a link when the client presses the button, because programs that read mail may open links. */
function LinkAction({ heading, about, action, use }: LinkActionProps) {
  const { auth } = useServices();
  const token = useRouter().place().hash.slice(1);
  const [step, setStep] = useState<'ask' | 'expired' | { done: ReactNode }>('ask');
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (step !== 'ask') removeTokenFromAddress();
  }, [step]);
  const submit = async () => {
    if (isBusy) return;
    setFailure(null);
    setBusy(true);
    try {
      const done = await use({ token });
      // The server has ended the session of this browser, too.
      auth.clear('signed_out');
      setStep({ done });
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError && error.code === 'link_expired') setStep('expired');
      else setFailure(messageOf(error));
    }
  };
  if (typeof step === 'object') return step.done;
  if (step === 'expired' || !/^[\w-]{20,200}$/.test(token)) {
    return (
      <>
        <PageHeading>This link no longer works</PageHeading>
        <Alert tone="attention" takesFocus className={styles.notice}>
          <p>
            It is incomplete, has been used, or has expired. If you still need it, call us on a number you
            already have.
          </p>
        </Alert>
      </>
    );
  }
  return (
    <>
      <PageHeading>{heading}</PageHeading>
      <p className={styles.lead}>{about}</p>
      {failure !== null && (
        <Alert tone="danger" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <Button size="full" busy={isBusy} className={styles.submit} onClick={() => void submit()}>
        {action}
      </Button>
    </>
  );
}

function Done({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <PageHeading>{heading}</PageHeading>
      {children}
    </>
  );
}
