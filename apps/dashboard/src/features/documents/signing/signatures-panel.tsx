import type { CaseDocument } from '@keyturn/contract';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/client/api-error.ts';
import { useFetchDocumentContent } from '../../../api/queries/use-document-content.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { StatusTag } from '../../../ui/content/status-tag.tsx';
import { saveFile } from '../../../ui/files/save-file.ts';
import { formatDay, formatTime, londonDay } from '../../../ui/format/format-date.ts';
import { fileNameOf, listNames } from '../document-labels.ts';
import styles from './signing.module.css';

/** Who has signed a document and when, who has yet to, and the signed document to save. */
export function SignedPanel({
  document,
  isFresh,
}: {
  document: CaseDocument;
  /** It was signed just now, on this screen: it is read out. */
  isFresh: boolean;
}) {
  const { signature } = document;
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFresh) panel.current?.focus();
  }, [isFresh]);
  if (!signature) return null;
  const signed = [
    ...(signature.signed_at ? [{ name: signature.signed_by ?? 'You', signed_at: signature.signed_at }] : []),
    ...signature.others.flatMap(({ name, signed_at }) => (signed_at ? [{ name, signed_at }] : [])),
  ];
  const awaited = signature.others.filter(({ signed_at }) => signed_at === null).map(({ name }) => name);
  return (
    <div className={styles.signing} ref={panel} tabIndex={-1} data-never-recorded>
      <Panel look="raised" title={signature.signed_at ? 'You have signed this document' : 'Signatures'}>
        <ul className={styles.signatures}>
          {signed.map(({ name, signed_at }) => (
            <li key={`${name} ${signed_at}`}>
              <StatusTag tone="good">Signed</StatusTag>
              <span>
                <strong>{name}</strong>, {formatDay(londonDay(signed_at))}, {formatTime(signed_at)}
              </span>
            </li>
          ))}
          {awaited.map((name) => (
            <li key={name}>
              <StatusTag tone="to-do">Awaited</StatusTag>
              <span>
                <strong>{name}</strong>
              </span>
            </li>
          ))}
        </ul>
        <p className={styles.next} role="status">
          {nextWords(signature.signed_at !== null, awaited)}
        </p>
        {signed.length > 0 && <DownloadSigned document={document} />}
      </Panel>
    </div>
  );
}

function nextWords(hasSigned: boolean, awaited: string[]): string {
  if (awaited.length > 0) {
    return `${listNames(awaited)} still ${awaited.length === 1 ? 'has' : 'have'} to sign. We go on when everybody has.`;
  }
  return hasSigned
    ? 'Everybody has signed. There is nothing more for you to do here.'
    : 'Everybody has signed.';
}

function DownloadSigned({ document }: { document: CaseDocument }) {
  const fetchContent = useFetchDocumentContent();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const download = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const file = await fetchContent(document.id);
      saveFile(file, fileNameOf(document, file));
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {failure && (
        <Alert tone="danger" takesFocus title="The document could not be downloaded">
          <p>{failure}</p>
        </Alert>
      )}
      <Button look="quiet" busy={busy} busyText="Downloading…" onClick={() => void download()}>
        Download the signed document (PDF)
      </Button>
    </>
  );
}
