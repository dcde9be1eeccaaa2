import type { HistoryEntry } from '@keyturn/contract';

/**
 * Whether an entry arrived while the page was open.
 * @param since when the newest entry at first happened (ISO 8601): empty without entries, undefined while loading
 */
export const isNew = ({ occurred_at }: HistoryEntry, since: string | undefined): boolean =>
  since !== undefined && occurred_at > since;
