import type { ChannelIntervals } from './intervals.ts';

export interface BatchedReconnect {
  /** Makes all current clients reconnect. A request during a round starts one more round after the cooldown. */
  request(): void;
  stop(): void;
}

export interface BatchedReconnectOptions
  extends Pick<ChannelIntervals, 'batchSize' | 'batchEvery' | 'reconnectAllCooldown'> {
  listConnections(): string[];
  reconnect(socketIds: string[]): void;
  /** Returns the lag of the event loop in milliseconds. */
  lag?(): number;
}

/**
 * Makes all clients reconnect in batches: thousands that authorise at the same time would overload the server. Between
 * two rounds there is a cooldown of `reconnectAllCooldown`, however often a round is requested.
 */
export function createBatchedReconnect(options: BatchedReconnectOptions): BatchedReconnect {
  const { batchSize, batchEvery, reconnectAllCooldown } = options;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isRequestedAgain = false;

  const schedule = (delay: number, next: () => void) => {
    timer = setTimeout(next, delay);
    timer.unref();
  };
  const reconnectBatch = () => {
    // The clients of the last batch have not reconnected yet.
    if ((options.lag?.() ?? 0) > maxLag) return schedule(batchEvery, reconnectBatch);
    options.reconnect(waiting.splice(0, batchSize));
    if (waiting.length > 0) schedule(batchEvery, reconnectBatch);
    else schedule(reconnectAllCooldown, finishRound);
  };
  const finishRound = () => {
    timer = undefined;
    if (isRequestedAgain) startRound();
  };
  const startRound = () => {
    isRequestedAgain = false;
    waiting = options.listConnections();
    reconnectBatch();
  };

  return {
    request: () => {
      if (timer) isRequestedAgain = true;
      else startRound();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Milliseconds. */
const maxLag = 50;
