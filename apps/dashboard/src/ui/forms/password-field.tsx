import { Field, type FieldProps } from '@keyturn/ui/base/field.tsx';
import { type Ref, useState } from 'react';
import styles from './password-field.module.css';

export interface PasswordFieldProps
  extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'id' | 'autoComplete' | 'autoFocus'> {
  ref?: Ref<HTMLInputElement>;
  /** Whether the form is being sent. The password is then hidden, so that the browser recognises it and offers to save it. */
  isSent: boolean;
}

/** A password field with a button that shows the password. */
export function PasswordField({ isSent, ...field }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      name="password"
      type={isShown && !isSent ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      maxLength={1024}
      required
      action={
        <button
          type="button"
          className={styles.show}
          aria-pressed={isShown}
          aria-label="Show password"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}
