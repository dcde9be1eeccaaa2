import { Brand } from '@keyturn/ui/base/brand.tsx';
import type { ReactNode } from 'react';
import { getConfig } from '../../api/config.ts';
import styles from './entry-frame.module.css';

/** The frame of the pages that sign a member in. */
export function EntryFrame({ children }: { children: ReactNode }) {
  const { firm, product_name } = getConfig();
  return (
    <div className={styles.frame}>
      <header className={styles.brand}>
        <Brand name={firm?.name ?? product_name} large />
      </header>
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className={styles.note}>
        The desk is for the firm’s staff. Clients: <a href="/login">sign in to your case</a>.
      </footer>
    </div>
  );
}
