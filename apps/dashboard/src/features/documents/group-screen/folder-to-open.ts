import type { Matter } from '@keyturn/contract';
import type { Path } from '../../../navigation/paths.ts';
import { groupsInOrder } from './document-groups.ts';
import { documentsInGroup, isToSign, isUnread, type ListedDocument } from './listed-documents.ts';

/**
 * Returns the path of the folder that *Documents* opens: the first with something to sign, otherwise the first with
 * something unread, otherwise the first with documents.
 */
export function folderToOpen(matters: Matter[], documents: ListedDocument[]): Path {
  const folders = matters.flatMap(({ matter_type }) =>
    groupsInOrder.map((group) => ({
      path: `/documents/${matter_type}/${group}` as const,
      contents: documentsInGroup(documents, matter_type, group),
    })),
  );
  const firstWith = (isWanted: (listed: ListedDocument) => boolean) =>
    folders.find(({ contents }) => contents.some(isWanted))?.path;
  return (
    firstWith(isToSign) ??
    firstWith(isUnread) ??
    firstWith(() => true) ??
    `/documents/${matters[0]?.matter_type ?? 'purchase'}/contract`
  );
}
