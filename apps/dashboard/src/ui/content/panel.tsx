import { classNames } from '@keyturn/ui/base/class-names.ts';
import { type ReactNode, useId } from 'react';
import styles from './panel.module.css';

export interface PanelProps {
  title: ReactNode;
  /** `open` without a background, `raised` as a card, `wash` for what needs action, `note` for a warning. */
  look?: 'open' | 'raised' | 'wash' | 'note';
  /** A button or a link at the end of the panel. */
  action?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
  /** For the side column. */
  small?: boolean;
}

/** A section of a screen with its heading. Do not nest panels. */
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
