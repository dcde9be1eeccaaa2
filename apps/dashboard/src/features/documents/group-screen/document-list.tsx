import type { CaseDocument } from '@keyturn/contract';
import { formatMoment } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { Link } from '../../../navigation/link.tsx';
import { fileSummary, signatureStatus } from '../document-labels.ts';
import styles from './document-list.module.css';
import { isUnread, type ListedDocument } from './listed-documents.ts';

/** Lists documents; earlier versions are collapsed below the newest one. */
export function DocumentList({
  documents,
  label,
  folderName,
}: {
  documents: ListedDocument[];
  label: string;
  /** Names the folder of a document, for a list that spans several folders. */
  folderName?: (document: CaseDocument) => string;
}) {
  if (documents.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={label}>
      {documents.map((entry) => (
        <DocumentRow key={entry.document.id} entry={entry} folder={folderName?.(entry.document)} />
      ))}
    </ul>
  );
}

function DocumentRow({ entry, folder }: { entry: ListedDocument; folder: string | undefined }) {
  const today = useToday();
  const { document, earlierVersions } = entry;
  const signature = signatureStatus(document.signature);
  return (
    <li className={styles.row} data-unread={isUnread(entry) || undefined}>
      <div className={styles.description}>
        <h2>
          <Link to={`/documents/${document.id}`}>{document.title}</Link>
        </h2>
        <p>
          {folder && <strong>{folder}. </strong>}
          {fileSummary(document)}. Shared by {document.uploaded_by} {formatMoment(document.shared_at, today)}
        </p>
      </div>
      <p className={styles.status}>
        {signature && <StatusTag tone={signature.tone}>{signature.label}</StatusTag>}
        <span className={styles.readStatus}>
          {document.read_at ? `Read ${formatMoment(document.read_at, today)}` : 'Unread'}
        </span>
      </p>
      {earlierVersions.length > 0 && (
        <details className={styles.earlier}>
          <summary>
            {earlierVersions.length === 1
              ? '1 earlier version'
              : `${earlierVersions.length} earlier versions`}
          </summary>
          <ul>
            {earlierVersions.map((version) => (
              <li key={version.id}>
                <Link to={`/documents/${version.id}`}>
                  Version {version.version}: {version.title}
                </Link>
                <span>
                  Shared by {version.uploaded_by} {formatMoment(version.shared_at, today)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Placeholder while the documents load. */
export function DocumentListSkeleton() {
  return (
    <ul className={styles.list} aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <li key={row} className={styles.row}>
          <div className={styles.description}>
            <Skeleton lines={2} width="45%" />
          </div>
        </li>
      ))}
    </ul>
  );
}
