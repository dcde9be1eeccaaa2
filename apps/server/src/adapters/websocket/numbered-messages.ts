/** The latest messages that this server has sent to the others, for those that missed some. */
export interface SentMessages {
  /** The number of the last message. */
  last(): number;
  /** Returns the number of the next message; `write` is called with it. */
  add(write: (number: number) => string): string;
  /** Returns the messages after a number; null if they are no longer stored. */
  listAfter(number: number): string[] | null;
}

/** @param maxBytes the maximum size of all stored messages */
export function createSentMessages(maxBytes: number): SentMessages {
  const kept = new Map<number, string>();
  let last = 0;
  let bytes = 0;
  return {
    last: () => last,
    add: (write) => {
      const text = write(++last);
      kept.set(last, text);
      bytes += Buffer.byteLength(text);
      for (const [number, old] of kept) {
        if (bytes <= maxBytes) break;
        kept.delete(number);
        bytes -= Buffer.byteLength(old);
      }
      return text;
    },
    listAfter: (number) => {
      const [oldest = last + 1] = kept.keys();
      if (number + 1 < oldest) return null;
      return [...kept].filter(([at]) => at > number).map(([, text]) => text);
    },
  };
}

/** Accepts the numbered messages of the other servers: each once, in order, and missed ones first. */
export interface ReceivedMessages {
  /** @returns whether to handle a message now; fallback it is a duplicate, or will be sent again */
  accept(server: string, number: number): boolean;
  /** Handles the number of a server's last message. */
  onLast(server: string, last: number): void;
  /** The messages up to this number can no longer be received. */
  skip(server: string, last: number): void;
  /** A server has stopped. */
  forget(server: string): void;
}

export interface ReceivedMessagesOptions {
  /** Called when messages of a server after this number were missed. */
  onMissed(server: string, after: number): void;
  /**
   * The time, in milliseconds, after which every other server has received a message from this one. Earlier messages
   * of an unknown server are not for this one.
   */
  startTime: number;
  /** Milliseconds until missed messages are requested again. */
  requestEvery?: number;
}

export function createReceivedMessages(options: ReceivedMessagesOptions): ReceivedMessages {
  const { onMissed, startTime, requestEvery = 1_000 } = options;
  const startedAt = performance.now();
  const lastNumbers = new Map<string, number>();
  const requests = new Map<string, { after: number; at: number }>();

  const request = (server: string, after: number) => {
    const now = performance.now();
    const previous = requests.get(server);
    if (previous?.after === after && now - previous.at < requestEvery) return;
    requests.set(server, { after, at: now });
    onMissed(server, after);
  };
  const lastOf = (server: string, fallback: number): number => {
    const known = lastNumbers.get(server) ?? (performance.now() - startedAt < startTime ? fallback : 0);
    lastNumbers.set(server, known);
    return known;
  };
  return {
    accept: (server, number) => {
      const last = lastOf(server, number - 1);
      if (number === last + 1) lastNumbers.set(server, number);
      else if (number > last) request(server, last);
      return number === last + 1;
    },
    onLast: (server, last) => {
      const known = lastOf(server, last);
      if (known < last) request(server, known);
    },
    skip: (server, last) => {
      lastNumbers.set(server, Math.max(last, lastNumbers.get(server) ?? 0));
    },
    forget: (server) => {
      lastNumbers.delete(server);
      requests.delete(server);
    },
  };
}
