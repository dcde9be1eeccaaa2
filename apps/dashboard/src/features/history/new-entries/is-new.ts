import type { HistoryEntry } from '@keyturn/contract';

/**
 * Whether an entry came while the page was open: it happened after everything that was there at first.
 * `since` is the newest moment then (ISO 8601), empty where there was no entry, and undefined while that is not known.
 */
export const isNew = ({ occurred_at }: HistoryEntry, since: string | undefined): boolean =>
  since !== undefined && occurred_at > since;
