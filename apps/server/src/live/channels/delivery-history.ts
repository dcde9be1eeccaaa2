import type { DatabasePosition } from './ports.ts';

/** The events that this server has delivered, as far back as a replay may have to go. */
export interface DeliveryHistory {
  /** Adds an event. @returns false if it was delivered before */
  add(event: { transactionId: string; id: number }): boolean;
  /**
   * Records a position at which this server was listening. By the next check, the notifications of all transactions
   * that had finished at this one have arrived.
   */
  onCheck(position: DatabasePosition): void;
  /**
   * Returns the transaction to replay from after a gap that ended at `position`; null if events may be lost.
   * @param now milliseconds, of a clock that does not jump
   */
  findReplayStart(position: DatabasePosition, now?: number): bigint | null;
  /** Returns the first transaction whose notifications may not have arrived; null before the first check. */
  confirmed(): bigint | null;
}

export function createDeliveryHistory(): DeliveryHistory {
  const delivered = new Map<string, Set<number>>();
  /** The notifications of all transactions before it have arrived. */
  let confirmed: Check | undefined;
  let latest: Check | undefined;

  return {
    add: ({ transactionId, id }) => {
      const ids = delivered.get(transactionId) ?? new Set();
      if (ids.has(id)) return false;
      delivered.set(transactionId, ids.add(id));
      return true;
    },
    onCheck: (position) => {
      const check = { ...position, at: performance.now() };
      confirmed = latest ?? check;
      latest = check;
      for (const id of delivered.keys()) if (BigInt(id) < confirmed.oldestTransaction) delivered.delete(id);
    },
    findReplayStart: (position, now = performance.now()) => {
      const known = confirmed;
      latest = { ...position, at: now };
      if (
        known?.timeline === position.timeline &&
        known.oldestTransaction <= position.oldestTransaction &&
        now - known.at <= maxGap
      ) {
        return known.oldestTransaction;
      }
      confirmed = latest;
      return null;
    },
    confirmed: () => confirmed?.oldestTransaction ?? null,
  };
}

interface Check extends DatabasePosition {
  at: number;
}

/** Events are kept for an hour. Milliseconds. */
const maxGap = 50 * 60_000;
