import type { FormEvent, MouseEvent, ReactNode } from 'react';
import type { FieldProps } from '../base/field.tsx';
import type { PasswordFieldProps } from '../forms/password-field.tsx';

interface KitButtonProps {
  look: 'primary' | 'quiet' | 'plain';
  type?: 'submit';
  /** The id of the form that it submits, if the button is outside. */
  form?: string;
  busy?: boolean;
  busyText?: string;
  disabled?: boolean;
  'aria-label'?: string;
  onClick?(event: MouseEvent<HTMLButtonElement>): void;
  children: ReactNode;
}

/** The controls of the application, in its own size, and its texts for errors. */
export interface FactorKit {
  Button(props: KitButtonProps): ReactNode;
  Field(props: FieldProps): ReactNode;
  Form(props: {
    id?: string;
    onSubmit(event: FormEvent<HTMLFormElement>): void;
    children: ReactNode;
  }): ReactNode;
  PasswordField(props: PasswordFieldProps): ReactNode;
  /** A row of buttons. */
  Buttons(props: { children: ReactNode }): ReactNode;
  /** @returns the message for people of a failed call */
  errorText(error: unknown): string;
}

/** A second factor that was added, with the recovery codes that come with the first one. */
export interface Added {
  recovery_codes: string[] | null;
}

export interface AddFactorProps {
  kit: FactorKit;
  onAdded(added: Added): void;
  onCancel(): void;
  /** The level of its heading. */
  heading: 'h2' | 'h3';
}
