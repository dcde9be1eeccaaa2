import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import styles from './status-tag.module.css';

export type StatusTone = 'to-do' | 'moving' | 'good' | 'note' | 'held' | 'off';

/** A status with its own symbol. */
export function StatusTag({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <span className={classNames(styles.tag, styles[tone])}>
      <span className={styles.mark} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
