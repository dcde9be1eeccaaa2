import { useAction } from '@keyturn/browser/action/use-action.ts';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { type FormEvent, useRef } from 'react';
import { codeOf, errorText, fieldErrorsOf } from '../../../api/client/staff-error.ts';
import { callStaff, useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { DeskPasswordField } from '../../../ui/forms/desk-password-field.tsx';
import { Form, FormButtons } from '../../../ui/forms/fields.tsx';
import styles from './account.module.css';

/** Changes the member’s password. */
export function OwnPassword() {
  const { email } = useMember();
  const password = useRef<HTMLInputElement>(null);
  const { isBusy, failure, run } = useAction(() => password.current?.focus());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await callStaff('PUT /staff/password', { body: { password: password.current?.value ?? '' } });
      if (password.current) password.current.value = '';
      showToast('Your password is changed. Your other sessions have ended.');
    });
  };
  const fieldError = fieldErrorsOf(failure).password;
  return (
    <Section title="Password">
      <Form onSubmit={submit}>
        {failure !== null && !fieldError && codeOf(failure) !== 'invalid_input' && (
          <Alert tone="danger" takesFocus className={styles.notice}>
            <p>{errorText(failure)}</p>
          </Alert>
        )}
        {/* Tells password managers the account of the new password. */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <DeskPasswordField
          ref={password}
          label="New password"
          hint="At least 12 characters, not one that is easy to guess. Your other sessions end."
          autoComplete="new-password"
          error={fieldError ?? (codeOf(failure) === 'invalid_input' ? 'Enter a new password.' : undefined)}
          isSent={isBusy}
        />
        <FormButtons>
          <Button type="submit" busy={isBusy} busyText="Saving…">
            Change password
          </Button>
        </FormButtons>
      </Form>
    </Section>
  );
}
