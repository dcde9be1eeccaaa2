import { Button } from '@keyturn/ui/base/button.tsx';
import type { ReactNode } from 'react';
import styles from './toast.module.css';

/** Announces a change. The status region is always rendered, so that screen readers announce what enters it. */
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
