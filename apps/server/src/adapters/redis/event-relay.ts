import { randomUUID } from 'node:crypto';
import type { CommittedEventHandlers, CommittedEvents, DatabasePosition } from '../../live/channels/ports.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { RedisClient } from './redis-connection.ts';

/** Publishes committed events in Redis, on one server at a time. */
export interface EventRelay {
  /** Whether this server is the relay. */
  isActive(): boolean;
  /** Tries to become the relay, or renews its lease. Call it every second while Redis is connected. */
  renew(client: RedisClient): Promise<void>;
  /** Stops publishing, because Redis or the database is unavailable. */
  end(): void;
  /** Stops publishing, and lets another server take over immediately. */
  resign(client: RedisClient | undefined): Promise<void>;
}

export interface EventRelayOptions {
  /** The key in Redis that names the relay. */
  leaseKey: string;
  /** Milliseconds after which another server takes over from a relay that does not renew its lease. */
  leaseDuration?: number;
  listen(handlers: CommittedEventHandlers): CommittedEvents;
  /** Splits a notification by channel. @throws if it cannot be read */
  split(payload: string): Promise<{ channel: string; payload: string }[]>;
  /** @returns a promise that rejects if Redis has not accepted the message */
  publish(client: RedisClient, channel: string, payload: string): Promise<unknown>;
  /** @returns the same as `publish` */
  publishPosition(client: RedisClient, position: RelayPosition): Promise<unknown>;
  onError(error: unknown): void;
}

/**
 * A position before which the relay has published every event that it received during its term. Between two terms,
 * events may be missing.
 */
export interface RelayPosition extends DatabasePosition {
  term: string;
}

/** Creates the relay of this server. A lease in Redis decides which server is the active one. */
export function createEventRelay(options: EventRelayOptions): EventRelay {
  const { leaseKey, leaseDuration = 5_000, onError } = options;
  const self = randomUUID();
  let leaseEnd = 0;
  let isRenewing = false;
  let term: { end(): void } | undefined;

  const end = () => {
    term?.end();
    term = undefined;
  };
  const release = async (client: RedisClient) => {
    if ((await client.get(leaseKey)) === self) await client.del(leaseKey);
  };
  /** @returns whether this server is the relay until the end of the lease */
  const lease = async (client: RedisClient): Promise<boolean> => {
    // The key may expire after it was read: then no server is the relay until the next attempt.
    if ((await client.get(leaseKey)) === self) return (await client.pExpire(leaseKey, leaseDuration)) === 1;
    const expiration = { type: 'PX', value: leaseDuration } as const;
    return (await client.set(leaseKey, self, { condition: 'NX', expiration })) === 'OK';
  };
  const start = (client: RedisClient) => {
    term = startTerm(client, {
      ...options,
      isLeased: () => performance.now() < leaseEnd,
      onEnd: (error) => {
        if (error) onError(error);
        end();
        release(client).catch(() => {});
      },
    });
  };
  return {
    isActive: () => term !== undefined,
    renew: async (client) => {
      if (isRenewing) return;
      isRenewing = true;
      const askedAt = performance.now();
      try {
        const isLeased = await lease(client);
        if (isLeased) leaseEnd = askedAt + leaseDuration;
        if (!isLeased) end();
        else if (!term) start(client);
      } finally {
        isRenewing = false;
      }
    },
    end,
    resign: async (client) => {
      end();
      if (client) await release(client).catch(onError);
    },
  };
}

interface TermOptions extends EventRelayOptions {
  isLeased(): boolean;
  onEnd(error?: unknown): void;
}

/** Publishes the events of committed transactions in order, until the term ends. */
function startTerm(client: RedisClient, options: TermOptions): { end(): void } {
  const { split, publish, publishPosition, isLeased } = options;
  const name = randomUUID();
  const queue = createSerialQueue();
  let hasEnded = false;
  const fail = (error?: unknown) => {
    if (!hasEnded) options.onEnd(error);
  };
  /** Ends the term if the work fails, or if another server may have become the relay. */
  const enqueue = (work: () => Promise<unknown>) => {
    queue(async () => {
      if (hasEnded) return;
      if (isLeased()) await work();
      else fail();
    }).catch(fail);
  };
  const source = options.listen({
    onNotification: (payload) =>
      enqueue(async () => {
        // Not awaited: Redis answers in order, and a failure ends the term before the next position is published.
        for (const part of await split(payload)) publish(client, part.channel, part.payload).catch(fail);
      }),
    onCheck: (position) => enqueue(() => publishPosition(client, { ...position, term: name })),
    onFailure: fail,
  });
  source.start().catch(fail);
  return {
    end: () => {
      hasEnded = true;
      source.stop().catch(options.onError);
    },
  };
}
