import type { ConveyancingCase } from '@keyturn/contract';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Link } from '../../navigation/link.tsx';
import { usePathname } from '../../navigation/navigation.tsx';
import styles from './default-layout.module.css';

export interface DocumentsLinkProps {
  /** Undefined while loading; null without a case. */
  conveyancingCase: ConveyancingCase | null | undefined;
}

/**
 * Leads to the documents to sign, if any, and otherwise to the contract documents of the first matter. Counts what this
 * client has not read.
 */
export function DocumentsLink({ conveyancingCase }: DocumentsLinkProps) {
  const toSign = conveyancingCase?.tasks.some(
    ({ kind, status }) => kind === 'sign_document' && status === 'open',
  );
  const unread = conveyancingCase?.unread_documents ?? 0;
  const isCurrent = usePathname().startsWith('/documents/');
  return (
    <Link
      to={`/documents/${conveyancingCase?.matters[0]?.matter_type ?? 'purchase'}/${toSign ? 'to-sign' : 'contract'}`}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
    >
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
