import { DomainError } from '../../platform/domain-error.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';

/** Runs feed requests sequentially, so that they need only one database connection. */
export type SendQueue = <Result>(caller: WaitingCaller, work: () => Promise<Result>) => Promise<Result>;

export interface WaitingCaller {
  /** Whether the caller has closed the connection, and so may have sent the record again since. */
  hasLeft(): boolean;
}

export interface SendQueueLimits {
  /** The maximum number of waiting requests. */
  maxWaiting: number;
  /** In milliseconds. */
  maxWait: number;
}

/**
 * Creates a queue. A call throws DomainError `unavailable`, without starting the work, if the queue is full, the work
 * waited too long or the caller has disconnected.
 */
export function createSendQueue({ maxWaiting, maxWait }: SendQueueLimits): SendQueue {
  const enqueue = createSerialQueue();
  let waiting = 0;
  return (caller, work) => {
    // Work that no longer waits is removed before its turn, to free its memory.
    let pending: { caller: WaitingCaller; work: typeof work } | null = { caller, work };
    if (waiting >= maxWaiting) return Promise.reject(new DomainError('unavailable'));
    waiting += 1;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        waiting -= 1;
        pending = null;
      };
      const timer = setTimeout(() => {
        stopWaiting();
        reject(new DomainError('unavailable'));
      }, maxWait);
      const run = async () => {
        if (pending === null) return;
        const next = pending;
        stopWaiting();
        if (next.caller.hasLeft()) reject(new DomainError('unavailable'));
        else await next.work().then(resolve, reject);
      };
      void enqueue(run);
    });
  };
}
