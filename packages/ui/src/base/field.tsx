import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react';
import tick from '../forms/tick.module.css';
import { classNames } from './class-names.ts';
import styles from './field.module.css';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size'> {
  label: ReactNode;
  hint?: ReactNode;
  /** Marks the field as invalid and describes why. */
  error?: ReactNode;
  /** Placed at the end of the label's line, after the input in tab order: a button that shows the password. */
  action?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** A text field with its label, hint and error. Pass an `id` if an error summary links to it. */
export function Field({ label, hint, error, action, id, className, ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const described = [hint && `${inputId}-hint`, error && `${inputId}-error`].filter(Boolean).join(' ');
  return (
    <div className={classNames(styles.field, className)}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      {hint && (
        <p className={styles.hint} id={`${inputId}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${inputId}-error`}>{error}</FieldError>}
      <input
        {...input}
        id={inputId}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      />
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'type'> {
  label: ReactNode;
  error?: string | null | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** A checkbox with its label. */
export function Checkbox({ label, error, id, className, ...input }: CheckboxProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  return (
    <div className={classNames(styles.field, className)}>
      {error && <FieldError id={`${inputId}-error`}>{error}</FieldError>}
      <label className={styles.check} htmlFor={inputId}>
        <input
          {...input}
          id={inputId}
          type="checkbox"
          className={tick.tick}
          data-wrong={error ? true : undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${inputId}-error` : undefined}
        />
        <span>{label}</span>
      </label>
    </div>
  );
}

/** The error message of a field. Refer to it with `aria-describedby`. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p className={styles.error} id={id}>
      {children}
    </p>
  );
}
