import type { FeedList } from '@keyturn/contract';
import type { AuditSubjectKind } from '../../platform/audit/audit-entry.ts';

/** The audit log's name for a record of each list. */
export const subjectKinds: Record<FeedList, AuditSubjectKind> = {
  clients: 'client',
  cases: 'case',
  matters: 'matter',
  documents: 'document',
  searches: 'search',
  tasks: 'task',
  bills: 'bill',
  history: 'history_entry',
};
