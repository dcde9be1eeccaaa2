import { Brand } from '@keyturn/ui/base/brand.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClientFor } from '../../api/queries/query-client.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useAuthState, useServices } from '../../api/services/services.ts';
import { credentialOf } from '../../api/session/auth-store.ts';
import { CaseSwitch } from '../../features/case/header/case-switch.tsx';
import { PresenceNote } from '../../features/case/header/presence-note.tsx';
import { Link } from '../../navigation/link.tsx';
import { usePathname } from '../../navigation/navigation.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Announcements } from './announcements.tsx';
import { FirmLinks } from './authentication/firm-links.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import styles from './default-layout.module.css';
import { DocumentsLink } from './documents-link.tsx';
import { followBarHeight } from './follow-bar-height.ts';
import { IdentityConfirmation } from './identity-confirmation.tsx';
import { IdleWarning } from './idle-warning.tsx';
import { LiveUpdates } from './live-updates.tsx';

/** The frame of all signed-in screens. Each sign-in gets its own query cache, so no data passes to the next one. */
export default function DefaultLayout({ children }: { children: ReactNode }) {
  const { auth } = useServices();
  const signIn = credentialOf(useAuthState());
  if (!signIn) return null;
  return (
    <QueryClientProvider key={signIn} client={queryClientFor(auth, signIn)}>
      <SignedInFrame>{children}</SignedInFrame>
    </QueryClientProvider>
  );
}

function SignedInFrame({ children }: { children: ReactNode }) {
  const { config } = useServices();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to main content
      </a>
      <header className={styles.top}>
        <div className={styles.bar}>
          <Link
            className={styles.home}
            to="/"
            aria-label={`${config.firm?.name ?? config.product_name}, home`}
          >
            <Brand name={config.firm?.name ?? config.product_name} />
          </Link>
          <nav className={styles.nav} aria-label="Main">
            <NavigationLinks />
          </nav>
          <div className={styles.own}>
            <div className={styles.here}>
              <PresenceNote />
            </div>
            <div className={styles.switch}>
              <CaseSwitch />
            </div>
            <AccountMenu />
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <IdleWarning />
      <LiveUpdates />
      <main className={styles.main} id="main" tabIndex={-1}>
        <IdentityConfirmation>{children}</IdentityConfirmation>
      </main>
      <Announcements />
      <Footer />
      <nav className={styles.thumb} aria-label="Main" ref={followBarHeight}>
        <NavigationLinks />
      </nav>
    </div>
  );
}

function NavigationLinks() {
  const conveyancingCase = useClient().data?.conveyancing_case;
  return (
    <>
      <Link to="/">Home</Link>
      <Link to="/milestones">Milestones</Link>
      <DocumentsLink conveyancingCase={conveyancingCase} />
      <PaymentsLink />
    </>
  );
}

/** Also marked as current on the screens of a single payment. */
function PaymentsLink() {
  const isCurrent = /^\/payment(?:-details|-other)?$/.test(usePathname());
  return (
    <Link to="/payments" {...(isCurrent ? { 'aria-current': true } : {})}>
      Payments
    </Link>
  );
}

function Footer() {
  const { firm, regulated_by: regulatedBy } = useServices().config;
  return (
    <footer className={styles.foot}>
      {firm && (
        <p>
          {firm.name}, {firm.address.join(', ')}
        </p>
      )}
      {regulatedBy && <p>{regulatedBy}</p>}
      <FirmLinks />
    </footer>
  );
}
