import type { ChannelIntervals } from './intervals.ts';

export interface BatchedReconnect {
  /** Everybody who is connected now is to come back. Asked for again meanwhile, it is done once more later. */
  request(): void;
  stop(): void;
}

export interface BatchedReconnectOptions
  extends Pick<ChannelIntervals, 'batchSize' | 'batchEvery' | 'reconnectAllCooldown'> {
  listConnections(): string[];
  reconnect(socketIds: string[]): void;
}

/**
 * Sends everybody back a part at a time: five thousand who ask anew at once would be the next fault. However often
 * something is missed, a connection is sent back once in `reconnectAllCooldown` at the most.
 */
export function createBatchedReconnect(options: BatchedReconnectOptions): BatchedReconnect {
  const { batchSize, batchEvery, reconnectAllCooldown } = options;
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isAskedAgain = false;

  const after = (pause: number, next: () => void) => {
    timer = setTimeout(next, pause);
    timer.unref();
  };
  const step = () => {
    options.reconnect(waiting.splice(0, batchSize));
    if (waiting.length > 0) after(batchEvery, step);
    else after(reconnectAllCooldown, rest);
  };
  const rest = () => {
    timer = undefined;
    if (isAskedAgain) begin();
  };
  const begin = () => {
    isAskedAgain = false;
    waiting = options.listConnections();
    step();
  };

  return {
    request: () => {
      if (timer) isAskedAgain = true;
      else begin();
    },
    stop: () => clearTimeout(timer),
  };
}
