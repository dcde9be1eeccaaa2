import styles from './new-badge.module.css';

/** Marks an entry that arrived while the page was open. */
export const NewBadge = () => <strong className={styles.new}>New</strong>;
