import { useStore } from '@keyturn/browser/store/create-store.ts';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { useEffect, useState } from 'react';
import { Button } from '../base/button.tsx';
import { useShortcut } from '../keys/shortcuts.ts';
import { dismissToast, type ToastMessage, toasts, toastTime } from './toast-store.ts';
import styles from './toasts.module.css';

/** Shows the messages about changes. Their region is always rendered, so that screen readers announce them. */
export function Toasts() {
  const shown = useStore(toasts);
  const [isHeld, setHeld] = useState(false);
  const undoable = shown.findLast(({ undo }) => undo !== null);
  useShortcut(undoable ? { keys: 'z', name: 'Undo the last change', group: 'On this page' } : null, () => {
    if (undoable) undo(undoable);
  });
  return (
    <div
      className={styles.place}
      role="status"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map((toast) => (
        <ShownToast key={toast.id} toast={toast} isHeld={isHeld} />
      ))}
    </div>
  );
}

function ShownToast({ toast, isHeld }: { toast: ToastMessage; isHeld: boolean }) {
  const { id, text, tone, stays } = toast;
  useEffect(() => {
    if (isHeld || stays) return;
    const timer = setTimeout(() => dismissToast(id), toastTime);
    return () => clearTimeout(timer);
  }, [id, isHeld, stays]);
  return (
    <div className={classNames(styles.toast, tone === 'danger' && styles.danger)}>
      <p>{text}</p>
      <div className={styles.actions}>
        {toast.undo && (
          <Button look="plain" onClick={() => undo(toast)}>
            Undo
          </Button>
        )}
        <Button look="plain" onClick={() => dismissToast(id)}>
          Dismiss
        </Button>
      </div>
    </div>
  );
}

function undo(toast: ToastMessage): void {
  dismissToast(toast.id);
  toast.undo?.();
}
