import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { ownFactorsKey, useOwnFactors } from '../../../api/own-factors.ts';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { OwnRecoveryCodes } from '../factors/desk-factors.tsx';
import styles from './account.module.css';

/** The number of unused recovery codes, and a button for new ones. Without a second factor there are none. */
export function RecoveryCodesLeft() {
  const queries = useQueryClient();
  const { data } = useOwnFactors();
  const [isAsking, setAsking] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) {
    return (
      <Section title="Keep your new recovery codes">
        <OwnRecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      </Section>
    );
  }
  if (!data || data.factors.length === 0) return null;
  const left = data.recovery_codes_left;
  return (
    <Section
      title="Recovery codes"
      actions={<Button onClick={() => setAsking(true)}>Make new recovery codes</Button>}
    >
      <p className={styles.hint}>
        You have {left === 0 ? 'no codes' : left === 1 ? 'one code' : `${left} codes`} left. If you don’t have
        your devices, use a code instead of your authenticator app. Each code works once.
      </p>
      <FormDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title="Make new recovery codes?"
        action="Make new codes"
        onSubmit={async () => {
          const { recovery_codes } = await callStaff('POST /staff/recovery-codes');
          setCodes(recovery_codes);
          await queries.invalidateQueries({ queryKey: ownFactorsKey });
        }}
      >
        <p>The codes you have now stop working. You’ll see the new ones once.</p>
      </FormDialog>
    </Section>
  );
}
