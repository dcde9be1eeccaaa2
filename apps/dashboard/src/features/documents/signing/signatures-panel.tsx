import { useAction } from '@keyturn/browser/action/use-action.ts';
import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { CaseDocument } from '@keyturn/contract';
import { formatFullMoment } from '@keyturn/format/dates';
import { joinNames } from '@keyturn/format/join-names';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useEffect, useRef } from 'react';
import { useFetchDocumentContent } from '../../../api/queries/use-document-content.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import { downloadName } from '../document-labels.ts';
import styles from './signing.module.css';

/** Lists who has signed a document and who has not, with the signed document to download. */
export function SignaturesPanel({
  document,
  wasJustSigned,
}: {
  document: CaseDocument;
  /** Whether the client signed just now on this screen; the panel then takes the focus. */
  wasJustSigned: boolean;
}) {
  const { signature } = document;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (wasJustSigned) panel.current?.focus();
  }, [wasJustSigned]);
  if (!signature) return null;
  const signed = [
    ...(signature.signed_at ? [{ name: signature.signed_by ?? 'You', signed_at: signature.signed_at }] : []),
    ...signature.others.flatMap(({ name, signed_at }) => (signed_at ? [{ name, signed_at }] : [])),
  ];
  const unsigned = signature.others.filter(({ signed_at }) => signed_at === null).map(({ name }) => name);
  return (
    <div className={styles.signing} ref={panel} tabIndex={-1} data-never-recorded>
      <Panel look="raised" title={signature.signed_at ? 'You’ve signed this document' : 'Signatures'}>
        <ul className={styles.signatures}>
          {signed.map(({ name, signed_at }) => (
            <li key={`${name} ${signed_at}`}>
              <StatusTag tone="good">Signed</StatusTag>
              <span>
                <strong>{name}</strong>, {formatFullMoment(signed_at)}
              </span>
            </li>
          ))}
          {unsigned.map((name) => (
            <li key={name}>
              <StatusTag tone="to-do">Not signed</StatusTag>
              <span>
                <strong>{name}</strong>
              </span>
            </li>
          ))}
        </ul>
        <p className={styles.progress} role="status">
          {progressText(document, unsigned)}
        </p>
        {signed.length > 0 && <DownloadSigned document={document} />}
      </Panel>
    </div>
  );
}

function progressText({ signature, superseded_by }: CaseDocument, unsigned: string[]): string {
  const hasSigned = signature !== null && signature.signed_at !== null;
  if (superseded_by !== null && (unsigned.length > 0 || !hasSigned)) {
    return 'This version no longer needs to be signed.';
  }
  if (unsigned.length > 0) {
    return `Waiting for ${joinNames(unsigned)}. We’ll continue once everyone has signed.`;
  }
  return hasSigned ? 'Everyone has signed. You don’t need to do anything else here.' : 'Everyone has signed.';
}

function DownloadSigned({ document }: { document: CaseDocument }) {
  const fetchContent = useFetchDocumentContent();
  const { isBusy, failure, run } = useAction();
  const download = async () => {
    const file = await fetchContent(document.id);
    saveFile(file, downloadName(document, file));
  };
  return (
    <>
      {failure !== null && (
        <Alert tone="danger" takesFocus title="We couldn’t download the document">
          <p>{messageOf(failure)}</p>
        </Alert>
      )}
      <Button look="quiet" busy={isBusy} busyText="Downloading…" onClick={() => void run(download)}>
        Download the signed document (PDF)
      </Button>
    </>
  );
}
