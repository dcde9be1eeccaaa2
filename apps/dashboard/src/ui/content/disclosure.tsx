import { classNames } from '@keyturn/ui/base/class-names.ts';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

export interface DisclosureProps {
  /** Counts what is inside: "5 steps done". */
  summary: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** A part of a list that starts closed. On paper it is open. */
export function Disclosure({ summary, children, className }: DisclosureProps) {
  return (
    <details className={classNames(styles.disclosure, className)}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
