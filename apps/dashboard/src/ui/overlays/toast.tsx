import type { ReactNode } from 'react';
import { Button } from '../base/button.tsx';
import styles from './toast.module.css';

/** For what arrives by itself. The region is always there, so that what enters it is read out. */
export function Toast({ children, onDismiss }: { children: ReactNode; onDismiss: () => void }) {
  return (
    <div className={styles.place}>
      <div role="status">{children && <p className={styles.words}>{children}</p>}</div>
      {children && (
        <Button look="plain" className={styles.dismiss} onClick={onDismiss}>
          Dismiss
        </Button>
      )}
    </div>
  );
}
