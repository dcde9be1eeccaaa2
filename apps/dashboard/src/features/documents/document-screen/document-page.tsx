import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { CaseDocument } from '@keyturn/contract';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { useState } from 'react';
import { useClient } from '../../../api/queries/use-client.ts';
import { useDocument, useFolders } from '../../../api/queries/use-documents.ts';
import { Link } from '../../../navigation/link.tsx';
import { useParams } from '../../../navigation/navigation.tsx';
import { CallUs } from '../call-us.tsx';
import { fileSummary, matterTitle, type ShownFile } from '../document-labels.ts';
import { folderOf } from '../group-screen/document-groups.ts';
import { ViewerSkeleton } from '../viewer/document-viewer.tsx';
import { DocumentContent } from './document-content.tsx';
import styles from './document-page.module.css';

/** The screen of one document: its facts, the viewer and, where needed, the signature form. */
export default function DocumentPage() {
  const { id = '' } = useParams();
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
  const folders = useFolders({ isFetched: false });
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
    <Link to={`/documents/${matter_type}/${group}`} className={styles.back}>
      {folderOf(folders, matter_type, group)?.name ?? 'Documents'}: {matterTitle(matter_type, matters)}
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
      {supersedes && <Link to={`/documents/${supersedes}`}>See the previous version</Link>}
    </p>
  );
}
