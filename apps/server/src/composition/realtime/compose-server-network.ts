import { createHmac } from 'node:crypto';
import { createListener } from '../../adapters/postgres/listen.ts';
import { createNotifyNetwork } from '../../adapters/postgres/notify-network.ts';
import { readPosition } from '../../adapters/postgres/read-position.ts';
import { createRedisNetwork } from '../../adapters/redis/redis-network.ts';
import type { CommittedEventHandlers, NetworkReceiver, ServerNetwork } from '../../live/channels/ports.ts';
import { splitEvents } from '../../live/channels/split-events.ts';
import { eventsChannel, type RealtimeOptions } from './realtime-parts.ts';

/** Creates the network that carries events and messages between servers: Redis if it is set, otherwise PostgreSQL. */
export function composeServerNetwork(options: RealtimeOptions, receiver: NetworkReceiver): ServerNetwork {
  const { pool, database, databaseUrl, secret } = options;
  const { redisUrl } = options.settings.realtime;
  if (redisUrl === null) return createNotifyNetwork({ url: databaseUrl, pool, eventsChannel, receiver });
  const derive = (use: string) => createHmac('sha256', secret).update(`redis ${use}`).digest('hex');
  return createRedisNetwork({
    url: redisUrl,
    installation: { name: derive('name').slice(0, 16), key: derive('key') },
    commonChannels: ['#sessions', '#access'],
    listen: (handlers) => listenForEvents(databaseUrl, handlers),
    readPosition: () => readPosition(pool),
    split: (payload) => splitEvents(database, payload),
    receiver,
  });
}

/** Listens on one connection: once it breaks, another server may listen instead. */
function listenForEvents(url: string, { onNotification, onCheck, onFailure }: CommittedEventHandlers) {
  return createListener({
    url,
    channels: [eventsChannel],
    name: 'keyturn relay',
    checkEvery: 1_000,
    checkTimeout: 5_000,
    onNotification: (_channel, payload) => onNotification(payload),
    onCheck,
    onGap: () => onFailure(new Error('the relay has missed notifications')),
    onError: onFailure,
  });
}
