import type { EchoOptions, LiveEcho } from '@keyturn/browser/channel/create-echo.ts';
import { realtimeConfigFixture } from '@keyturn/browser/fixtures/realtime-config.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientFixture } from '../../fixtures/entities.ts';
import { caseStoreFor } from '../api/case/case-store.ts';
import { createLiveStore } from '../api/services/live-store.ts';
import type { Services } from '../api/services/services.ts';
import { createAuthStore } from '../api/session/auth-store.ts';
import { followCase } from './follow-case.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Listener = (content?: unknown) => void;

/** A fake real-time client whose events and status the test controls. */
function fakeEcho() {
  const listeners = new Map<string, Listener[]>();
  const fake = { status: 'connected', isClosed: false, hasLeft: false, changeStatus: () => {} };
  const on = (name: string, listener: Listener, channel: object): object => {
    listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    return channel;
  };
  const emit = (name: string, content?: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(content);
  };
  const channel = (name: string) => {
    const self: Record<string, unknown> = {
      listen: (event: string, listener: Listener) => on(`${name} ${event}`, listener, self),
      subscribed: (listener: Listener) => on(`${name} subscribed`, listener, self),
      error: (listener: Listener) => on(`${name} error`, listener, self),
      here: () => self,
      joining: () => self,
      leaving: () => self,
    };
    return self;
  };
  const echo = {
    private: (name: string) => channel(`private-${name}`),
    join: (name: string) => channel(`presence-${name}`),
    channel,
    connectionStatus: () => fake.status,
    socketId: () => '7.7',
    disconnect: () => {
      fake.isClosed = true;
    },
    leaveAllChannels: () => {
      fake.hasLeft = true;
    },
    connector: {
      onConnectionChange: (listener: () => void) => {
        fake.changeStatus = listener;
        return () => {};
      },
    },
  } as unknown as LiveEcho;
  return { fake, echo, emit };
}

const persisted = () => ({
  kind: 'local' as const,
  read: () => undefined,
  write: () => {},
  remove: () => {},
  onChangeElsewhere: () => {},
});

async function startFollowing(random = () => 1) {
  const auth = createAuthStore(persisted() as never);
  const client = clientFixture();
  auth.signIn({ access_token: 'token-of-amelia', token_type: 'Bearer', expires_in: 3_600 });
  auth.setClient(client);
  const live = createLiveStore();
  const refresh = vi.fn(async () => {});
  const call = vi.fn(async () => client);
  const services = {
    auth,
    live,
    persisted: persisted(),
    maintenance: { refresh },
    call,
    config: { realtime: realtimeConfigFixture(), environment: 'production', api_base_url: '/api' },
  } as unknown as Services;
  caseStoreFor(services).setConveyancingCase(client.conveyancing_case);
  const queries = new QueryClient();
  const refetched: string[] = [];
  vi.spyOn(queries, 'invalidateQueries').mockImplementation(async ({ queryKey } = {}) => {
    refetched.push(JSON.stringify(queryKey));
  });
  const page = new EventTarget() as EventTarget & { location: Location };
  Object.assign(page, { location: { protocol: 'https:', hostname: 'keyturn.test', port: '' } });
  const { fake, echo, emit } = fakeEcho();
  let echoOptions: EchoOptions | undefined;
  const caseId = client.active_case?.id ?? '';
  const stop = followCase(
    services,
    queries,
    { clientId: client.id, caseId },
    page as never,
    async (options) => {
      echoOptions = options;
      return echo;
    },
    random,
  );
  await vi.advanceTimersByTimeAsync(0);
  const connect = async () => {
    emit(`private-client.${client.id} subscribed`);
    emit(`private-case.${caseId} subscribed`);
    await vi.advanceTimersByTimeAsync(200);
    refetched.length = 0;
  };
  const builtWith = () => {
    if (!echoOptions) throw new Error('no client was built');
    return echoOptions;
  };
  const receive = (event: string, version: number, ids: string[] = []) =>
    emit(`private-case.${caseId} ${event}`, { version, ids });
  const nextRefetch = async () => {
    await vi.advanceTimersByTimeAsync(200);
    return refetched.splice(0).sort();
  };
  return {
    services,
    client,
    caseId,
    live,
    fake,
    emit,
    stop,
    connect,
    receive,
    nextRefetch,
    page,
    refresh,
    call,
    builtWith,
  };
}

