import type { CaseDocument } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { StatusTag } from '../../../ui/content/status-tag.tsx';
import { formatMoment } from '../../../ui/format/format-date.ts';
import { useToday } from '../../../ui/format/use-today.ts';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { fileWords, signatureWords } from '../document-labels.ts';
import styles from './document-list.module.css';
import { type DocumentLine, isUnread } from './document-rows.ts';

/** Documents under each other; the earlier versions of each are folded under it. */
export function DocumentList({
  lines,
  label,
  folderOf,
}: {
  lines: DocumentLine[];
  label: string;
  /** Where a document lies, for a list of several groups. */
  folderOf?: (document: CaseDocument) => string;
}) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={label}>
      {lines.map((line) => (
        <DocumentRow key={line.document.id} line={line} folder={folderOf?.(line.document)} />
      ))}
    </ul>
  );
}

function DocumentRow({ line, folder }: { line: DocumentLine; folder: string | undefined }) {
  const today = useToday();
  const { document, earlier } = line;
  const signature = signatureWords(document.signature);
  return (
    <li className={styles.row} data-unread={isUnread(line) || undefined}>
      <div className={styles.what}>
        <h2>
          <Link to="/documents/$id" params={{ id: document.id }}>
            {document.title}
          </Link>
        </h2>
        <p>
          {folder && <strong>{folder}. </strong>}
          {fileWords(document)}. Shared by {document.uploaded_by} {formatMoment(document.shared_at, today)}
        </p>
      </div>
      <p className={styles.state}>
        {signature && <StatusTag tone={signature.tone}>{signature.words}</StatusTag>}
        <span className={styles.reading}>
          {document.read_at ? `Read ${formatMoment(document.read_at, today)}` : 'Unread'}
        </span>
      </p>
      {earlier.length > 0 && (
        <details className={styles.earlier}>
          <summary>
            {earlier.length === 1 ? '1 earlier version' : `${earlier.length} earlier versions`}
          </summary>
          <ul>
            {earlier.map((version) => (
              <li key={version.id}>
                <Link to="/documents/$id" params={{ id: version.id }}>
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

export function DocumentListSkeleton() {
  return (
    <ul className={styles.list} aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <li key={row} className={styles.row}>
          <div className={styles.what}>
            <Skeleton lines={2} width="45%" />
          </div>
        </li>
      ))}
    </ul>
  );
}
