import type { CaseDocument, HistoryEntry, Milestone } from '@keyturn/contract';

/** The newest of what arrived, and how much more there is; null for nothing. */
export function summariseChanges([newest, ...more]: string[]): string | null {
  if (newest === undefined) return null;
  if (more.length === 0) return newest;
  return `${newest}, and ${more.length} more ${more.length === 1 ? 'change' : 'changes'}`;
}

/** "Tom Okafor paid £216.00 for: Drainage search"; what says by itself who did it, as it is. */
export const describeEntry = ({ actor, summary }: HistoryEntry): string =>
  summary.startsWith('Paid ') ? `${actor} p${summary.slice(1)}` : summary;

/** "A step was reached: Exchange", "A new document was shared: Draft contract"; null where it is no news. */
export function describeSharedItems(told: (Milestone | CaseDocument)[]): string | null {
  const words = told.flatMap((one) => {
    if ('media_type' in one) return isUnseen(one) ? [`A new document was shared: ${one.title}`] : [];
    return one.status === 'done' ? [`A step was reached: ${one.title}`] : [];
  });
  return summariseChanges(words);
}

/** What was read or signed was told of for another reason. */
const isUnseen = ({ read_at, signature }: CaseDocument): boolean => read_at === null && !signature?.signed_at;
