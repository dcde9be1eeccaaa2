import type { HistoryEntry } from '@keyturn/contract';

/**
 * The entries that are newer than everything known before. Nothing on a first reading, and nothing where the two
 * readings have no entry in common: that is another case, or a long absence, and no news.
 */
export function arrivedSince(
  known: HistoryEntry[] | undefined,
  entries: HistoryEntry[] | undefined,
): HistoryEntry[] {
  if (!known || !entries) return [];
  const before = new Set(known.map(({ id }) => id));
  const arrived = entries.filter(({ id }) => !before.has(id));
  const isSameCase = known.length === 0 || arrived.length < entries.length;
  const newest = known[0]?.occurred_at ?? '';
  return isSameCase ? arrived.filter(({ occurred_at }) => occurred_at >= newest) : [];
}
