import type {
  CommittedEventHandlers,
  CommittedEvents,
  DatabasePosition,
  NetworkReceiver,
  ServerNetwork,
} from '../../live/channels/ports.ts';
import { createCatchUp } from './catch-up.ts';
import { createEventRelay, type RelayPosition } from './event-relay.ts';
import { createFollowedChannels } from './followed-channels.ts';
import { createRedisConnection, type RedisClient } from './redis-connection.ts';
import { createMessageSigner } from './sign-messages.ts';

export interface RedisNetworkOptions {
  url: string;
  /** The name of the installation in Redis, and the key that signs its messages: the same on all of its servers. */
  installation: { name: string; key: string };
  /** Channels that every server follows. */
  commonChannels: readonly string[];
  listen(handlers: CommittedEventHandlers): CommittedEvents;
  /** @throws if the database does not answer */
  readPosition(): Promise<DatabasePosition>;
  /** Splits the notification of a transaction by channel. @throws if it cannot be read */
  split(payload: string): Promise<{ channel: string; payload: string }[]>;
  receiver: NetworkReceiver;
  /** Milliseconds. */
  intervals?: Partial<RedisIntervals>;
}

export interface RedisIntervals {
  /** Between two attempts to connect to Redis. */
  retryAfter: number;
  /** Between two attempts to become the relay, or two renewals of its lease. */
  renewEvery: number;
  leaseDuration: number;
  /** Without a position from the relay, before this server reads events from the database, and between two reads. */
  silence: number;
}

const defaultIntervals: RedisIntervals = {
  retryAfter: 1_000,
  renewEvery: 1_000,
  leaseDuration: 5_000,
  silence: 2_500,
};

/**
 * Creates the network that uses Redis: one server publishes the committed events, and each receives those of the
 * channels that it follows. The database remains their source: see decision 47.
 */
export function createRedisNetwork(options: RedisNetworkOptions): ServerNetwork {
  const { receiver } = options;
  const { onError } = receiver;
  const intervals = { ...defaultIntervals, ...options.intervals };
  const names = createNames(options.installation.name);
  const signer = createMessageSigner(options.installation.key);
  let received = 0;

  const followed = createFollowedChannels({
    onFollowed: receiver.events.replayChannels,
    onFailure: (error) => connection.replace(error),
  });
  const catchUp = createCatchUp({
    events: receiver.events,
    readPosition: options.readPosition,
    listChannels: () => [...options.commonChannels, ...followed.list()],
    silence: intervals.silence,
    onError,
  });
  const publish = (client: RedisClient, name: string, text: string) =>
    client.publish(name, signer.sign(name, text));
  const relay = createEventRelay({
    ...options,
    leaseKey: names.lease,
    leaseDuration: intervals.leaseDuration,
    publish: (client, channel, payload) => publish(client, names.ofChannel(channel), payload),
    publishPosition: (client, position) => publish(client, names.position, writePosition(position)),
    onError,
  });
  const subscribe = async (client: RedisClient) => {
    let hasReported = false;
    const receive = (handle: (text: string) => void) => (signed: string, name: string) => {
      const text = signer.read(name, signed);
      try {
        if (text !== undefined) handle(text);
      } catch (error) {
        // One message that fails must not block the later ones.
        onError(error);
      }
      if (text !== undefined || hasReported) return;
      hasReported = true;
      onError(new Error('a message in Redis was not signed by this installation'));
    };
    const onEvents = receive((payload) => {
      received += 1;
      receiver.events.deliver(payload);
    });
    await client.subscribe(names.texts, receive(receiver.onText));
    await client.subscribe(options.commonChannels.map(names.ofChannel), onEvents);
    await followed.connect({
      subscribe: (channels) => client.subscribe(channels.map(names.ofChannel), onEvents),
      unsubscribe: (channels) => client.unsubscribe(channels.map(names.ofChannel)),
    });
    // From here on, a position means that the events before it have arrived or are in the database.
    catchUp.onGap();
    await client.subscribe(
      names.position,
      receive((text) => catchUp.onPosition(readPosition(text))),
    );
  };
  const connection = createRedisConnection({
    url: options.url,
    retryAfter: intervals.retryAfter,
    prepare: subscribe,
    onConnected: () => {
      receiver.onMissedTexts();
      renew();
    },
    onLost: () => {
      followed.disconnect();
      relay.end();
    },
    onError,
  });
  let renewing: NodeJS.Timeout | undefined;
  const renew = () => {
    const client = connection.client();
    if (client) relay.renew(client).catch(onError);
  };
  return {
    start: async () => {
      await catchUp.start();
      connection.start();
      renewing = setInterval(renew, intervals.renewEvery);
    },
    send: async (text) => {
      const client = connection.client();
      if (!client) throw new Error('Redis is unavailable: messages for other servers wait');
      await publish(client, names.texts, text);
    },
    follow: followed.follow,
    deleteOldTexts: async () => {},
    state: () => ({
      received,
      redis: { isConnected: connection.client() !== undefined, isRelay: relay.isActive() },
    }),
    stop: async () => {
      clearInterval(renewing);
      catchUp.stop();
      await relay.resign(connection.client());
      connection.stop();
    },
  };
}

/** The names in Redis. Several installations may share one. */
function createNames(installation: string) {
  const prefix = `keyturn:${installation}`;
  return {
    lease: `${prefix}:relay`,
    position: `${prefix}:position`,
    texts: `${prefix}:servers`,
    ofChannel: (channel: string) => `${prefix}:events:${channel}`,
  };
}

const writePosition = ({ oldestTransaction, ...position }: RelayPosition): string =>
  JSON.stringify({ ...position, oldestTransaction: String(oldestTransaction) });

function readPosition(text: string): RelayPosition {
  const { term, timeline, oldestTransaction } = JSON.parse(text);
  return { term, timeline, oldestTransaction: BigInt(oldestTransaction) };
}
