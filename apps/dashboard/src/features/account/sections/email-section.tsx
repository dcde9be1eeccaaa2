import { useAction } from '@keyturn/browser/action/use-action.ts';
import { type ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { Account } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { ContactForm } from './contact-form.tsx';

/** The client’s email address, and a change of it, which both addresses confirm. */
export function EmailSection({ account }: { account: Account }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel title="Email address" look="raised">
      <p className={styles.about}>
        You sign in with <strong>{account.email}</strong>, and we send your emails there.
      </p>
      {account.new_email && (
        <PendingChange key={account.new_email.email} change={account.new_email} email={account.email} />
      )}
      {!account.new_email && !isChanging && (
        <div className={styles.buttons}>
          <Button look="quiet" onClick={() => setChanging(true)}>
            Change the email address
          </Button>
        </div>
      )}
      {!account.new_email && isChanging && <EmailForm account={account} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

/** Says which confirmation is missing, with a button to cancel the change. */
function PendingChange({ change, email }: { change: NonNullable<Account['new_email']>; email: string }) {
  const { call } = useServices();
  const queries = useQueryClient();
  const { isBusy, failure, run } = useAction();
  // Servers of the last release email no link to the current address.
  const confirmsAtFormer = change.is_confirmed_at_former === false;
  const missing = [
    ...(change.is_confirmed_at_new ? [] : [change.email]),
    ...(confirmsAtFormer ? [email] : []),
  ];
  const cancel = async () => queries.setQueryData(queryKeys.account, await call('DELETE /account/email'));
  return (
    <Alert
      tone="attention"
      takesFocus
      title="Confirm the change"
      className={styles.notice}
      action={
        <Button look="quiet" size="small" busy={isBusy} onClick={() => void run(cancel)}>
          Cancel the change
        </Button>
      }
    >
      <p>
        {missing.length > 1
          ? `Open the links that we sent to ${missing.join(' and ')}. They work for 24 hours.`
          : `Now open the link that we sent to ${missing.join()}.`}{' '}
        You’ll then sign in again with the new address, {change.email}.
      </p>
      {confirmsAtFormer && (
        <p>If you can’t read your emails at {email} any more, call us on a number you already have.</p>
      )}
      {failure !== null && <p>{messageOf(failure)}</p>}
    </Alert>
  );
}

function EmailForm({ account, onClose }: { account: Account; onClose(): void }) {
  const { call } = useServices();
  const queries = useQueryClient();
  const withConfirmation = useConfirmation();
  return (
    <ContactForm
      field={{
        label: 'New email address',
        hint: linksHint(account),
        name: 'email',
        type: 'email',
        autoComplete: 'email',
        autoCapitalize: 'none',
        spellCheck: false,
        maxLength: 320,
      }}
      action={account.confirms_change_at_current ? 'Send the links' : 'Send the link'}
      busyText={account.confirms_change_at_current ? 'Sending the links…' : 'Sending the link…'}
      failureTitle="We couldn’t start the change"
      fieldErrorOf={emailErrorOf}
      onSubmit={async (email) => {
        const changed = await withConfirmation(() => call('POST /account/email', { body: { email } }));
        onClose();
        queries.setQueryData(queryKeys.account, changed);
      }}
      onClose={onClose}
    />
  );
}

/** Servers of the last release email no link to the current address. */
const linksHint = ({ confirms_change_at_current, email }: Account): string =>
  confirms_change_at_current
    ? `We’ll send a link there and another to ${email}. Open both to confirm the change.`
    : 'We’ll send a link there. Open it to confirm the change.';

function emailErrorOf(error: ApiError): string | undefined {
  switch (error.code) {
    case 'email_unchanged':
    case 'email_changed_recently':
      return messageOf(error);
    case 'invalid_input':
      // The server describes the format in the words of its schema.
      return 'Enter an email address, for example name@example.com.';
    default:
      return undefined;
  }
}
