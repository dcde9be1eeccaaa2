import { type Ref, useState } from 'react';
import { Field, type FieldProps } from '../../../ui/base/field.tsx';
import styles from './password-field.module.css';

export interface PasswordFieldProps
  extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'id' | 'autoComplete'> {
  ref?: Ref<HTMLInputElement>;
  /** Hidden again while it is sent: the browser then knows it for a password. */
  isSent: boolean;
}

/** A password with a button that shows it. */
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
