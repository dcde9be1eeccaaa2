import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { ClientData } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useState } from 'react';
import { errorText } from '../../api/client/staff-error.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { Section } from '../../ui/base/page.tsx';
import styles from './client-data.module.css';

/** Milliseconds. A case with many scanned deeds can have a gigabyte. */
const exportTimeout = 30 * 60_000;

/** Downloads everything that Keyturn has about a client. */
export function ExportSection({ client: { id, reference } }: { client: ClientData['client'] }) {
  const { isBusy, failure, run } = useAction();
  const [isSaved, setSaved] = useState(false);
  const download = async () => {
    setSaved(false);
    const file = await callStaff('GET /staff/clients/{id}/export', {
      params: { id },
      background: false,
      timeout: exportTimeout,
    });
    saveFile(file, `Client ${reference}.zip`);
    setSaved(true);
  };
  return (
    <Section
      title="Export"
      actions={
        <Button busy={isBusy} busyText="Preparing the export…" onClick={() => void run(download)}>
          Download the export
        </Button>
      }
    >
      {isSaved && (
        <Alert tone="good" title="The export was downloaded." takesFocus>
          <p>
            Check and redact it before you send it, send it encrypted, and then delete it from this computer.
          </p>
        </Alert>
      )}
      {failure !== null && (
        <Alert tone="danger" title="The export was not downloaded completely." takesFocus>
          <p>{errorText(failure)}</p>
        </Alert>
      )}
      <p className={styles.lead}>
        For an access request (UK GDPR, article 15) or a transfer (article 20), which the firm answers within
        one month. The ZIP file has all records in <code>client.json</code>, and the documents, signed copies
        and receipts. It has no withdrawn documents, no legal holds, and nothing that is a joint client’s
        alone. A file that is missing from the store is named in <code>missing-files.txt</code>. Each download
        is an entry of the audit log.
      </p>
      <p className={styles.note}>Before you send it:</p>
      <ul className={styles.list}>
        <li>Check the identity of the person who asks.</li>
        <li>Read documents that are about other people too.</li>
        <li>
          Remove what is privileged, and what would tip someone off: that the client is disabled, notes and
          names of colleagues about refunds, and the reasons of reviews.
        </li>
      </ul>
    </Section>
  );
}
