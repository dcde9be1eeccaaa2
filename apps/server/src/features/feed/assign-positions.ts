import type { FeedList } from '@keyturn/contract';

/** Lists whose order is shown on screens, with the list and field of their parent. */
export const parentOfList = {
  matters: { list: 'cases', field: 'case' },
  searches: { list: 'matters', field: 'matter' },
  tasks: { list: 'cases', field: 'case' },
} as const satisfies Partial<Record<FeedList, { list: FeedList; field: string }>>;
export type OrderedList = keyof typeof parentOfList;

/** A record of an ordered list. */
export interface Member {
  reference: string;
  /** The id of its case or matter. */
  parent: string;
}

/**
 * Assigns positions within each case or matter, from 0. If all stored records of a parent are sent, the sent order
 * applies. Otherwise stored records keep their position and new ones follow.
 */
export function assignPositions(
  sent: readonly Member[],
  stored: readonly (Member & { position: number })[],
): Map<string, number> {
  const positions = new Map<string, number>();
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
      positions.set(reference, kept ?? next++);
    }
  }
  return positions;
}

function byParent(members: readonly Member[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { parent, reference } of members) {
    const references = found.get(parent) ?? new Set();
    found.set(parent, references.add(reference));
  }
  return found;
}
