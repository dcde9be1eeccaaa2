import { Field } from '@keyturn/ui/base/field.tsx';
import type { Ref } from 'react';

/** The field for the email address that a client signs in with, ready for password managers. */
export function EmailField({
  ref,
  error,
  known,
}: {
  ref: Ref<HTMLInputElement>;
  error: string | undefined;
  /** The address that it is filled in with. */
  known?: string | undefined;
}) {
  return (
    <Field
      ref={ref}
      label="Email address"
      name="email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={320}
      required
      defaultValue={known}
      error={error}
    />
  );
}
