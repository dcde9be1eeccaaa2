import type { FeedList } from '@keyturn/contract';

/** The lists whose order is the order on the screen, and what their records stand in. */
export const placedIn = {
  matters: { list: 'cases', field: 'case' },
  searches: { list: 'matters', field: 'matter' },
  tasks: { list: 'cases', field: 'case' },
} as const satisfies Partial<Record<FeedList, { list: FeedList; field: string }>>;
export type PlacedList = keyof typeof placedIn;

/** A record of such a list. */
export interface Member {
  reference: string;
  /** The id of the case or matter that it stands in. */
  parent: string;
}

/**
 * Where records stand among those of their case or matter, from 0. Where all of those that are stored are sent, the
 * order in which they are sent counts; else what is stored keeps its place, and what is new comes after it.
 */
export function placeRecords(
  sent: readonly Member[],
  stored: readonly (Member & { position: number })[],
): Map<string, number> {
  const places = new Map<string, number>();
  for (const [parent, references] of byParent(sent)) {
    const before = new Map(
      stored
        .filter((member) => member.parent === parent)
        .map((member) => [member.reference, member.position]),
    );
    const isWhole = [...before.keys()].every((reference) => references.has(reference));
    let next = isWhole ? 0 : Math.max(...before.values()) + 1;
    for (const reference of references) {
      const kept = isWhole ? undefined : before.get(reference);
      places.set(reference, kept ?? next++);
    }
  }
  return places;
}

function byParent(members: readonly Member[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { parent, reference } of members) {
    const references = found.get(parent) ?? new Set();
    found.set(parent, references.add(reference));
  }
  return found;
}
