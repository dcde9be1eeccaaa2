import { QueryClientProvider } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useAuthState, useServices } from '../../api/services.ts';
import { CaseSwitch } from '../../features/case/case-switch.tsx';
import { Brand } from '../../ui/brand.tsx';
import { createQueryClient } from '../create-query-client.ts';
import { destinations } from '../route-table.ts';
import { AccountMenu } from './account-menu.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import styles from './default-layout.module.css';

/** Around every screen of a signed-in client. A new sign-in starts with nothing in memory of the one before. */
export function DefaultLayout() {
  const token = useAuthState()?.access_token;
  const queries = useMemo(() => (token ? createQueryClient() : null), [token]);
  if (!queries) return null;
  return (
    <QueryClientProvider key={token} client={queries}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
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
          {destinations.length > 1 && (
            <nav className={styles.nav} aria-label="Main">
              <Destinations />
            </nav>
          )}
          <div className={styles.own}>
            <div className={styles.switch}>
              <CaseSwitch />
            </div>
            <AccountMenu />
          </div>
        </div>
      </header>
      <ConnectionNotice />
      <main className={styles.main} id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Foot />
      {destinations.length > 1 && (
        <nav className={styles.thumb} aria-label="Main">
          <Destinations />
        </nav>
      )}
    </div>
  );
}

function Destinations() {
  return destinations.map(({ path, label }) => (
    <Link key={path} to={path} activeOptions={{ exact: path === '/' }}>
      {label}
    </Link>
  ));
}

function Foot() {
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
