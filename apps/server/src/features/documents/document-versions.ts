export interface DocumentVersion {
  /** The earlier version that this one takes the place of. */
  supersedes: string | null;
  /** The later version that took this one's place. */
  supersededBy: string | null;
  /** 1 for the first. */
  version: number;
}

/**
 * Which version each document is, of those of one case alone: a link to anywhere else is none. Where several took
 * the place of one, the first in the order given counts.
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

/** A ring, which no feed should make, ends where it comes back to a document. */
function stepsBack(id: string, earlier: ReadonlyMap<string, string>): number {
  const seen = new Set([id]);
  let at = earlier.get(id);
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    at = earlier.get(at);
  }
  return seen.size - 1;
}
