import { useState } from 'react';
import { Field, type FieldProps } from '../base/field.tsx';
import styles from './password-field.module.css';

export interface PasswordFieldProps extends Omit<FieldProps, 'type' | 'action'> {
  /** Whether the form is being sent. The password is then hidden, so that the browser recognises it and offers to save it. */
  isSent: boolean;
}

/** A password field with a button that shows the password. */
export function PasswordField({ isSent, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      name="password"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={1024}
      required
      {...field}
      type={isShown && !isSent ? 'text' : 'password'}
      action={
        <button
          type="button"
          className={styles.show}
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}
