import { useAction } from '@keyturn/browser/action/use-action.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Dialog } from '@keyturn/ui/overlays/dialog.tsx';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { codeOf, errorText, fieldErrorsOf } from '../../api/client/staff-error.ts';
import { Button, type ButtonProps } from '../base/button.tsx';
import { focusHeading, isFocusLost } from '../base/focus-heading.ts';
import styles from './form-dialog.module.css';

export interface FormDialogProps {
  open: boolean;
  onClose(): void;
  title: string;
  /** The label of the button: “Send the invitation”. */
  action: string;
  /** The label of the button that closes the dialog: “Cancel” unless the action is called so too. */
  dismiss?: string;
  busyText?: string;
  look?: ButtonProps['look'];
  /** Performs the action. The dialog closes when it succeeds, and shows the error when it fails. */
  onSubmit(): Promise<unknown>;
  /** Renders the fields with the server’s messages about them, by their path in the request. */
  children: ReactNode | ((errors: Record<string, string>) => ReactNode);
}

/** A dialog for an action: a question with a button, or a form. */
export function FormDialog(props: FormDialogProps) {
  const id = useId();
  useFocusReturn(props.open);
  const { isBusy, failure, run, reset } = useAction();
  const close = () => {
    reset();
    props.onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await props.onSubmit();
      props.onClose();
    });
  };
  const errors = fieldErrorsOf(failure);
  const isAboutFields = codeOf(failure) === 'invalid_input' && typeof props.children === 'function';
  return (
    <Dialog
      open={props.open}
      onClose={close}
      title={props.title}
      actions={
        <>
          <Button onClick={close}>{props.dismiss ?? 'Cancel'}</Button>
          <Button
            type="submit"
            form={id}
            look={props.look ?? 'primary'}
            busy={isBusy}
            busyText={props.busyText ?? 'Please wait'}
          >
            {props.action}
          </Button>
        </>
      }
    >
      <form id={id} className={styles.form} method="post" noValidate onSubmit={submit} onKeyDown={sendOnKeys}>
        {failure !== null && (
          <Alert
            tone="danger"
            className={styles.failure}
            takesFocus
            title={isAboutFields ? 'Some details are missing or invalid' : undefined}
          >
            <p>{isAboutFields ? [...new Set(Object.values(errors))].join(' ') : errorText(failure)}</p>
          </Alert>
        )}
        {typeof props.children === 'function' ? props.children(errors) : props.children}
      </form>
    </Dialog>
  );
}

/** Ctrl or ⌘ and Enter submits the form from every field, even from a choice or a text of several lines. */
function sendOnKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/**
 * Returns the focus to the element that had it before the dialog. The browser does that for a dialog that is closed,
 * but not for one that is removed while it is open.
 */
function useFocusReturn(isOpen: boolean): void {
  const before = useRef<Element | null>(null);
  // Runs before the effect that opens the dialog, which moves the focus.
  useLayoutEffect(() => {
    if (isOpen) before.current = document.activeElement;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      // Once the dialog is closed, and what it has changed is shown: the button that opened it may be gone.
      setTimeout(() => {
        if (!isFocusLost()) return;
        if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
        if (isFocusLost()) focusHeading();
      });
    };
  }, [isOpen]);
}
