import styles from './pending-page.module.css';

/** Shown while a screen takes more than a second to load. */
export function PendingPage() {
  return (
    <p className={styles.pending} role="status">
      Loading…
    </p>
  );
}
