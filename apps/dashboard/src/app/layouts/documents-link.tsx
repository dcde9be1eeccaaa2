import type { ConveyancingCase } from '@keyturn/contract';
import { VisuallyHidden } from '@keyturn/ui/content/visually-hidden.tsx';
import { Link } from '../../navigation/link.tsx';
import { usePathname } from '../../navigation/navigation.tsx';
import styles from './default-layout.module.css';

export interface DocumentsLinkProps {
  /** Undefined while loading; null without a case. */
  conveyancingCase: ConveyancingCase | null | undefined;
}

/** Leads to the documents, and counts what this client has not read. */
export function DocumentsLink({ conveyancingCase }: DocumentsLinkProps) {
  const unread = conveyancingCase?.unread_documents ?? 0;
  const isCurrent = /^\/documents(?:\/|$)/.test(usePathname());
  return (
    <Link to="/documents" {...(isCurrent ? { 'aria-current': 'page' as const } : {})}>
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
