import { retryTransientErrors } from '@keyturn/browser/calls/api-error.ts';
import { createEcho } from '@keyturn/browser/channel/create-echo.ts';
import { caseChannel, clientChannel, type EventContent } from '@keyturn/contract';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { createFakeBrowser, openFakeState } from '../../apps/dashboard/fixtures/fake-browser.ts';
import { caseStoreFor } from '../../apps/dashboard/src/api/case/case-store.ts';
import { createCall } from '../../apps/dashboard/src/api/client/call.ts';
import { queryClientFor } from '../../apps/dashboard/src/api/queries/query-client.ts';
import { queryKeys } from '../../apps/dashboard/src/api/queries/query-keys.ts';
import { clientQuery } from '../../apps/dashboard/src/api/queries/use-client.ts';
import { milestonesQuery } from '../../apps/dashboard/src/api/queries/use-milestones.ts';
import { newestHistoryQuery } from '../../apps/dashboard/src/api/queries/use-newest-history.ts';
import { createLiveStore } from '../../apps/dashboard/src/api/services/live-store.ts';
import type { Services } from '../../apps/dashboard/src/api/services/services.ts';
import { createAuthStore } from '../../apps/dashboard/src/api/session/auth-store.ts';
import { followCase } from '../../apps/dashboard/src/realtime/follow-case.ts';
import { realtimeConfigFixture } from '../../packages/browser/fixtures/realtime-config.ts';
import { fetchAccessToken, startCookieSession } from '../harness/api-client.ts';

export interface DashboardOptions {
  url: string;
  email: string;
  caseId: string;
  /** Signs in as a page of the server’s own origin, whose token needs a cookie. */
  usesCookie: boolean;
  /** Returns the ids of all events that are committed now. */
  committedEvents(): Promise<Set<number>>;
}

export type OpenDashboard = Awaited<ReturnType<typeof openDashboard>>;

/**
 * Signs in and follows a case with the dashboard's own code for calls, queries, retries and live updates, without its
 * screens.
 */
export async function openDashboard({ url, email, caseId, usesCookie, committedEvents }: DashboardOptions) {
  const persisted = openFakeState('local', createFakeBrowser().openTab());
  const auth = createAuthStore(persisted);
  const live = createLiveStore();
  /** Failed calls, except those that the dashboard repeats by itself. */
  const failures: string[] = [];
  let cookie = '';
  if (usesCookie) {
    const started = await startCookieSession(url, email);
    auth.signIn(started.token);
    // Servers of the last release set none.
    cookie = started.cookie.name && `${started.cookie.name}=${started.cookie.value}`;
    rememberCookie(auth.credential() ?? '', cookie);
  } else auth.signIn(await fetchAccessToken(url, email));

  /** The events that were committed before each time that the dashboard caught up after connecting. */
  const caughtUpWith: Set<number>[] = [];
  let committed: Promise<Set<number>> | null = null;
  const call = createCall({
    baseUrl: `${url}/api`,
    credential: auth.credential,
    onUnauthenticated: () => failures.push('the sign-in was rejected'),
    onFailure: (error) => {
      // A newer request for the same data replaces one that is in progress.
      const isReplaced = error instanceof Error && error.name === 'AbortError';
      if (!isReplaced && !retryTransientErrors(0, error)) failures.push(String(error));
    },
    isOnline: () => true,
    // Requests after connecting wait until it is known which events their answers contain.
    fetch: async (address, request) => {
      const known = await committed;
      const response = await globalThis.fetch(address, request);
      const catchesUp = known !== null && response.ok && String(address).endsWith('/api/client');
      if (catchesUp && !caughtUpWith.includes(known)) caughtUpWith.push(known);
      return response;
    },
  });
  const { hostname, port } = new URL(url);
  const config = {
    realtime: realtimeConfigFixture({ host: hostname, port: Number(port), scheme: 'http', key: 'keyturn' }),
    environment: 'production',
    api_base_url: `${url}/api`,
  };
  const services = {
    auth,
    live,
    persisted,
    call,
    config,
    maintenance: { refresh: async () => {} },
  } as unknown as Services;
  const queries = queryClientFor(auth, auth.credential() ?? '');
  const client = await queries.fetchQuery(clientQuery(services));
  const { generation } = caseStoreFor(services).get();
  const stopObserving = observeQueries(services, queries, generation);

  /** The versions of the events that arrived: the ids of their rows. */
  const received = new Set<number>();
  let connections = 0;
  let wasLive = false;
  const stopFollowing = live.subscribe(() => {
    const isLive = live.get().status === 'live';
    if (isLive && !wasLive) {
      committed = committedEvents();
      connections += 1;
    }
    wasLive = isLive;
  });
  const stop = followCase(
    services,
    queries,
    { clientId: client.id, caseId },
    {
      location: { protocol: 'http:', hostname, port },
      addEventListener: () => {},
      removeEventListener: () => {},
    },
    async (options) => {
      const echo = await createEcho(options);
      echo.connector.pusher.bind_global((_name: string, content: Partial<EventContent> | undefined) => {
        if (typeof content?.version === 'number') received.add(content.version);
      });
      return echo;
    },
  );

  return {
    call,
    client,
    queries,
    failures,
    channels: [caseChannel(caseId), clientChannel(client.id)],
    isLive: () => live.get().status === 'live',
    connections: () => connections,
    /** Whether an event arrived, or was committed before the dashboard fetched its case after connecting. */
    knows: (event: { id: number }) =>
      received.has(event.id) || caughtUpWith.some((known) => known.has(event.id)),
    /** The data that its screens show. */
    shown: (key: 'client' | 'caseSearches' | 'payments' | 'documents') =>
      queries.getQueryData(key === 'client' ? queryKeys.client : queryKeys[key](generation)),
    close: () => {
      stop();
      stopFollowing();
      stopObserving();
      auth.clear('signed_out');
    },
  };
}

/** Keeps the queries of the screens active, so that events refetch them. */
function observeQueries(services: Services, queries: QueryClient, generation: number): () => void {
  const { call } = services;
  const observed = [
    clientQuery(services),
    milestonesQuery(services, generation),
    newestHistoryQuery(services, generation),
    {
      queryKey: queryKeys.caseSearches(generation),
      queryFn: () => call('GET /case-searches', { background: true }),
    },
    { queryKey: queryKeys.payments(generation), queryFn: () => call('GET /payments', { background: true }) },
    {
      queryKey: queryKeys.documents(generation),
      queryFn: () => call('GET /documents', { background: true }),
    },
  ];
  const ends = observed.map((options) =>
    new QueryObserver(queries, options as ConstructorParameters<typeof QueryObserver>[1]).subscribe(() => {}),
  );
  return () => {
    for (const end of ends) end();
  };
}

/** Repeats a call as the dashboard repeats its queries. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!retryTransientErrors(failures, error)) throw error;
      await new Promise((done) => setTimeout(done, 1_000 * 2 ** failures));
    }
  }
}

const cookies = new Map<string, string>();
const rememberCookie = (credential: string, cookie: string) => cookies.set(credential, cookie);

/** A `fetch` that sends the cookies of sign-ins, as a browser does. */
export const fetchWithCookies =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  (address, request) => {
    const headers = new Headers(request?.headers);
    const cookie = cookies.get(headers.get('Authorization') ?? '');
    if (cookie) headers.set('cookie', cookie);
    return fetch(address, { ...request, headers });
  };
