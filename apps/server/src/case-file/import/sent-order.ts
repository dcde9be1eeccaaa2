import { hash } from 'node:crypto';

/** An 8-byte hash of a reference. Among five million records, two have the same key once in a million feeds. */
export const keyOfReference = (reference: string): bigint =>
  hash('sha256', reference, 'buffer').readBigUInt64LE(0);

export interface ReferenceSet {
  /** @returns whether the reference is new */
  add(reference: string): boolean;
}

/**
 * Creates a set of references in about 16 bytes for each, because a feed can have millions.
 * @param capacity the maximum number of references
 */
export function createReferenceSet(capacity: number): ReferenceSet {
  const slots = new BigUint64Array(2 ** Math.ceil(Math.log2((capacity * 4) / 3 + 2)));
  const mask = slots.length - 1;
  return {
    add: (reference) => {
      // 0 marks an empty slot.
      const key = keyOfReference(reference) || 1n;
      let slot = Number(key & BigInt(mask));
      while (slots[slot] !== 0n) {
        if (slots[slot] === key) return false;
        slot = (slot + 1) & mask;
      }
      slots[slot] = key;
      return true;
    },
  };
}

/** The order in which a feed sends the records of each parent. */
export interface SentOrder {
  add(parent: string, reference: string): void;
  /** @returns the keys of all references that were sent for a parent, in order */
  membersOf(parent: string): Set<bigint>;
}

/** Creates an empty order, which needs 20 bytes for each record. All records are added before it is read. */
export function createSentOrder(): SentOrder {
  let parents = new BigUint64Array(1024);
  let members = new BigUint64Array(1024);
  let count = 0;
  let byParent: Uint32Array | undefined;

  const sortByParent = () => {
    const sorted = Uint32Array.from({ length: count }, (_, index) => index);
    return sorted.sort((left, right) => {
      const [first = 0n, second = 0n] = [parents[left], parents[right]];
      return first < second ? -1 : first > second ? 1 : left - right;
    });
  };
  return {
    add: (parent, reference) => {
      if (count === parents.length) {
        parents = grown(parents);
        members = grown(members);
      }
      parents[count] = keyOfReference(parent);
      members[count] = keyOfReference(reference);
      count += 1;
      byParent = undefined;
    },
    membersOf: (parent) => {
      byParent ??= sortByParent();
      const key = keyOfReference(parent);
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((parents[byParent[middle] ?? 0] ?? 0n) < key) low = middle + 1;
        else high = middle;
      }
      const found = new Set<bigint>();
      for (; low < count && parents[byParent[low] ?? 0] === key; low += 1) {
        found.add(members[byParent[low] ?? 0] ?? 0n);
      }
      return found;
    },
  };
}

function grown(array: BigUint64Array): BigUint64Array<ArrayBuffer> {
  const longer = new BigUint64Array(array.length * 2);
  longer.set(array);
  return longer;
}
