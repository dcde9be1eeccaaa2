import type { FeedList } from '@keyturn/contract';
import { keyOfReference } from '../import/sent-order.ts';

/** Lists with an order that screens show, with the list and field of their parent. */
export const parentOfList = {
  matters: { list: 'cases', field: 'case' },
  searches: { list: 'matters', field: 'matter' },
  tasks: { list: 'cases', field: 'case' },
} as const satisfies Partial<Record<FeedList, { list: FeedList; field: string }>>;
export type OrderedList = keyof typeof parentOfList;

export const isOrdered = (list: FeedList): list is OrderedList => Object.hasOwn(parentOfList, list);

/** @returns the reference of the case or matter that an unchecked record names; null without one */
export function parentReferenceOf(list: OrderedList, record: unknown): string | null {
  const parent = (record as Record<string, unknown> | null)?.[parentOfList[list].field];
  return typeof parent === 'string' ? parent : null;
}

/** A stored record of an ordered list. */
export interface StoredMember {
  reference: string;
  /** The id of its case or matter. */
  parent: string;
  position: number;
}

/**
 * Assigns positions within each case or matter, from 0. If all stored records of a parent are sent, the sent order
 * applies. Otherwise stored records keep their position and new ones follow.
 * @param sent the keys of the references sent for each parent, in order
 * @returns positions by the key of their reference
 */
export function assignPositions(
  sent: ReadonlyMap<string, ReadonlySet<bigint>>,
  stored: readonly StoredMember[],
): Map<bigint, number> {
  const storedByParent = new Map<string, Map<bigint, number>>();
  for (const { reference, parent, position } of stored) {
    const before = storedByParent.get(parent) ?? new Map<bigint, number>();
    storedByParent.set(parent, before.set(keyOfReference(reference), position));
  }
  const positions = new Map<bigint, number>();
  for (const [parent, references] of sent) {
    const before = storedByParent.get(parent) ?? new Map<bigint, number>();
    const isWhole = [...before.keys()].every((reference) => references.has(reference));
    let next = isWhole ? 0 : Math.max(...before.values()) + 1;
    for (const reference of references) {
      const kept = isWhole ? undefined : before.get(reference);
      positions.set(reference, kept ?? next++);
    }
  }
  return positions;
}
