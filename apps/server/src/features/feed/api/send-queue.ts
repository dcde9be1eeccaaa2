import { DomainError } from '../../../platform/domain-error.ts';
import { createSerialQueue } from '../../../platform/serial-queue.ts';

/** Runs what callers have sent, one after another, so that all of it needs one connection to the database at a time. */
export type SendQueue = <Result>(caller: WaitingCaller, work: () => Promise<Result>) => Promise<Result>;

export interface WaitingCaller {
  /** Whether the caller has closed the connection: it may have sent the same record again since. */
  hasLeft(): boolean;
}

export interface SendQueueLimits {
  /** How much work can wait. */
  maxWaiting: number;
  /** In milliseconds. */
  maxWait: number;
}

/**
 * Creates a queue. Its calls throw DomainError `unavailable` if the queue is full, the work waited too long or the
 * caller has left meanwhile; the work was then not started.
 */
export function createSendQueue({ maxWaiting, maxWait }: SendQueueLimits): SendQueue {
  const enqueue = createSerialQueue();
  let waiting = 0;
  return (caller, work) => {
    // What has stopped waiting leaves the memory before its turn.
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
