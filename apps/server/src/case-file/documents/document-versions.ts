export interface DocumentVersion {
  /** The earlier version that this one replaces. */
  supersedes: string | null;
  /** The later version that replaces this one. */
  supersededBy: string | null;
  /** Starts at 1. */
  version: number;
}

/**
 * Determines the version of each document of one case. Links to other cases are ignored. If several documents supersede
 * the same one, the first in the given order counts.
 */
export function versionsOf(
  documents: readonly { id: string; supersedesId: string | null }[],
): (id: string) => DocumentVersion {
  const known = new Set(documents.map(({ id }) => id));
  const earlier = new Map<string, string>();
  const later = new Map<string, string>();
  for (const { id, supersedesId } of documents) {
    if (supersedesId === null || !known.has(supersedesId)) continue;
    earlier.set(id, supersedesId);
    if (!later.has(supersedesId)) later.set(supersedesId, id);
  }
  return (id) => ({
    supersedes: earlier.get(id) ?? null,
    supersededBy: later.get(id) ?? null,
    version: stepsBack(id, earlier) + 1,
  });
}

/** Stops at a cycle, which no feed should create. */
function stepsBack(id: string, earlier: ReadonlyMap<string, string>): number {
  const seen = new Set([id]);
  let current = earlier.get(id);
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    current = earlier.get(current);
  }
  return seen.size - 1;
}
