import styles from './pending-page.module.css';

/** A screen that is still on its way after a second. */
export function PendingPage() {
  return (
    <p className={styles.pending} role="status">
      Loading your screen…
    </p>
  );
}
