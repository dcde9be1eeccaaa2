import { useAction } from '@keyturn/browser/action/use-action.ts';
import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Field, type FieldProps } from '@keyturn/ui/base/field.tsx';
import { type FormEvent, useRef, useState } from 'react';
import styles from '../account.module.css';

interface ContactFormProps {
  field: Omit<FieldProps, 'ref' | 'error'>;
  /** The text of the button. */
  action: string;
  busyText: string;
  /** The heading of an error that does not belong to the field. */
  failureTitle: string;
  /** Returns the message of an error that belongs to the field. */
  fieldErrorOf(error: ApiError): string | undefined;
  /** Stores the trimmed value. The form stays open if it fails. */
  onSubmit(value: string): Promise<void>;
  onClose(): void;
}

/** A form for a new contact detail of the client. */
export function ContactForm(props: ContactFormProps) {
  const { field, action, busyText, failureTitle, fieldErrorOf, onSubmit, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<{ field?: string | undefined; form?: string }>({});
  const { isBusy, run } = useAction((failure) => {
    setError(errorsFrom(failure, fieldErrorOf));
    input.current?.focus();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setError({});
    void run(() => onSubmit(input.current?.value.trim() ?? ''));
  };
  return (
    <form method="post" onSubmit={submit} noValidate>
      {error.form && (
        <Alert tone="danger" takesFocus title={failureTitle} className={styles.notice}>
          <p>{error.form}</p>
        </Alert>
      )}
      <Field {...field} ref={input} error={error.field} autoFocus />
      <div className={styles.buttons}>
        <Button type="submit" look="primary" busy={isBusy} busyText={busyText}>
          {action}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function errorsFrom(error: unknown, fieldErrorOf: ContactFormProps['fieldErrorOf']) {
  const field = error instanceof ApiError ? fieldErrorOf(error) : undefined;
  if (field !== undefined) return { field };
  // The client has closed the question of who they are.
  if (error instanceof ApiError && error.code === 'identity_not_confirmed') return {};
  return { form: messageOf(error) };
}
