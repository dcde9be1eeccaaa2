import { Alert } from '@keyturn/dashboard/ui/base/alert.tsx';
import { Checkbox } from '@keyturn/dashboard/ui/base/field.tsx';
import { saveFile } from '@keyturn/dashboard/ui/files/save-file.ts';
import { useState } from 'react';
import { getConfig } from '../../../api/config.ts';
import { Button } from '../../../ui/base/button.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { FormButtons } from '../../../ui/forms/fields.tsx';
import styles from './factors.module.css';

/** New recovery codes, which are shown once: to copy, download or print. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { product_name } = getConfig();
  const [isKept, setKept] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      showToast('The codes are copied.');
    } catch {
      setFailure('This browser doesn’t allow copying. Download or print the codes instead.');
    }
  };
  const download = () =>
    saveFile(
      new Blob([`Recovery codes for ${product_name}. Each works once.\r\n\r\n${codes.join('\r\n')}\r\n`], {
        type: 'text/plain',
      }),
      `${product_name} recovery codes.txt`,
    );
  return (
    <>
      <p className={styles.about}>
        If you lose your devices, one of these codes replaces the code of your authenticator app. Each works
        once. They are not shown again, so keep them where only you can find them, not next to your password.
      </p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      {failure !== null && (
        <Alert tone="attention" takesFocus className={styles.notice}>
          <p>{failure}</p>
        </Alert>
      )}
      <FormButtons>
        <Button onClick={() => void copy()}>Copy</Button>
        <Button onClick={download}>Download</Button>
        <Button onClick={() => print()}>Print</Button>
      </FormButtons>
      <Checkbox
        label="I’ve kept my recovery codes"
        checked={isKept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
      <FormButtons>
        <Button look="primary" disabled={!isKept} onClick={onDone}>
          Continue
        </Button>
      </FormButtons>
    </>
  );
}
