import type { CaseDocument } from '@keyturn/contract';
import { Link, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useMarkDocumentRead } from '../../../api/queries/use-document-actions.ts';
import { useDocumentContent } from '../../../api/queries/use-document-content.ts';
import { useDocument } from '../../../api/queries/use-documents.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button, buttonClass } from '../../../ui/base/button.tsx';
import { PageHeading } from '../../../ui/base/page-heading.tsx';
import { formatDay, londonDay } from '../../../ui/format/format-date.ts';
import { LoadFailure } from '../../../ui/states/load-failure.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { CallUs } from '../call-us.tsx';
import { fileWords, matterWords, type ShownFile } from '../document-labels.ts';
import { groupName } from '../group-screen/document-groups.ts';
import { SignPanel } from '../signing/sign-panel.tsx';
import { SignedPanel } from '../signing/signatures-panel.tsx';
import { DocumentViewer, ViewerFailure, ViewerSkeleton } from '../viewer/document-viewer.tsx';
import styles from './document-page.module.css';

/** One document: what it is, the document itself, and signing it where that is asked. */
export function DocumentPage() {
  const { id = '' } = useParams({ strict: false });
  // Another document starts with nothing of the one before.
  return <OneDocument key={id} id={id} />;
}

function OneDocument({ id }: { id: string }) {
  const { data: document, error, isFetching, refetch } = useDocument(id);
  const [file, setFile] = useState<ShownFile | null>(null);
  if (error instanceof ApiError && error.status === 404) throw error;
  return (
    <div className={styles.page}>
      <Back document={document} />
      <header className={styles.head}>
        <PageHeading>{document?.title ?? 'Your document'}</PageHeading>
        {document ? (
          <Facts document={document} file={file ?? document} />
        ) : (
          !error && <Skeleton lines={1} width="60%" className={styles.facts} />
        )}
      </header>
      {document ? (
        <Shown document={document} onFile={setFile} />
      ) : error ? (
        <LoadFailure
          what="This document"
          message={messageOf(error)}
          isTrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <ViewerSkeleton />
      )}
      <CallUs className={styles.call} />
    </div>
  );
}

/** To the group that the document lies in; home, where it is of another case than the active one. */
function Back({ document }: { document: CaseDocument | undefined }) {
  const matters = useClient().data?.conveyancing_case?.matters ?? [];
  const isOfThisCase = matters.some((matter) => matter.id === document?.matter_id);
  if (!document || !isOfThisCase) {
    return (
      <Link to="/" className={styles.back}>
        Back to your case
      </Link>
    );
  }
  const { matter_type, group } = document;
  return (
    <Link to="/documents/$matter_type/$group" params={{ matter_type, group }} className={styles.back}>
      {groupName(group)}: {matterWords(matter_type, matters)}
    </Link>
  );
}

function Facts({ document, file }: { document: CaseDocument; file: ShownFile }) {
  const { uploaded_by, shared_at, version, supersedes, superseded_by } = document;
  return (
    <p className={styles.facts}>
      {fileWords(file)}. Shared by {uploaded_by} on{' '}
      <time dateTime={shared_at}>{formatDay(londonDay(shared_at))}</time>.
      {(version > 1 || superseded_by) && ` Version ${version}.`}{' '}
      {supersedes && (
        <Link to="/documents/$id" params={{ id: supersedes }}>
          See the version before
        </Link>
      )}
    </p>
  );
}

function Shown({ document, onFile }: { document: CaseDocument; onFile: (file: ShownFile) => void }) {
  const content = useDocumentContent(document);
  const markRead = useMarkDocumentRead();
  const hasTold = useRef(false);
  const [shown, setShown] = useState<string | null>(null);
  const { superseded_by, signature, read_at, id } = document;
  const isToSign = signature?.required === true && superseded_by === null;
  const [wasToSign] = useState(isToSign);

  const onShown = (file: ShownFile) => {
    onFile(file);
    setShown(content.data?.sha256 ?? null);
    if (read_at !== null || hasTold.current) return;
    hasTold.current = true;
    markRead.mutate(id);
  };

  return (
    <>
      {superseded_by && (
        <Alert
          tone="attention"
          title="There is a newer version of this document"
          className={styles.notice}
          action={
            <Link
              to="/documents/$id"
              params={{ id: superseded_by }}
              className={buttonClass({ look: 'quiet', size: 'small' })}
            >
              Read the newer version
            </Link>
          }
        >
          <p>This one is kept so that you can see what has changed.</p>
        </Alert>
      )}
      {isToSign && (
        <Alert
          tone="information"
          title="Your signature is asked for"
          className={styles.notice}
          action={
            <Button look="quiet" size="small" disabled={shown === null} onClick={toSigning}>
              Go to signing
            </Button>
          }
        >
          <p>Read the document first. You sign under it.</p>
        </Alert>
      )}
      {content.data ? (
        <DocumentViewer document={document} file={content.data.file} onShown={onShown} />
      ) : content.error ? (
        <ViewerFailure
          error={content.error}
          isTrying={content.isFetching}
          onRetry={() => void content.refetch()}
        />
      ) : (
        <ViewerSkeleton pages={document.pages} />
      )}
      {isToSign && content.data && shown === content.data.sha256 && (
        <SignPanel key={shown} document={document} sha256={shown} />
      )}
      {signature && !isToSign && (
        <SignedPanel document={document} isFresh={wasToSign && signature.signed_at !== null} />
      )}
    </>
  );
}

function toSigning() {
  const heading = document.getElementById('signing');
  heading?.scrollIntoView({ block: 'start' });
  heading?.querySelector('input')?.focus({ preventScroll: true });
}
