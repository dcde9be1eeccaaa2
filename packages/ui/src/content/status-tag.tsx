import type { ReactNode } from 'react';
import { classNames } from '../base/class-names.ts';
import styles from './status-tag.module.css';

export type StatusTone = 'to-do' | 'moving' | 'good' | 'note' | 'held' | 'off';

/**
 * A status with its own symbol.
 * @param props.followsText whether it is on a line with a text, from which its symbol keeps a distance
 */
export function StatusTag({
  tone,
  followsText,
  children,
}: {
  tone: StatusTone;
  followsText?: boolean;
  children: ReactNode;
}) {
  return (
    <span className={classNames(styles.tag, styles[tone], followsText && styles.after)}>
      <span className={styles.mark} aria-hidden="true" />
      <span>{children}</span>
    </span>
  );
}
