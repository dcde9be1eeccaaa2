import type { ConveyancingCase } from '@keyturn/contract';
import { useEffect } from 'react';
import { Link } from '../../navigation/link.tsx';
import { usePathname } from '../../navigation/navigation.tsx';
import { VisuallyHidden } from '../../ui/content/visually-hidden.tsx';
import styles from './default-layout.module.css';

export interface DocumentsLinkProps {
  /** Undefined while loading; null without a case. */
  conveyancingCase: ConveyancingCase | null | undefined;
}

/**
 * Leads to the folder of the newest document that this client has not read, or else to the folder that they opened last,
 * or else to the documents to sign or the contract documents of the first matter. Counts what they have not read.
 */
export function DocumentsLink({ conveyancingCase }: DocumentsLinkProps) {
  const unread = conveyancingCase?.unread_documents ?? 0;
  const pathname = usePathname();
  const isCurrent = pathname.startsWith('/documents/');
  const caseId = conveyancingCase?.id;
  useEffect(() => {
    if (caseId && isFolderPath(pathname)) lastFolders.set(caseId, pathname);
  }, [caseId, pathname]);
  return (
    <Link to={startFolder(conveyancingCase)} {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
      Documents
      {unread > 0 && (
        <>
          <span className={styles.unread} aria-hidden="true">
            {unread}
          </span>
          <VisuallyHidden>, {unread} unread</VisuallyHidden>
        </>
      )}
    </Link>
  );
}

type FolderPath = `/documents/${string}/${string}`;

/** The folder that was opened last in this tab, by case. */
const lastFolders = new Map<string, FolderPath>();

const isFolderPath = (path: string): path is FolderPath => /^\/documents\/[^/]+\/[^/]+$/.test(path);

function startFolder(conveyancingCase: DocumentsLinkProps['conveyancingCase']): FolderPath {
  const newest = conveyancingCase?.newest_unread_in;
  if (newest) return `/documents/${newest.matter_type}/${newest.group}`;
  const last = lastFolders.get(conveyancingCase?.id ?? '');
  if (last) return last;
  const matterType = conveyancingCase?.matters[0]?.matter_type ?? 'purchase';
  const toSign = conveyancingCase?.tasks.some(
    ({ kind, status }) => kind === 'sign_document' && status === 'open',
  );
  return `/documents/${matterType}/${toSign ? 'to-sign' : 'contract'}`;
}
