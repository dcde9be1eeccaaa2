import type { EventContent } from '@keyturn/contract';

/** A page may be open for days, so old entries are dropped beyond this number. */
const maxEntries = 2_000;

/**
 * Creates a filter for events that were delivered before. An event is a duplicate when all its ids were seen with
 * this version or a later one; an event without ids, when that very event was seen. Events with different ids may
 * arrive in any order of versions, and all are accepted.
 * @returns a function that returns whether an event is new, and records it
 */
export function createDuplicateFilter(): (event: string, content: EventContent) => boolean {
  const latestVersions = new Map<string, number>();
  const seenWithoutIds = new Set<string>();
  return (event, { version, ids }) => {
    if (ids.length === 0) {
      const key = `${event} ${version}`;
      const isNew = !seenWithoutIds.has(key);
      seenWithoutIds.add(key);
      dropOldest(seenWithoutIds);
      return isNew;
    }
    const keys = ids.map((id) => `${event} ${id}`);
    const isNew = keys.some((key) => (latestVersions.get(key) ?? -1) < version);
    for (const key of keys) latestVersions.set(key, Math.max(latestVersions.get(key) ?? -1, version));
    dropOldest(latestVersions);
    return isNew;
  };
}

function dropOldest(entries: Map<string, number> | Set<string>): void {
  for (const key of entries.keys()) {
    if (entries.size <= maxEntries) return;
    entries.delete(key);
  }
}