describe('an event of the followed case', () => {
  test.each([
    [
      'PaymentUpdated',
      ['p'],
      [
        '["case",0,"bills"]',
        '["case",0,"case-searches"]',
        '["case",0,"milestones"]',
        '["case",0,"payments"]',
        '["client"]',
      ],
    ],
    [
      'CaseSearchUpdated',
      ['s'],
      ['["case",0,"case-searches"]', '["case",0,"documents"]', '["case",0,"milestones"]', '["client"]'],
    ],
    ['MilestoneReached', ['m'], ['["case",0,"milestones"]', '["client"]']],
    [
      'DocumentShared',
      ['d'],
      [
        '["case",0,"bills"]',
        '["case",0,"case-searches"]',
        '["case",0,"documents"]',
        '["case",0,"milestones"]',
        '["client"]',
        '["documents","d"]',
      ],
    ],
    ['HistoryRecorded', ['h'], ['["case",0,"case-history","newest"]']],
    ['TaskUpdated', ['t'], ['["case",0,"milestones"]', '["client"]']],
    [
      'CaseUpdated',
      [],
      ['["case",0,"bills"]', '["case",0,"case-searches"]', '["case",0,"milestones"]', '["client"]'],
    ],
  ])('the event %s of a case refetches what it names and nothing else', async (event, ids, keys) => {
    const { connect, receive, nextRefetch } = await startFollowing();
    await connect();
    receive(event, 1, ids);
    expect(await nextRefetch()).toEqual(keys);
  });

  test('refetches each query once for many events at the same moment', async () => {
    const { connect, receive, nextRefetch } = await startFollowing();
    await connect();
    for (let version = 1; version <= 40; version += 1) receive('PaymentUpdated', version, [`p${version}`]);
    receive('CaseUpdated', 41);
    expect(await nextRefetch()).toEqual([
      '["case",0,"bills"]',
      '["case",0,"case-searches"]',
      '["case",0,"milestones"]',
      '["case",0,"payments"]',
      '["client"]',
    ]);
  });

  test('fault 45: ignores a duplicate event and an older one for the same id', async () => {
    const { connect, receive, nextRefetch } = await startFollowing();
    await connect();
    receive('PaymentUpdated', 5, ['p']);
    await nextRefetch();
    receive('PaymentUpdated', 5, ['p']);
    receive('PaymentUpdated', 4, ['p']);
    expect(await nextRefetch()).toEqual([]);
    receive('PaymentUpdated', 6, ['p']);
    expect(await nextRefetch()).toHaveLength(5);
  });

  test.each([
    ['nothing', undefined],
    ['no version', { ids: [] }],
    ['invalid ids', { version: 1, ids: [7] }],
  ])('ignores an event with %s in it', async (_case, content) => {
    const { connect, emit, caseId, nextRefetch } = await startFollowing();
    await connect();
    emit(`private-case.${caseId} PaymentUpdated`, content);
    expect(await nextRefetch()).toEqual([]);
  });

  test('fault 44: ignores events for another case or after it was stopped', async () => {
    const { connect, receive, nextRefetch, services, client, stop } = await startFollowing();
    await connect();
    const other = client.conveyancing_case && { ...client.conveyancing_case, id: 'another' };
    caseStoreFor(services).setConveyancingCase(other);
    receive('PaymentUpdated', 1, ['p']);
    expect(await nextRefetch()).toEqual([]);
    caseStoreFor(services).setConveyancingCase(client.conveyancing_case);
    receive('PaymentUpdated', 2, ['p']);
    stop();
    receive('PaymentUpdated', 3, ['q']);
    expect(await nextRefetch()).toEqual([]);
  });

  test('checks maintenance at once on its event, and again when no server caches the old value', async () => {
    const { connect, emit, refresh } = await startFollowing();
    await connect();
    emit('status MaintenanceChanged', { version: 1, ids: [] });
    expect(refresh).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('following a case', () => {
  test('following a case becomes live once the client and case channels are subscribed, then catches up', async () => {
    const { live, emit, client, caseId, nextRefetch } = await startFollowing();
    expect(live.get()).toMatchObject({ status: 'waiting', socketId: '7.7' });
    emit(`private-client.${client.id} subscribed`);
    expect(live.get().status).toBe('waiting');
    emit(`private-case.${caseId} subscribed`);
    expect(live.get().status).toBe('live');
    const caughtUp = await nextRefetch();
    expect(caughtUp).toContain('["client"]');
    expect(caughtUp).toContain('["case",0,"payments"]');
    expect(caughtUp.filter((key) => key.includes('"all"'))).toEqual([]);
  });

  test('fault 40: following a case reports since when the channel is down, and catches up when it is back', async () => {
    const { live, fake, connect, emit, client, caseId, nextRefetch } = await startFollowing();
    await connect();
    fake.status = 'connecting';
    fake.changeStatus();
    expect(live.get()).toMatchObject({ status: 'waiting', since: Date.now(), socketId: null });
    expect(await nextRefetch()).toEqual([]);
    fake.status = 'connected';
    fake.changeStatus();
    emit(`private-client.${client.id} subscribed`);
    emit(`private-case.${caseId} subscribed`);
    expect(await nextRefetch()).toContain('["client"]');
  });

  test('following a case catches up at a random time within the period that the server asks for, and not after it was stopped', async () => {
    const answer = '{"channels":{"private-case.1":{"status":200,"auth":"app-key:signature"}}}';
    vi.stubGlobal('fetch', async () => new Response(answer, { headers: { 'x-refetch-within': '8000' } }));
    vi.stubGlobal('document', { cookie: '' });
    const { builtWith, fake, connect, emit, client, caseId, stop, nextRefetch } = await startFollowing(
      () => 0.5,
    );
    await connect();
    const reconnect = async () => {
      fake.status = 'connecting';
      fake.changeStatus();
      fake.status = 'connected';
      fake.changeStatus();
      await builtWith().authorise('/broadcasting/auth', { socket_id: '1.1', channel_name: 'private-case.1' });
      emit(`private-client.${client.id} subscribed`);
      emit(`private-case.${caseId} subscribed`);
    };
    await reconnect();
    await vi.advanceTimersByTimeAsync(3_900);
    expect(await nextRefetch()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await nextRefetch()).toContain('["client"]');
    await reconnect();
    stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await nextRefetch()).toEqual([]);
  });

  test('fault 40: following a case catches up when the browser is online again', async () => {
    const { connect, page, nextRefetch } = await startFollowing();
    await connect();
    page.dispatchEvent(new Event('online'));
    expect(await nextRefetch()).toContain('["client"]');
  });

  test('following a case resets its state and disconnects when stopped', async () => {
    const { connect, stop, live, fake, page, nextRefetch } = await startFollowing();
    await connect();
    stop();
    expect(live.get()).toEqual({ status: 'off', since: 0, socketId: null, others: [], announcement: null });
    expect(fake).toMatchObject({ isClosed: true, hasLeft: true });
    page.dispatchEvent(new Event('online'));
    expect(await nextRefetch()).toEqual([]);
  });

  test('fault 44: does not authorise channels with the token of another sign-in', async () => {
    const fetch = vi.fn(
      async () => new Response('{"channels":{"private-case.1":{"status":200,"auth":"app-key:signature"}}}'),
    );
    vi.stubGlobal('fetch', fetch);
    vi.stubGlobal('document', { cookie: '' });
    const { builtWith, services } = await startFollowing();
    const authorise = () =>
      builtWith().authorise('/broadcasting/auth', { socket_id: '1.1', channel_name: 'private-case.1' });
    await authorise();
    expect(fetch).toHaveBeenCalledOnce();
    services.auth.signIn({ access_token: 'token-of-tom', token_type: 'Bearer', expires_in: 3_600 });
    await expect(authorise()).rejects.toThrow('this sign-in has ended');
    expect(fetch).toHaveBeenCalledOnce();
    expect(builtWith().authorization()).toBe('Bearer token-of-amelia');
  });
});
