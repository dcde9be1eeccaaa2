import type { CaseDocument, Milestone } from '@keyturn/contract';

/** Summarises changes as the newest one and the number of others; null when there are none. */
export function summariseChanges([newest, ...more]: string[]): string | null {
  if (newest === undefined) return null;
  if (more.length === 0) return newest;
  return `${newest}, and ${more.length} more ${more.length === 1 ? 'change' : 'changes'}`;
}

/**
 * Describes completed milestones and unread documents: "Step completed: Exchange", "New document: Draft contract".
 * @returns null when none of the items is worth announcing
 */
export function describeNewItems(items: (Milestone | CaseDocument)[]): string | null {
  const descriptions = items.flatMap((item) => {
    if ('media_type' in item) return isUnread(item) ? [`New document: ${item.title}`] : [];
    return item.status === 'done' ? [`Step completed: ${item.title}`] : [];
  });
  return summariseChanges(descriptions);
}

/** A document that was read or signed is announced by its history entry instead. */
const isUnread = ({ read_at, signature }: CaseDocument): boolean => read_at === null && !signature?.signed_at;
