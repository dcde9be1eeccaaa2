import styles from './route-sketch.module.css';

/** A decorative route line, for screens without a case. */
export function RouteSketch() {
  return (
    <svg className={styles.sketch} viewBox="0 0 380 32" width="380" height="32" aria-hidden="true">
      <path className={styles.ahead} d="M152 16H368" />
      <path className={styles.way} d="M12 16H152" />
      <circle className={styles.done} cx="12" cy="16" r="10" />
      <circle className={styles.done} cx="82" cy="16" r="10" />
      <path className={styles.tick} d="M7.6 16.4l3 3 6-6.4M77.6 16.4l3 3 6-6.4" />
      <circle className={styles.halo} cx="152" cy="16" r="15" />
      <circle className={styles.now} cx="152" cy="16" r="7" />
      <circle className={styles.open} cx="222" cy="16" r="9" />
      <path className={styles.key} d="M295 7l9 9-9 9-9-9zM367 7l9 9-9 9-9-9z" />
    </svg>
  );
}
