import { bankDetailsAdvice } from '@keyturn/format/bank-details-advice';
import { Brand } from '@keyturn/ui/base/brand.tsx';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { useRouter } from '../../../navigation/navigation.tsx';
import { HelpLine } from '../../../ui/content/help-line.tsx';
import styles from './authentication-layout.module.css';
import { FirmLinks } from './firm-links.tsx';

/** Loaded on demand: it is decorative, and prerendered on the sign-in page. */
const RouteSketch = lazy(() =>
  import('../../../ui/journey/route-sketch.tsx').then((module) => ({ default: module.RouteSketch })),
);

/** The frame of the sign-in screens: the form, the warning about fraud and the firm's phone number. */
export default function AuthenticationLayout({ children }: { children: ReactNode }) {
  const { firm, product_name } = useServices().config;
  useHomePreload();
  return (
    <div className={styles.gate}>
      <main className={styles.main} id="main" tabIndex={-1}>
        <p className={styles.firm}>
          <Brand name={firm?.name ?? product_name} large />
        </p>
        {children}
      </main>
      <aside className={styles.side} aria-labelledby="bank-details">
        <div className={styles.inner}>
          <div className={styles.sketch}>
            <Suspense>
              <RouteSketch />
            </Suspense>
          </div>
          <h2 id="bank-details">New bank details? Call us first</h2>
          {/* The prerendered page has it too, before the firm’s own sentence is known. */}
          <p>{bankDetailsAdvice}</p>
          {firm && (
            <div className={styles.call}>
              <HelpLine firm={firm} />
            </div>
          )}
          <div className={styles.links}>
            <FirmLinks />
          </div>
        </div>
      </aside>
    </div>
  );
}

/** Loads the code of the home page as soon as the client starts to fill in the form. */
function useHomePreload() {
  const router = useRouter();
  useEffect(() => {
    // The navigation tries again after a failure, and reports it.
    const load = () => void router.preload('/');
    document.addEventListener('input', load, { once: true });
    return () => document.removeEventListener('input', load);
  }, [router]);
}
