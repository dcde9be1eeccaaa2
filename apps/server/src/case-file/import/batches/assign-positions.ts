import type { StoredMember } from '../../records/find-known.ts';
import { keyOfReference } from '../sent-order.ts';

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
