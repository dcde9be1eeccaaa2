import { useState } from 'react';
import { Alert } from '../base/alert.tsx';
import { Checkbox } from '../base/field.tsx';
import { saveFile } from '../files/save-file.ts';
import type { FactorKit } from './factor-kit.ts';
import styles from './factors.module.css';

/** New recovery codes, which are shown once: to copy, download or print. */
export function RecoveryCodes({
  kit,
  codes,
  productName,
  onCopied,
  onDone,
}: {
  kit: FactorKit;
  codes: readonly string[];
  productName: string;
  onCopied(): void;
  onDone(): void;
}) {
  const [isKept, setKept] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'));
      onCopied();
    } catch {
      setFailure('This browser doesn’t allow copying. Download or print the codes instead.');
    }
  };
  const download = () =>
    saveFile(
      new Blob([`Recovery codes for ${productName}. Each works once.\r\n\r\n${codes.join('\r\n')}\r\n`], {
        type: 'text/plain',
      }),
      `${productName} recovery codes.txt`,
    );
  return (
    <>
      <p className={styles.about}>
        If you lose your devices, your password and one of these codes let you sign in. Each works once. They
        are not shown again, so keep them where only you can find them, not next to your password.
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
      <kit.Buttons>
        <kit.Button look="quiet" onClick={() => void copy()}>
          Copy
        </kit.Button>
        <kit.Button look="quiet" onClick={download}>
          Download
        </kit.Button>
        <kit.Button look="quiet" onClick={() => print()}>
          Print
        </kit.Button>
      </kit.Buttons>
      <Checkbox
        label="I’ve kept my recovery codes"
        checked={isKept}
        onChange={({ currentTarget }) => setKept(currentTarget.checked)}
      />
      <kit.Buttons>
        <kit.Button look="primary" disabled={!isKept} onClick={onDone}>
          Continue
        </kit.Button>
      </kit.Buttons>
    </>
  );
}
