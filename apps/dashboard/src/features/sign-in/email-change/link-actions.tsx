import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { signOut } from '../../../api/session/sign-out.ts';
import { useRouter } from '../../../navigation/navigation.tsx';
import { removeTokenFromAddress } from '../remove-token-from-address.ts';
import { SignInLink } from '../sign-in-screen/sign-in-link.tsx';
import styles from '../sign-in-screen/sign-in-page.module.css';

type UseLink = (body: { token: string }) => Promise<ReactNode>;

/** Confirms the change at one address, and says which confirmation is missing. */
export function useConfirm(): UseLink {
  const services = useServices();
  return async (body) => {
    const { missing } = await services.call('POST /email-change/confirm', { body });
    if (missing) return waitingFor[missing];
    // If the change was made earlier, the client may have signed in again since.
    signOut(services);
    return changed;
  };
}

const waitingFor = {
  new_address: (
    <Done heading="One more confirmation">
      <Alert tone="good" takesFocus className={styles.notice}>
        <p>
          Thank you. Now open the link that we sent to your new address. We change it once both are confirmed.
        </p>
      </Alert>
    </Done>
  ),
  former_address: (
    <Done heading="One more confirmation">
      <Alert tone="good" takesFocus className={styles.notice}>
        <p>
          Thank you. Now open the link that we sent to your current address. We change it once both are
          confirmed. If you can’t read your emails there any more, call us on a number you already have.
        </p>
      </Alert>
    </Done>
  ),
};

const changed = (
  <Done heading="Your email address has been changed">
    <Alert tone="good" takesFocus className={styles.notice}>
      <p>Sign in with your new address. Your password stays the same.</p>
    </Alert>
    <SignInLink />
  </Done>
);

interface LinkActionsProps {
  heading: string;
  about: string;
  /** What the client can do with the link. Each returns the content to show afterwards. */
  actions: readonly { label: string; use: UseLink }[];
}

/** Uses the token of a link when the client presses a button, because programs that read email may open links. */
export function LinkActions({ heading, about, actions }: LinkActionsProps) {
  const token = useRouter().place().hash.slice(1);
  const [step, setStep] = useState<'ask' | 'expired' | { done: ReactNode }>('ask');
  const [chosen, setChosen] = useState(0);
  const { isBusy, failure, run } = useAction((error) => {
    if (error instanceof ApiError && error.code === 'link_expired') setStep('expired');
  });
  useEffect(() => {
    if (step !== 'ask') removeTokenFromAddress();
  }, [step]);
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
          <p>{messageOf(failure)}</p>
        </Alert>
      )}
      {actions.map(({ label, use }, index) => (
        <Button
          key={label}
          size="full"
          look={index === 0 ? 'primary' : 'quiet'}
          busy={isBusy && chosen === index}
          className={styles.submit}
          onClick={() =>
            void run(async () => {
              setChosen(index);
              setStep({ done: await use({ token }) });
            })
          }
        >
          {label}
        </Button>
      ))}
    </>
  );
}

export function Done({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <PageHeading>{heading}</PageHeading>
      {children}
    </>
  );
}
