import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Field } from '@keyturn/ui/base/field.tsx';
import type { FactorKit } from '@keyturn/ui/factors/factor-kit.ts';
import { PasswordField } from '@keyturn/ui/forms/password-field.tsx';
import type { FormEvent, ReactNode } from 'react';
import styles from './account.module.css';

/** A form of the account page, which sends nothing without its script. */
function Form({
  id,
  onSubmit,
  children,
}: {
  id?: string;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  children: ReactNode;
}) {
  return (
    <form {...(id === undefined ? {} : { id })} method="post" onSubmit={onSubmit} noValidate>
      {children}
    </form>
  );
}

const Buttons = ({ children }: { children: ReactNode }) => <div className={styles.buttons}>{children}</div>;

/** The dashboard’s controls for second factors. */
export const accountKit: FactorKit = { Button, Field, Form, Buttons, PasswordField, errorText: messageOf };
