import type { HistoryEntry } from '@keyturn/contract';

/**
 * Returns the entries that are newer than all known ones. Returns none on the first load, and none when the two lists
 * have no entry in common, which means another case or a long absence.
 */
export function arrivedSince(
  known: HistoryEntry[] | undefined,
  entries: HistoryEntry[] | undefined,
): HistoryEntry[] {
  if (!known || !entries) return [];
  const knownIds = new Set(known.map(({ id }) => id));
  const arrived = entries.filter(({ id }) => !knownIds.has(id));
  const isSameCase = known.length === 0 || arrived.length < entries.length;
  const newest = known[0]?.occurred_at ?? '';
  return isSameCase ? arrived.filter(({ occurred_at }) => occurred_at >= newest) : [];
}
