import { createEcho, type LiveEcho } from '@keyturn/browser/channel/create-echo.ts';
import { keepConnected } from '@keyturn/browser/channel/keep-connected.ts';
import { readRealtimeConfig } from '@keyturn/browser/channel/realtime-config.ts';
import type { ChannelState, ChannelTracker } from '@keyturn/browser/channel/supervise-client.ts';
import {
  caseChannel,
  clientChannel,
  type EventName,
  eventNames,
  presenceChannel,
  type RealtimeConfig,
  statusChannel,
} from '@keyturn/contract';
import type { QueryClient } from '@tanstack/react-query';
import { caseStoreFor } from '../api/case/case-store.ts';
import { createAuthoriseChannel } from '../api/client/authorise-channel.ts';
import { noChannel } from '../api/services/live-store.ts';
import type { Services } from '../api/services/services.ts';
import { batchRefetches } from './batch-refetches.ts';
import { createEventHandler, type EventHandler, type FollowedCase } from './event-handler.ts';
import { followPresence } from './follow-presence.ts';
import { queriesAfterGap } from './queries-for-event.ts';
import { refetchQueries } from './refetch-queries.ts';

/** The parts of `window` that following a case needs. */
export interface PageEvents {
  location: Pick<Location, 'protocol' | 'hostname' | 'port'>;
  addEventListener(name: 'online', listener: () => void): void;
  removeEventListener(name: 'online', listener: () => void): void;
}

/**
 * Follows one case of one signed-in client on the real-time channel and refetches what its events name. Call it again
 * for another case or another sign-in: every call builds its own client.
 * @returns a function that stops following: nothing is connected or reported afterwards
 */
export function followCase(
  services: Services,
  queries: QueryClient,
  followed: FollowedCase,
  page: PageEvents = window,
  create: typeof createEcho = createEcho,
  random: () => number = Math.random,
): () => void {
  const { auth, live, call } = services;
  const config = readRealtimeConfig(services.config.realtime);
  if (!config || config.broadcaster === 'null') return () => {};
  const credential = auth.credential();
  let isStopped = false;
  let refetchWithin = 0;
  const authoriseChannel = createAuthoriseChannel(auth, {
    apiBaseUrl: services.config.api_base_url,
    onRefetchWithin: (milliseconds) => {
      refetchWithin = milliseconds;
    },
  });

  const refetches = batchRefetches((keys) => {
    for (const queryKey of keys) refetchQueries(queries, queryKey, () => isStopped);
  });
  const catchUp = () => refetches.add(queriesAfterGap(caseStoreFor(services).get().generation));
  const events = createEventHandler(services, followed, refetches);
  let catchingUp: ReturnType<typeof setTimeout> | undefined;
  /** After a server was killed, thousands of clients return at the same moment, so each waits for a random time. */
  const catchUpAtRandomTime = () => {
    clearTimeout(catchingUp);
    catchingUp = setTimeout(catchUp, random() * refetchWithin);
  };

  const disconnect = keepConnected({
    createEcho: () =>
      create({
        config,
        page: page.location,
        environment: services.config.environment,
        authorization: () => credential,
        // A connection never subscribes for a later sign-in.
        authorise: async (endpoint, request) => {
          if (isStopped || auth.credential() !== credential) throw new Error('this sign-in has ended');
          return authoriseChannel(endpoint, request);
        },
      }),
    subscribe: (echo, channels) => {
      // Lets Pusher's own service end a client's connections. Reverb has no such call.
      if (config.broadcaster === 'pusher') echo.connector.signin();
      subscribe(echo, config, followed, channels, events);
      if (followed.caseId)
        followPresence(echo.join(withoutKind(presenceChannel(followed.caseId))), (others) => {
          if (!isStopped) live.set({ ...live.get(), others });
        });
    },
    onChange: (state) => {
      const hasBecomeLive = updateLiveState(live, state);
      // Events may have been missed since the last fetch.
      if (hasBecomeLive) catchUpAtRandomTime();
    },
    onSessionEnded: () => void call('GET /client', { background: true }).catch(() => undefined),
  });
  live.set({ ...noChannel, status: 'waiting', since: Date.now() });
  page.addEventListener('online', catchUp);

  return () => {
    isStopped = true;
    page.removeEventListener('online', catchUp);
    clearTimeout(catchingUp);
    disconnect();
    refetches.stop();
    events.stop();
    live.set(noChannel);
  };
}

/** @returns whether the channel was not live before and is now */
function updateLiveState(live: Services['live'], { isLive, socketId }: ChannelState): boolean {
  const before = live.get();
  const status = isLive ? 'live' : 'waiting';
  const hasChanged = status !== before.status;
  live.set({
    status,
    since: hasChanged ? Date.now() : before.since,
    socketId,
    others: socketId ? before.others : [],
    announcement: before.announcement,
  });
  return isLive && hasChanged;
}

function subscribe(
  echo: LiveEcho,
  { broadcaster }: RealtimeConfig,
  { clientId, caseId }: FollowedCase,
  channels: ChannelTracker,
  events: EventHandler,
): void {
  const listener = (channel: string, event: EventName) => (content: unknown) =>
    events.handle(channel, event, content);
  // Other broadcasters do not confirm subscriptions: they count as live once they are connected.
  const confirmsSubscriptions = broadcaster === 'reverb' || broadcaster === 'pusher';
  for (const channel of [clientChannel(clientId), ...(caseId ? [caseChannel(caseId)] : [])]) {
    const subscription = echo.private(withoutKind(channel));
    for (const event of eventNames) subscription.listen(event, listener(channel, event));
    if (!confirmsSubscriptions) continue;
    channels.require(channel);
    subscription.subscribed(() => channels.confirm(channel));
    subscription.error(() => channels.reject(channel));
  }
  echo.channel(statusChannel).listen('MaintenanceChanged', listener(statusChannel, 'MaintenanceChanged'));
}

/** Removes the prefix that laravel-echo adds itself. */
const withoutKind = (channel: string): string => channel.replace(/^(private|presence)-/, '');
