import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  /** Called when the client presses Escape or closes the dialog in another way. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** The buttons, with the safe one first. */
  actions: ReactNode;
}

/** A modal dialog. The browser traps the focus inside and restores it afterwards. */
export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    // A dialog that is removed while it is open would lose the focus.
    return () => dialog?.close();
  }, []);
  useEffect(() => {
    const dialog = box.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog
      className={styles.dialog}
      ref={box}
      aria-labelledby={id}
      onClose={() => box.current?.open || onClose()}
    >
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
