import { type ReactNode, useEffect, useRef } from 'react';
import styles from './alert.module.css';
import { classNames } from './class-names.ts';

export interface AlertProps {
  tone: 'information' | 'attention' | 'danger' | 'good';
  /** A few words that say what it is about. */
  title?: ReactNode;
  children?: ReactNode;
  /** One way on: a button or a link. */
  action?: ReactNode;
  /** Appears in answer to what the reader just did: takes the focus. */
  takesFocus?: boolean;
  className?: string | undefined;
}

/** A message in its place on the page. With `takesFocus` it is read at once; without, it is simply there. */
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
