import { setTimeout as pause } from 'node:timers/promises';
import type { ServerNetwork } from './ports.ts';

/** Sends the messages of this server to every server of its installation. */
export interface ServerBus {
  /** Sends what `take` returns, in order, as soon as the network accepts it. */
  wake(): void;
  /** Resolves once all messages are sent, or the network refuses them. */
  flush(): Promise<void>;
}

export interface ServerBusOptions {
  network: Pick<ServerNetwork, 'send'>;
  /**
   * Returns the next message; undefined if there is none. It is called only when the network can accept the message,
   * so the sender decides what happens to waiting messages.
   */
  take(): string | undefined;
  onError(error: unknown): void;
  /** Milliseconds between two attempts to send. */
  retryAfter?: number;
}

/** Creates the bus, which sends messages in batches and repeats a batch until the network accepts it. */
export function createServerBus({ network, take, onError, retryAfter = 1_000 }: ServerBusOptions): ServerBus {
  const takeBatch = createBatches(take);
  let sending: Promise<void> | undefined;
  let isFlushing = false;

  /** @returns false if the network refuses the messages while the server stops */
  const send = async (text: string): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await network.send(text);
        return true;
      } catch (error) {
        if (attempt === 1) onError(error);
        if (isFlushing) return false;
        await pause(retryAfter);
      }
    }
  };
  const sendAll = async () => {
    try {
      for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
        if (!(await send(JSON.stringify(batch)))) break;
      }
    } catch (error) {
      onError(error);
    }
    // Reset here rather than in a callback of the promise, so that a message that arrives in between starts a new
    // run.
    sending = undefined;
  };

  return {
    wake: () => {
      // Messages of the same task are sent together.
      sending ??= Promise.resolve().then(sendAll);
    },
    flush: async () => {
      isFlushing = true;
      await sending;
    },
  };
}

/** Reads what a bus has sent. @returns its messages; none if it has another form */
export function readMessages(text: string): string[] {
  try {
    const messages: unknown = JSON.parse(text);
    return Array.isArray(messages) ? messages.filter((message) => typeof message === 'string') : [];
  } catch {
    return [];
  }
}

/** Thousands of messages at once, such as a list of members, are sent in few batches instead of one by one. */
const maxBatchBytes = 64 * 1024;

/** @returns a function that takes as many messages as may be sent together; at least one if there are any */
function createBatches(take: () => string | undefined): () => string[] {
  /** The message that was taken but did not fit. */
  let next: string | undefined;
  return () => {
    const batch: string[] = [];
    let bytes = 2;
    for (let message = next ?? take(); message !== undefined; message = take()) {
      next = undefined;
      // Counts the messages as they are sent: escaped, in JSON.
      bytes += Buffer.byteLength(JSON.stringify(message)) + 1;
      if (bytes > maxBatchBytes && batch.length > 0) {
        next = message;
        break;
      }
      batch.push(message);
    }
    return batch;
  };
}
