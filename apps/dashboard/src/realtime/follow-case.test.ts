import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientFixture } from '../../fixtures/entities.ts';
import { caseStoreOf } from '../api/case/use-case-state.ts';
import { createLiveStore } from '../api/services/live-state.ts';
import type { Services } from '../api/services/services.ts';
import { createAuthStore } from '../api/session/auth-state.ts';
import type { EchoOptions, LiveEcho } from './create-echo.ts';
import { followCase } from './follow-case.ts';
import { sampleRealtimeConfig } from './sample-realtime-config.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Listener = (content?: unknown) => void;

/** A client of the channel in a test's hands. */
function fakeEcho() {
  const listeners = new Map<string, Listener[]>();
  const fake = { status: 'connected', isClosed: false, left: false, tellStatus: () => {} };
  const on = (name: string, listener: Listener, face: object): object => {
    listeners.set(name, [...(listeners.get(name) ?? []), listener]);
    return face;
  };
  const tell = (name: string, content?: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(content);
  };
  const channel = (name: string) => {
    const face: Record<string, unknown> = {
      listen: (event: string, listener: Listener) => on(`${name} ${event}`, listener, face),
      subscribed: (listener: Listener) => on(`${name} subscribed`, listener, face),
      error: (listener: Listener) => on(`${name} error`, listener, face),
      here: () => face,
      joining: () => face,
      leaving: () => face,
    };
    return face;
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
      fake.left = true;
    },
    connector: {
      onConnectionChange: (listener: () => void) => {
        fake.tellStatus = listener;
        return () => {};
      },
    },
  } as unknown as LiveEcho;
  return { fake, echo, tell };
}

const persisted = () => ({
  kind: 'local' as const,
  read: () => undefined,
  write: () => {},
  remove: () => {},
  onChangeElsewhere: () => {},
});

