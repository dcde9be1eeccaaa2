import type { ApiError } from '@keyturn/browser/calls/api-error.ts';
import { formatPhone } from '@keyturn/format/phone-number';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { ActionDialog } from '../action-dialog.tsx';
import { ContactForm } from './contact-form.tsx';

/** The client’s phone number, to change or remove. */
export function PhoneSection({ phone }: { phone: string | null }) {
  const changePhone = useChangePhone();
  const [opened, setOpened] = useState<'form' | 'removal' | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const open = (next: 'form' | 'removal' | null) => {
    setDone(null);
    setOpened(next);
  };
  const change = async (next: string | null, text: string) => {
    await changePhone(next);
    open(null);
    setDone(next === phone ? null : text);
  };
  return (
    <Panel title="Phone number" look="raised">
      <p className={styles.about}>
        {phone === null ? (
          'We don’t have a phone number for you.'
        ) : (
          <>
            We call you on <strong className={styles.unbroken}>{formatPhone(phone)}</strong>.
          </>
        )}
      </p>
      {done !== null && (
        <Alert key={done} tone="good" takesFocus className={styles.notice}>
          <p>{done}</p>
        </Alert>
      )}
      {opened === 'form' ? (
        <ContactForm
          field={{
            label: 'New phone number',
            hint: 'To protect you, we don’t use a new number to check who you are for the first seven days.',
            name: 'phone',
            type: 'tel',
            autoComplete: 'tel',
            maxLength: 50,
          }}
          action="Save the number"
          busyText="Saving…"
          failureTitle="We couldn’t change the number"
          fieldErrorOf={phoneErrorOf}
          onSubmit={(next) => change(next, 'Your phone number has been saved. We’ve emailed you about it.')}
          onClose={() => open(null)}
        />
      ) : (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={() => open('form')}>
            {phone === null ? 'Add a phone number' : 'Change the phone number'}
          </Button>
          {phone !== null && (
            <Button look="plain" onClick={() => open('removal')}>
              Remove the phone number
            </Button>
          )}
        </div>
      )}
      {opened === 'removal' && (
        <ActionDialog
          title="Remove your phone number?"
          action="Remove"
          onClose={() => setOpened(null)}
          onSubmit={() => change(null, 'Your phone number has been removed. We’ve emailed you about it.')}
        >
          <p>We can then no longer call you about your case. We’ll email you that it was removed.</p>
        </ActionDialog>
      )}
    </Panel>
  );
}

/** Returns the call that stores a number, and asks the client to confirm who they are if needed. */
function useChangePhone(): (phone: string | null) => Promise<void> {
  const { call } = useServices();
  const queries = useQueryClient();
  const withConfirmation = useConfirmation();
  return async (phone) => {
    const account = await withConfirmation(() => call('PUT /account/phone', { body: { phone } }));
    queries.setQueryData(queryKeys.account, account);
  };
}

/** Clients and the firm’s programmers need different words. */
const phoneErrorOf = ({ code }: ApiError) =>
  code === 'invalid_input'
    ? 'Enter one phone number, for example 07700\u00a0900123 or +353\u00a01\u00a0555\u00a00123.'
    : undefined;
