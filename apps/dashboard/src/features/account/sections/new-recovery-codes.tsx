import { Alert } from '@keyturn/ui/base/alert.tsx';
import { RecoveryCodes } from '@keyturn/ui/factors/recovery-codes.tsx';
import { useState } from 'react';
import { useServices } from '../../../api/services/services.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from '../account.module.css';
import { accountKit } from '../account-kit.tsx';
import { UnkeptCodesWarning } from './unkept-codes-warning.tsx';

/** New recovery codes in place of the section that made them. */
export function NewRecoveryCodes({
  codes,
  done,
  onDone,
}: {
  codes: readonly string[];
  /** What was done; null for nothing else. */
  done: string | null;
  onDone(): void;
}) {
  const { config } = useServices();
  const [isCopied, setCopied] = useState(false);
  return (
    <Panel title="Keep your recovery codes" look="raised">
      {done !== null && (
        <Alert tone="good" takesFocus className={styles.notice}>
          <p>{done}</p>
        </Alert>
      )}
      <RecoveryCodes
        kit={accountKit}
        codes={codes}
        productName={config.firm?.name ?? config.product_name}
        onCopied={() => setCopied(true)}
        onDone={onDone}
      />
      <UnkeptCodesWarning />
      <p role="status">{isCopied ? 'The codes are copied.' : ''}</p>
    </Panel>
  );
}
