import { type ReactNode, useId } from 'react';
import { classNames } from '../base/class-names.ts';
import styles from './panel.module.css';

export interface PanelProps {
  title: ReactNode;
  /** `open`: on the paper; `raised`: a sheet of its own; `wash`: what wants something of the reader. */
  look?: 'open' | 'raised' | 'wash' | 'note';
  /** One way on, at its end. */
  action?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
  /** For the side column. */
  small?: boolean;
}

/** A part of a screen with its heading. Never put one into another. */
export function Panel({ title, look = 'open', action, children, className, small = false }: PanelProps) {
  const id = useId();
  return (
    <section
      className={classNames(styles.panel, styles[look], small && styles.small, className)}
      aria-labelledby={id}
    >
      <h2 id={id}>{title}</h2>
      {children}
      {action && <div className={styles.action}>{action}</div>}
    </section>
  );
}
