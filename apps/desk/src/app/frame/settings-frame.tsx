import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useMember } from '../../api/desk-api.ts';
import { isWithin, settingsFor } from '../routing/routes.ts';
import styles from './frame.module.css';

/** The frame of the settings: the list of subjects, and the page of one. */
export function SettingsFrame({ children }: { children: ReactNode }) {
  const { role } = useMember();
  const [address] = useLocation();
  return (
    <div className={styles.settings}>
      <nav className={styles.subjects} aria-label="Settings">
        {settingsFor(role).map(({ path, name }) => (
          <Link key={path} to={path} aria-current={isWithin(address, path) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles.subject}>{children}</div>
    </div>
  );
}
