import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  /** Escape, or the browser's own way to close. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Its buttons, the safe one first. */
  actions: ReactNode;
}

/** A modal dialog: the browser keeps the focus inside and gives it back. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog className={styles.dialog} ref={box} aria-labelledby={id} onClose={onClose}>
      {open && (
        <>
          <h2 id={id}>{title}</h2>
          <div className={styles.content}>{children}</div>
          <div className={styles.actions}>{actions}</div>
        </>
      )}
    </dialog>
  );
}
