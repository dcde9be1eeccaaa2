import { Brand } from '@keyturn/ui/base/brand.tsx';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { getConfig } from '../../api/config.ts';
import { useMember } from '../../api/desk-api.ts';
import { Toasts } from '../../ui/feedback/toasts.tsx';
import { KeysOverview } from '../../ui/keys/keys-overview.tsx';
import { useShortcut } from '../../ui/keys/shortcuts.ts';
import { isWithin, type NavigationItem, navigationFor, startPathFor } from '../routing/routes.ts';
import { ConnectionStatus } from './connection-status.tsx';
import styles from './frame.module.css';
import { MemberMenu } from './member-menu.tsx';
import { SessionNotices } from './session-notices.tsx';

/** The frame of every page for signed-in members. */
export function Shell({ children }: { children: ReactNode }) {
  const { role } = useMember();
  const { firm, product_name } = getConfig();
  const [showsKeys, setShowsKeys] = useState(false);
  const items = navigationFor(role);
  useShortcut({ keys: '?', name: 'Show these shortcuts', group: 'Everywhere' }, () => setShowsKeys(true));
  useShortcut({ keys: 'Escape', name: 'Close what is open', group: 'Everywhere' }, null);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        Skip to main content
      </a>
      <header className={styles.side}>
        <Link className={styles.brand} to={startPathFor(role)}>
          <Brand name={firm?.name ?? product_name} />
          <VisuallyHidden>, home page</VisuallyHidden>
        </Link>
        <nav className={styles.nav} aria-label="Main">
          {items.map((item) => (
            <NavigationLink key={item.path} item={item} />
          ))}
        </nav>
        <div className={styles.own}>
          <MemberMenu onShowKeys={() => setShowsKeys(true)} />
        </div>
      </header>
      <main className={styles.main} id="main" tabIndex={-1}>
        <SessionNotices />
        <ConnectionStatus />
        {children}
      </main>
      {items.length > 0 && (
        <nav className={styles.thumb} aria-label="Main">
          {items.map((item) => (
            <NavigationLink key={item.path} item={item} isPlain />
          ))}
        </nav>
      )}
      <Toasts />
      <KeysOverview open={showsKeys} onClose={() => setShowsKeys(false)} />
    </div>
  );
}

function NavigationLink({
  item: { path, to, name, key },
  isPlain = false,
}: {
  item: NavigationItem & { to: string };
  /** Whether this is the second bar, which has the same shortcuts as the first. */
  isPlain?: boolean;
}) {
  const [address, navigate] = useLocation();
  useShortcut(isPlain ? null : { keys: `g ${key}`, name: `Go to ${name}`, group: 'Everywhere' }, () =>
    navigate(to),
  );
  return (
    <Link to={to} aria-current={isWithin(address, path) ? 'page' : undefined}>
      {name}
    </Link>
  );
}
