import type { EventContent } from '@keyturn/contract';

/**
 * Remembers what was told. An event is old when everything that it names was told at this version or a later one;
 * one that names nothing, when it was told itself. Two changes of different things may arrive in the other order of
 * their versions, and both count.
 * @returns whether an event is news; it is not the next time
 */
export function createDuplicateFilter(): (event: string, content: EventContent) => boolean {
  const latest = new Map<string, number>();
  const nameless = new Set<string>();
  return (event, { version, ids }) => {
    if (ids.length === 0) {
      const mark = `${event} ${version}`;
      const isNews = !nameless.has(mark);
      nameless.add(mark);
      forgetOldest(nameless);
      return isNews;
    }
    const marks = ids.map((id) => `${event} ${id}`);
    const isNews = marks.some((mark) => (latest.get(mark) ?? -1) < version);
    for (const mark of marks) latest.set(mark, Math.max(latest.get(mark) ?? -1, version));
    forgetOldest(latest);
    return isNews;
  };
}

/** A page may be open for days. */
function forgetOldest(memory: Map<string, number> | Set<string>): void {
  for (const mark of memory.keys()) {
    if (memory.size <= 2_000) return;
    memory.delete(mark);
  }
}
