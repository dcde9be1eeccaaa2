import { Outlet, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useServices } from '../../api/services/services.ts';
import { Brand } from '../../ui/base/brand.tsx';
import { telephoneHref } from '../../ui/base/format-phone.ts';
import { RouteSketch } from '../../ui/journey/route-sketch.tsx';
import styles from './authentication-layout.module.css';

/** Around sign-in: what the firm never does, and where to turn, beside the form. */
export function AuthenticationLayout() {
  const { firm, product_name } = useServices().config;
  usePreloadedHome();
  return (
    <div className={styles.gate}>
      <main className={styles.main} id="main" tabIndex={-1}>
        <p className={styles.firm}>
          <Brand name={firm?.name ?? product_name} large />
        </p>
        <Outlet />
      </main>
      <aside className={styles.side} aria-labelledby="bank-details">
        <div className={styles.inner}>
          <RouteSketch />
          <h2 id="bank-details">Our bank details never change</h2>
          <p>
            We never send or change them by email or text. If you get such a message, do not pay. Call us on
            the number you already know.
          </p>
          {firm && (
            <p className={styles.call}>
              Need help? <a href={telephoneHref(firm.phone)}>{firm.phone}</a>
              <span>{firm.opening_hours}</span>
            </p>
          )}
        </div>
      </aside>
    </div>
  );
}

/** Whoever has begun to fill in the form is about to need what is behind it. */
function usePreloadedHome() {
  const router = useRouter();
  useEffect(() => {
    const load = () => {
      for (const route of [router.routesByPath['/'], router.routesById['/default']]) {
        // Should that fail, the way there tries again and says so.
        router.loadRouteChunk(route)?.catch(() => undefined);
      }
    };
    document.addEventListener('input', load, { once: true });
    return () => document.removeEventListener('input', load);
  }, [router]);
}
