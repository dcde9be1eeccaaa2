import { type ReactNode, useEffect, useRef } from 'react';
import styles from './alert.module.css';
import { classNames } from './class-names.ts';

export interface AlertProps {
  tone: 'information' | 'attention' | 'danger' | 'good';
  /** A short summary. */
  title?: ReactNode;
  children?: ReactNode;
  /** A button or a link for what to do next. */
  action?: ReactNode;
  /** Moves the focus here. For alerts that respond to what the client just did. */
  takesFocus?: boolean;
  className?: string | undefined;
}

/** A message within the page. With `takesFocus`, screen readers announce it at once. */
export function Alert({ tone, title, children, action, takesFocus = false, className }: AlertProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div
      className={classNames(styles.alert, styles[tone], className)}
      ref={box}
      {...(takesFocus ? { tabIndex: -1, role: 'alert' } : {})}
    >
      <div className={styles.words}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
