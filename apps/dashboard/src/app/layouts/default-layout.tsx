import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../../api/queries/use-client.ts';
import { useAuthState, useServices } from '../../api/services/services.ts';
import { CaseSwitch } from '../../features/case/header/case-switch.tsx';
import { AlsoHere } from '../../features/case/header/presence-note.tsx';
import { Brand } from '../../ui/base/brand.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Announcements } from './announcements.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { createQueryClient } from './create-query-client.ts';
import styles from './default-layout.module.css';
import { IdleWarning } from './idle-warning.tsx';
import { LiveUpdates } from './live-updates.tsx';

/** Around every screen of a signed-in client. A new sign-in starts with nothing in memory of the one before. */
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
        Skip to the main content
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
              <AlsoHere />
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

/** Each step of paying belongs to it as well. */
function PaymentsLink() {
  const isHere = /^\/payment(?:-details|-other)?$/.test(useLocation().pathname);
  return (
    <Link to="/payments" {...(isHere ? { 'aria-current': true } : {})}>
      Payments
    </Link>
  );
}

/** To the documents of the first matter; what waits to be signed comes first. */
function DocumentsLink() {
  const conveyancingCase = useClient().data?.conveyancing_case;
  const toSign = conveyancingCase?.tasks.some(
    ({ kind, status }) => kind === 'sign_document' && status === 'open',
  );
  const isHere = useLocation().pathname.startsWith('/documents/');
  return (
    <Link
      to="/documents/$matter_type/$group"
      params={{
        matter_type: conveyancingCase?.matters[0]?.matter_type ?? 'purchase',
        group: toSign ? 'to-sign' : 'contract',
      }}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
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
