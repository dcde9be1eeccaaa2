import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useAccount } from '../../api/queries/use-account.ts';
import styles from './account.module.css';
import { RecordingSection } from './recording/recording-question.tsx';
import { EmailSection } from './sections/email-section.tsx';
import { PasswordSection } from './sections/password-section.tsx';
import { PhoneSection } from './sections/phone-section.tsx';
import { RecoveryCodesSection } from './sections/recovery-codes-section.tsx';
import { SessionsSection } from './sections/sessions-section.tsx';
import { SignInSection } from './sections/sign-in-section.tsx';

/** The client’s own account: how they sign in and are reached. Each part is a separate section. */
export default function AccountPage() {
  const { data: account, error, isFetching, refetch } = useAccount();
  return (
    <>
      <div className={styles.head}>
        <PageHeading>Your account</PageHeading>
        <p>Manage how you sign in, and how we reach you.</p>
      </div>
      <div className={styles.sections}>
        {!account && error && (
          <LoadFailure
            what="Your account"
            message={messageOf(error)}
            onRetry={() => void refetch()}
            isTrying={isFetching}
          />
        )}
        {!account && !error && <Skeleton height={320} />}
        {account && (
          <>
            <SignInSection account={account} />
            <RecoveryCodesSection account={account} />
            <PasswordSection account={account} />
            <EmailSection account={account} />
            {account.phone !== undefined && <PhoneSection phone={account.phone} />}
          </>
        )}
        {account && <RecordingSection />}
        {/* Waits for the content above, which would move its buttons down. */}
        {(account || error) && <SessionsSection />}
      </div>
    </>
  );
}
