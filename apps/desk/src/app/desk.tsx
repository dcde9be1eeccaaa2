import { useStore } from '@keyturn/browser/store/create-store.ts';
import { ErrorBoundary } from '@keyturn/ui/states/error-boundary.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Router, useLocation } from 'wouter';
import { errorText } from '../api/client/staff-error.ts';
import { currentQueryClient, readSession, session } from '../api/desk-api.ts';
import { Toasts } from '../ui/feedback/toasts.tsx';
import { BankAccountDialog } from './frame/bank-account-dialog.tsx';
import { EntryFrame } from './frame/entry-frame.tsx';
import { MemberIdentityDialog } from './frame/member-identity-dialog.tsx';
import { PageSkeleton } from './frame/page-skeleton.tsx';
import { Shell } from './frame/shell.tsx';
import { lazyPage } from './routing/lazy-page.tsx';
import { FailedPage, Pages } from './routing/pages.tsx';

const SignInPage = lazyPage(() => import('../features/staff/sign-in/sign-in-page.tsx'));
const InvitationPage = lazyPage(() => import('../features/staff/invitation/invitation-page.tsx'));
const FirstFactorPage = lazyPage(() => import('../features/staff/factors/first-factor-page.tsx'));

/** The whole desk. The sign-in page replaces any other page without changing the address. */
export const Desk = () => (
  <Router base="/desk">
    <CurrentScreen />
  </Router>
);

function CurrentScreen() {
  const current = useStore(session);
  const [address] = useLocation();
  if (address === '/invitation')
    return (
      <Entry>
        <InvitationPage />
      </Entry>
    );
  switch (current.kind) {
    case 'unknown':
      return (
        <EntryFrame>
          <PageSkeleton />
        </EntryFrame>
      );
    case 'unreadable':
      return (
        <EntryFrame>
          <LoadFailure
            what="The desk"
            message={errorText(current.error)}
            onRetry={() => void readSession()}
            isTrying={false}
          />
        </EntryFrame>
      );
    case 'signed-out':
      return (
        <Entry>
          <SignInPage reason={current.reason} />
        </Entry>
      );
    case 'signed-in':
      return (
        // Data of one session is never shown in the next one.
        <QueryClientProvider key={current.signIn.csrf_token} client={currentQueryClient()}>
          {current.signIn.must_add_factor ? (
            <Entry>
              <FirstFactorPage />
            </Entry>
          ) : (
            <Shell>
              <Pages />
            </Shell>
          )}
          <MemberIdentityDialog />
          <BankAccountDialog />
        </QueryClientProvider>
      );
  }
}

/** A page without navigation, before or instead of signing in. */
const Entry = ({ children }: { children: ReactNode }) => (
  <EntryFrame>
    <ErrorBoundary fallback={(error) => <FailedPage error={error} />}>
      <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
    </ErrorBoundary>
    <Toasts />
  </EntryFrame>
);
