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
import { fileSummary, matterTitle, type ShownFile } from '../document-labels.ts';
import { groupName } from '../group-screen/document-groups.ts';
import { SignPanel } from '../signing/sign-panel.tsx';
import { SignaturesPanel } from '../signing/signatures-panel.tsx';
import { DocumentViewer, ViewerFailure, ViewerSkeleton } from '../viewer/document-viewer.tsx';
import styles from './document-page.module.css';

/** The screen of one document: its facts, the viewer and, where needed, the signature form. */
export function DocumentPage() {
  const { id = '' } = useParams({ strict: false });
  // The key resets all state when the client opens another document.
  return <DocumentScreen key={id} id={id} />;
}

function DocumentScreen({ id }: { id: string }) {
  const { data: document, error, isFetching, refetch } = useDocument(id);
  const [file, setFile] = useState<ShownFile | null>(null);
  if (error instanceof ApiError && error.status === 404) throw error;
  return (
    <div className={styles.page}>
      <BackLink document={document} />
      <header className={styles.head}>
        <PageHeading>{document?.title ?? 'Your document'}</PageHeading>
        {document ? (
          <Facts document={document} file={file ?? document} />
        ) : (
          !error && <Skeleton lines={1} width="60%" className={styles.facts} />
        )}
      </header>
      {document ? (
        <DocumentContent document={document} onFile={setFile} />
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

/** Links to the document’s group, or to the home page when the document belongs to another case. */
function BackLink({ document }: { document: CaseDocument | undefined }) {
  const matters = useClient().data?.conveyancing_case?.matters ?? [];
  const isInActiveCase = matters.some((matter) => matter.id === document?.matter_id);
  if (!document || !isInActiveCase) {
    return (
      <Link to="/" className={styles.back}>
        Back to your case
      </Link>
    );
  }
  const { matter_type, group } = document;
  return (
    <Link to="/documents/$matter_type/$group" params={{ matter_type, group }} className={styles.back}>
      {groupName(group)}: {matterTitle(matter_type, matters)}
    </Link>
  );
}

function Facts({ document, file }: { document: CaseDocument; file: ShownFile }) {
  const { uploaded_by, shared_at, version, supersedes, superseded_by } = document;
  return (
    <p className={styles.facts}>
      {fileSummary(file)}. Shared by {uploaded_by} on{' '}
      <time dateTime={shared_at}>{formatDay(londonDay(shared_at))}</time>.
      {(version > 1 || superseded_by) && ` Version ${version}.`}{' '}
      {supersedes && (
        <Link to="/documents/$id" params={{ id: supersedes }}>
          See the previous version
        </Link>
      )}
    </p>
  );
}

function DocumentContent({
  document,
  onFile,
}: {
  document: CaseDocument;
  onFile: (file: ShownFile) => void;
}) {
  const content = useDocumentContent(document);
  const markRead = useMarkDocumentRead();
  const hasMarkedRead = useRef(false);
  /** SHA-256 of the file that the viewer has shown. */
  const [shownSha256, setShownSha256] = useState<string | null>(null);
  const { superseded_by, signature, read_at, id } = document;
  const needsSignature = signature?.required === true && superseded_by === null;
  const [neededSignature] = useState(needsSignature);

  const onShown = (file: ShownFile) => {
    onFile(file);
    setShownSha256(content.data?.sha256 ?? null);
    if (read_at !== null || hasMarkedRead.current) return;
    hasMarkedRead.current = true;
    markRead.mutate(id);
  };

  return (
    <>
      {superseded_by && (
        <Alert
          tone="attention"
          title="There’s a newer version of this document"
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
          <p>We’ve kept this version so that you can see what has changed.</p>
        </Alert>
      )}
      {needsSignature && (
        <Alert
          tone="information"
          title="We need your signature"
          className={styles.notice}
          action={
            <Button look="quiet" size="small" disabled={shownSha256 === null} onClick={scrollToSignatureForm}>
              Go to signing
            </Button>
          }
        >
          <p>Read it, then sign below.</p>
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
      {needsSignature && content.data && shownSha256 === content.data.sha256 && (
        <SignPanel key={shownSha256} document={document} sha256={shownSha256} />
      )}
      {signature && !needsSignature && (
        <SignaturesPanel
          document={document}
          wasJustSigned={neededSignature && signature.signed_at !== null}
        />
      )}
    </>
  );
}

function scrollToSignatureForm() {
  const heading = document.getElementById('signing');
  heading?.scrollIntoView({ block: 'start' });
  heading?.querySelector('input')?.focus({ preventScroll: true });
}
