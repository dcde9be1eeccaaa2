import { type FeedKey, type FeedScope, feedKinds } from '@keyturn/contract/staff';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import styles from './integrations.module.css';
import type { WithSecret } from './secret-dialog.tsx';

/** Creates a key with a name and its permissions. */
export function CreateKeyDialog({ onClose, onSecret }: WithSecret) {
  const [name, setName] = useState('');
  const [expiresOn, setExpiresOn] = useState('');
  const [scopes, setScopes] = useState<readonly FeedScope[]>([]);
  const toggle = (scope: FeedScope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope]);
  const groups: [string, FeedScope[]][] = [
    ['It may create, change and withdraw', feedKinds.map((kind): FeedScope => `${kind}:write`)],
    ['It may record', ['payouts:write']],
    ['It may read', [...feedKinds.map((kind): FeedScope => `${kind}:read`), 'changes:read']],
  ];
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Create a key"
      action="Create the key"
      onSubmit={async () => {
        const expiry = expiresOn === '' ? {} : { expires_on: expiresOn };
        const body = { name: name.trim(), scopes: [...scopes], ...expiry };
        const { secret } = await callStaff('POST /staff/feed-keys', { body });
        // Runs after this dialog has closed itself.
        setTimeout(() => void onSecret(secret));
      }}
    >
      {(errors) => (
        <>
          <TextField
            label="Name"
            hint="Which system uses it. Give each system its own key."
            autoComplete="off"
            maxLength={200}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            error={errors.name && 'Enter a name, such as Case management.'}
          />
          {groups.map(([legend, offered]) => (
            <fieldset key={legend} className={styles.scopes}>
              <legend>{legend}</legend>
              {offered.map((scope) => (
                <label key={scope} className={explained[scope] && styles.whole}>
                  <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
                  {explained[scope] ?? scope.split(':')[0]}
                </label>
              ))}
            </fieldset>
          ))}
          {errors.scopes && <p className={styles.error}>Choose at least one.</p>}
          <TextField
            label="First day on which it no longer works (optional)"
            type="date"
            value={expiresOn}
            onChange={({ currentTarget }) => setExpiresOn(currentTarget.value)}
            error={errors.expires_on && 'Choose a day in the future.'}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Ends a key. */
export function RevokeKeyDialog({
  feedKey,
  onClose,
  onDone,
}: {
  feedKey: FeedKey;
  onClose(): void;
  onDone(): Promise<unknown>;
}) {
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Revoke ${feedKey.name}?`}
      action="Revoke the key"
      look="danger"
      onSubmit={async () => {
        await callStaff('POST /staff/feed-keys/{id}/revoke', { params: { id: feedKey.id } });
        showToast(`${feedKey.name} is revoked.`);
        await onDone();
      }}
    >
      <p>
        The system that uses this key loses access at once. This can’t be undone: you would need to create
        another key.
      </p>
    </FormDialog>
  );
}

/** What scopes allow that no kind of record explains. */
const explained: Partial<Record<FeedScope, string>> = {
  'payouts:write': 'payouts: the days of the bank statement and of transfers to the client account',
  'changes:read': 'changes: payments, signatures and other events',
};
