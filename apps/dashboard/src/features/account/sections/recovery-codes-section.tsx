import type { Account } from '@keyturn/contract';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refreshAccount } from '../../../api/queries/refresh-account.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { ActionDialog } from '../action-dialog.tsx';
import { NewRecoveryCodes } from './new-recovery-codes.tsx';

/** The number of unused recovery codes, and a button for new ones. Without a second factor there are none. */
export function RecoveryCodesSection({ account }: { account: Account }) {
  const { call } = useServices();
  const queries = useQueryClient();
  const withConfirmation = useConfirmation();
  const [isAsking, setAsking] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <NewRecoveryCodes codes={codes} done={null} onDone={() => setCodes(null)} />;
  if (account.factors.length === 0) return null;
  const left = account.recovery_codes_left;
  return (
    <Panel title="Recovery codes" look="raised">
      <p className={styles.about}>
        You have {left === 0 ? 'no codes' : left === 1 ? 'one code' : `${left} codes`} left. If you don’t have
        your passkey or authenticator app, use a code with your password. Each code works once.
      </p>
      <div className={styles.buttons}>
        <Button look="quiet" onClick={() => setAsking(true)}>
          Make new recovery codes
        </Button>
      </div>
      {isAsking && (
        <ActionDialog
          title="Make new recovery codes?"
          action="Make new codes"
          onClose={() => setAsking(false)}
          onSubmit={async () => {
            const made = await withConfirmation(() => call('POST /account/recovery-codes'));
            setCodes(made.recovery_codes);
            void refreshAccount(queries);
          }}
        >
          <p>The codes you have now stop working. You’ll see the new ones once.</p>
        </ActionDialog>
      )}
    </Panel>
  );
}
