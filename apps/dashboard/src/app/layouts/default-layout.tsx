import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../../api/queries/use-client.ts';
import { useAuthState, useServices } from '../../api/services/services.ts';
import { CaseSwitch } from '../../features/case/header/case-switch.tsx';
import { PresenceNote } from '../../features/case/header/presence-note.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Announcements } from './announcements.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { createQueryClient } from './create-query-client.ts';
import styles from './default-layout.module.css';
import { IdleWarning } from './idle-warning.tsx';
import { LiveUpdates } from './live-updates.tsx';

/** The frame of all signed-in screens. Each sign-in gets its own query cache, so no data passes to the next one. */
export function DefaultLayout() {
  const token = useAuthState()?.access_token;
  const queries = useMemo(() => (token ? createQueryClient() : null), [token]);
  if (!queries) return null;
  return (
    <QueryClientProvider key={token} client={queries}>
      <SignedInFrame />
    </QueryClientProvider>
  );
}

function SignedInFrame() {
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
        <Outlet />
      </main>
      <Announcements />
      <Footer />
      <nav className={styles.thumb} aria-label="Main">
        <NavigationLinks />
      </nav>
    </div>
  );
}

function NavigationLinks() {
  return (
    <>
      <Link to="/" activeOptions={{ exact: true }}>
        Home
      </Link>
      <Link to="/milestones">Milestones</Link>
      <DocumentsLink />
      <PaymentsLink />
    </>
  );
}

/** Also marked as current on the screens of a single payment. */
function PaymentsLink() {
  const isCurrent = /^\/payment(?:-details|-other)?$/.test(useLocation().pathname);
  return (
    <Link to="/payments" {...(isCurrent ? { 'aria-current': true } : {})}>
      Payments
    </Link>
  );
}

/** Leads to the documents to sign, if any, and otherwise to the contract documents of the first matter. */
function DocumentsLink() {
  const conveyancingCase = useClient().data?.conveyancing_case;
  const toSign = conveyancingCase?.tasks.some(
    ({ kind, status }) => kind === 'sign_document' && status === 'open',
  );
  const isCurrent = useLocation().pathname.startsWith('/documents/');
  return (
    <Link
      to="/documents/$matter_type/$group"
      params={{
        matter_type: conveyancingCase?.matters[0]?.matter_type ?? 'purchase',
        group: toSign ? 'to-sign' : 'contract',
      }}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
    >
      Documents
    </Link>
  );
}

function Footer() {
  const { firm } = useServices().config;
  if (!firm) return null;
  return (
    <footer className={styles.foot}>
      <p>
        {firm.name}, {firm.address.join(', ')}
      </p>
      <p>Regulated by the Solicitors Regulation Authority, number {firm.sra_number}</p>
    </footer>
  );
}
