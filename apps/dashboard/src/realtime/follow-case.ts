import {
  caseChannel,
  clientChannel,
  type EventContent,
  type EventName,
  eventNames,
  presenceChannel,
  type RealtimeConfig,
  statusChannel,
} from '@keyturn/contract';
import type { QueryClient } from '@tanstack/react-query';
import { caseStoreOf } from '../api/case/use-case-state.ts';
import { createAuthoriseChannel } from '../api/client/authorise-channel.ts';
import { isInteger, isListOf, isRecordOf, isText } from '../api/client/check.ts';
import { noChannel } from '../api/services/live-state.ts';
import type { Services } from '../api/services/services.ts';
import { batchRefetches } from './batch-refetches.ts';
import { createEcho, type LiveEcho } from './create-echo.ts';
import { createDuplicateFilter } from './duplicate-filter.ts';
import { followPresence } from './follow-presence.ts';
import { keepConnected, type Subscriptions } from './keep-connected.ts';
import { queriesAfterGap, queriesForEvent } from './queries-for-event.ts';
import { readRealtimeConfig } from './realtime-config.ts';
import { refetchQueries } from './refetch-queries.ts';

export interface FollowedCase {
  clientId: string;
  /** The active one; null where there is none. */
  caseId: string | null;
}

/** What of the browser is needed. */
export interface PageEvents {
  location: Pick<Location, 'protocol' | 'hostname' | 'port'>;
  addEventListener(name: 'online', listener: () => void): void;
  removeEventListener(name: 'online', listener: () => void): void;
}

/**
 * Follows one case of one client for one sign-in by the real-time channel: what an event names is read again. Another
 * case or another sign-in is followed anew, from the libraries' first object on.
 * @returns the end: nothing of it is connected, listened to or told after it
 */
export function followCase(
  services: Services,
  queries: QueryClient,
  followed: FollowedCase,
  page: PageEvents = window,
  create: typeof createEcho = createEcho,
): () => void {
  const { auth, live, maintenance, call } = services;
  const config = readRealtimeConfig(services.config.realtime);
  if (!config || config.broadcaster === 'null') return () => {};
  const authorization = auth.authorization();
  const ask = createAuthoriseChannel(auth, { apiBaseUrl: services.config.api_base_url });
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let isOver = false;

  // Counted anew for another case, and for another client.
  const generationNow = () => caseStoreOf(services).get().generation;
  const isOwnCase = () => (caseStoreOf(services).get().conveyancingCase?.id ?? null) === followed.caseId;
  const rounds = batchRefetches((keys) => {
    for (const queryKey of keys) refetchQueries(queries, queryKey, () => isOver);
  });
  const catchUp = () => rounds.add(queriesAfterGap(generationNow()));
  const isNews = createDuplicateFilter();
  const hear = (channel: string, event: EventName) => (content: unknown) => {
    if (isOver || !isEventContent(content) || !isNews(`${channel} ${event}`, content)) return;
    if (event === 'MaintenanceChanged') {
      void maintenance.refresh();
      // A server believes for a second what it has read of it.
      timers.add(setTimeout(() => void maintenance.refresh(), 1_500));
    } else if (channel === clientChannel(followed.clientId))
      rounds.add(queriesForEvent(event, [], generationNow()));
    else if (isOwnCase()) {
      rounds.add(queriesForEvent(event, content.ids, generationNow()));
      if (event === 'MilestoneReached' || event === 'DocumentShared')
        live.set({ ...live.get(), told: { event, ids: content.ids } });
    }
  };

  const stop = keepConnected({
    createEcho: () =>
      create({
        config,
        page: page.location,
        environment: services.config.environment,
        authorization: () => authorization,
        // A connection of one sign-in never listens by the token of another.
        authorise: async (endpoint, request) => {
          if (isOver || auth.authorization() !== authorization) throw new Error('this sign-in has ended');
          return ask(endpoint, request);
        },
      }),
    follow: (echo, on) => {
      signIn(echo, config);
      listen(echo, config, followed, on, hear);
      if (followed.caseId)
        followPresence(echo.join(withoutKind(presenceChannel(followed.caseId))), (others) => {
          if (!isOver) live.set({ ...live.get(), others });
        });
    },
    onChange: ({ isLive, socketId }) => {
      const { status, since, others, told } = live.get();
      const next = isLive ? 'live' : 'waiting';
      const isChange = next !== status;
      live.set({
        status: next,
        since: isChange ? Date.now() : since,
        socketId,
        others: socketId ? others : [],
        told,
      });
      // Between the last reading and now something may have gone by.
      if (isLive && isChange) catchUp();
    },
    onSessionEnded: () => void call('GET /client', { background: true }).catch(() => undefined),
  });
  live.set({ ...noChannel, status: 'waiting', since: Date.now() });
  page.addEventListener('online', catchUp);

  return () => {
    isOver = true;
    page.removeEventListener('online', catchUp);
    stop();
    rounds.stop();
    for (const timer of timers) clearTimeout(timer);
    live.set(noChannel);
  };
}

function listen(
  echo: LiveEcho,
  { broadcaster }: RealtimeConfig,
  { clientId, caseId }: FollowedCase,
  on: Subscriptions,
  hear: (channel: string, event: EventName) => (content: unknown) => void,
): void {
  // The others do not tell: connected is all that is known of them.
  const confirms = broadcaster === 'reverb' || broadcaster === 'pusher';
  const needed = [clientChannel(clientId), ...(caseId ? [caseChannel(caseId)] : [])];
  for (const channel of needed) {
    const subscribed = echo.private(withoutKind(channel));
    for (const event of eventNames) subscribed.listen(event, hear(channel, event));
    if (!confirms) continue;
    on.need(channel);
    subscribed.subscribed(() => on.confirmed(channel));
    subscribed.error(() => on.refused(channel));
  }
  echo.channel(statusChannel).listen('MaintenanceChanged', hear(statusChannel, 'MaintenanceChanged'));
}

/** With Pusher's own service, so that it can end a client's connections; Reverb knows no such thing. */
function signIn(echo: LiveEcho, { broadcaster }: RealtimeConfig): void {
  if (broadcaster === 'pusher') echo.connector.signin();
}

/** laravel-echo puts the kind before the name by itself. */
const withoutKind = (channel: string): string => channel.replace(/^(private|presence)-/, '');

const isEventContent = isRecordOf<EventContent>({ version: isInteger, ids: isListOf(isText) });