async function following() {
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
    config: { realtime: sampleRealtimeConfig(), environment: 'production', api_base_url: '/api' },
  } as unknown as Services;
  caseStoreOf(services).setConveyancingCase(client.conveyancing_case);
  const queries = new QueryClient();
  const rounds: string[] = [];
  vi.spyOn(queries, 'invalidateQueries').mockImplementation(async ({ queryKey } = {}) => {
    rounds.push(JSON.stringify(queryKey));
  });
  const page = new EventTarget() as EventTarget & { location: Location };
  Object.assign(page, { location: { protocol: 'https:', hostname: 'keyturn.test', port: '' } });
  const { fake, echo, tell } = fakeEcho();
  let parts: EchoOptions | undefined;
  const caseId = client.active_case?.id ?? '';
  const stop = followCase(
    services,
    queries,
    { clientId: client.id, caseId },
    page as never,
    async (given) => {
      parts = given;
      return echo;
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  const connect = async () => {
    tell(`private-client.${client.id} subscribed`);
    tell(`private-case.${caseId} subscribed`);
    await vi.advanceTimersByTimeAsync(200);
    rounds.length = 0;
  };
  const given = () => {
    if (!parts) throw new Error('no client was built');
    return parts;
  };
  const hear = (event: string, version: number, ids: string[] = []) =>
    tell(`private-case.${caseId} ${event}`, { version, ids });
  const round = async () => {
    await vi.advanceTimersByTimeAsync(200);
    return rounds.splice(0).sort();
  };
  return {
    services,
    client,
    caseId,
    live,
    fake,
    tell,
    stop,
    connect,
    hear,
    round,
    page,
    refresh,
    call,
    given,
  };
}

describe('an event', () => {
  test.each([
    ['PaymentUpdated', ['p'], ['["case",0,"case-searches"]', '["case",0,"payments"]', '["client"]']],
    ['CaseSearchUpdated', ['s'], ['["case",0,"case-searches"]', '["client"]']],
    ['MilestoneReached', ['m'], ['["case",0,"milestones"]', '["client"]']],
    ['DocumentShared', ['d'], ['["case",0,"documents"]', '["documents","d"]']],
    ['HistoryRecorded', ['h'], ['["case",0,"case-history","newest"]']],
    ['TaskUpdated', ['t'], ['["case",0,"milestones"]', '["client"]']],
    ['CaseUpdated', [], ['["case",0,"milestones"]', '["client"]']],
  ])('%s has read again what it names, and nothing else', async (event, ids, read) => {
    const { connect, hear, round } = await following();
    await connect();
    hear(event, 1, ids);
    expect(await round()).toEqual(read);
  });

  test('and many others in the same moment are one round', async () => {
    const { connect, hear, round } = await following();
    await connect();
    for (let version = 1; version <= 40; version += 1) hear('PaymentUpdated', version, [`p${version}`]);
    hear('CaseUpdated', 41);
    expect(await round()).toEqual([
      '["case",0,"case-searches"]',
      '["case",0,"milestones"]',
      '["case",0,"payments"]',
      '["client"]',
    ]);
  });

  test('that came before is ignored, and so is an older one of the same thing', async () => {
    const { connect, hear, round } = await following();
    await connect();
    hear('PaymentUpdated', 5, ['p']);
    await round();
    hear('PaymentUpdated', 5, ['p']);
    hear('PaymentUpdated', 4, ['p']);
    expect(await round()).toEqual([]);
    hear('PaymentUpdated', 6, ['p']);
    expect(await round()).toHaveLength(3);
  });

  test.each([
    ['nothing', undefined],
    ['no version', { ids: [] }],
    ['ids that are none', { version: 1, ids: [7] }],
  ])('with %s in it is dropped', async (_, content) => {
    const { connect, tell, caseId, round } = await following();
    await connect();
    tell(`private-case.${caseId} PaymentUpdated`, content);
    expect(await round()).toEqual([]);
  });

  test('row 44: of a case that was left, or after the end, is dropped', async () => {
    const { connect, hear, round, services, client, stop } = await following();
    await connect();
    const other = client.conveyancing_case && { ...client.conveyancing_case, id: 'another' };
    caseStoreOf(services).setConveyancingCase(other);
    hear('PaymentUpdated', 1, ['p']);
    expect(await round()).toEqual([]);
    caseStoreOf(services).setConveyancingCase(client.conveyancing_case);
    hear('PaymentUpdated', 2, ['p']);
    stop();
    hear('PaymentUpdated', 3, ['q']);
    expect(await round()).toEqual([]);
  });

  test('of maintenance is asked after at once, and again when every server believes it', async () => {
    const { connect, tell, refresh } = await following();
    await connect();
    tell('status MaintenanceChanged', { version: 1, ids: [] });
    expect(refresh).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('the channel', () => {
  test('is live once the client and the case are listened to, and then catches up', async () => {
    const { live, tell, client, caseId, round } = await following();
    expect(live.get()).toMatchObject({ status: 'waiting', socketId: '7.7' });
    tell(`private-client.${client.id} subscribed`);
    expect(live.get().status).toBe('waiting');
    tell(`private-case.${caseId} subscribed`);
    expect(live.get().status).toBe('live');
    const caughtUp = await round();
    expect(caughtUp).toContain('["client"]');
    expect(caughtUp).toContain('["case",0,"payments"]');
    expect(caughtUp.filter((key) => key.includes('"all"'))).toEqual([]);
  });

  test('that was away tells since when, and catches up once it is back', async () => {
    const { live, fake, connect, tell, client, caseId, round } = await following();
    await connect();
    fake.status = 'connecting';
    fake.tellStatus();
    expect(live.get()).toMatchObject({ status: 'waiting', since: Date.now(), socketId: null });
    expect(await round()).toEqual([]);
    fake.status = 'connected';
    fake.tellStatus();
    tell(`private-client.${client.id} subscribed`);
    tell(`private-case.${caseId} subscribed`);
    expect(await round()).toContain('["client"]');
  });

  test('catches up when the browser is online again', async () => {
    const { connect, page, round } = await following();
    await connect();
    page.dispatchEvent(new Event('online'));
    expect(await round()).toContain('["client"]');
  });

  test('is as if it had never been after the end', async () => {
    const { connect, stop, live, fake, page, round } = await following();
    await connect();
    stop();
    expect(live.get()).toEqual({ status: 'off', since: 0, socketId: null, others: [], told: null });
    expect(fake).toMatchObject({ isClosed: true, left: true });
    page.dispatchEvent(new Event('online'));
    expect(await round()).toEqual([]);
  });

  test('never listens by the token of another sign-in', async () => {
    const fetch = vi.fn(async () => new Response('{"auth":"app-key:signature"}'));
    vi.stubGlobal('fetch', fetch);
    vi.stubGlobal('document', { cookie: '' });
    const { given, services } = await following();
    const ask = () =>
      given().authorise('/broadcasting/auth', { socket_id: '1.1', channel_name: 'private-case.1' });
    await ask();
    expect(fetch).toHaveBeenCalledOnce();
    services.auth.signIn({ access_token: 'token-of-tom', token_type: 'Bearer', expires_in: 3_600 });
    await expect(ask()).rejects.toThrow('this sign-in has ended');
    expect(fetch).toHaveBeenCalledOnce();
    expect(given().authorization()).toBe('Bearer token-of-amelia');
  });
});
