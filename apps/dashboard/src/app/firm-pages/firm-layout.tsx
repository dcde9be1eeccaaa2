import { Brand } from '@keyturn/ui/base/brand.tsx';
import type { ReactNode } from 'react';
import { useServices } from '../../api/services/services.ts';
import { FirmLink, FirmLinks } from '../layouts/authentication/firm-links.tsx';
import styles from './firm-pages.module.css';

/** The frame of the pages about the firm, which need no sign-in. */
export default function FirmLayout({ children }: { children: ReactNode }) {
  const { firm, product_name } = useServices().config;
  const name = firm?.name ?? product_name;
  return (
    <div className={styles.frame}>
      <header>
        <FirmLink className={styles.home} to="/" aria-label={`${name}, home`}>
          <Brand name={name} />
        </FirmLink>
      </header>
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className={styles.foot}>
        <FirmLinks />
      </footer>
    </div>
  );
}
