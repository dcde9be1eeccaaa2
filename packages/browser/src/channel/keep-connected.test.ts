import { afterEach, describe, expect, type Mock, test, vi } from 'vitest';
import { type FakeChannelServer, startFakeChannelServer } from '../../fixtures/fake-channel-server.ts';
import { realtimeConfigFixture } from '../../fixtures/realtime-config.ts';
import { createEcho, type LiveEcho } from './create-echo.ts';
import { keepConnected } from './keep-connected.ts';

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Following {
  server: FakeChannelServer;
  states: { isLive: boolean; socketId: string | null }[];
  /** For each client built, how many connects there were before it. */
  builtAt: number[];
  sessionEnded: Mock<() => void>;
  received: unknown[];
  stop(): void;
  isLive(): boolean | undefined;
}

const openEcho = ({ port }: FakeChannelServer): Promise<LiveEcho> =>
  createEcho({
    config: realtimeConfigFixture({ host: '127.0.0.1', port, scheme: 'http' }),
    page: { protocol: 'http:', hostname: '127.0.0.1', port: '' },
    environment: 'production',
    authorise: async () => ({ auth: 'app-key:signature' }),
    authorization: () => null,
  });

/** Follows one channel with the real libraries. `random: () => 0` makes every pause the shortest: one second at first. */
async function follow(
  prepare: (server: FakeChannelServer) => void = () => {},
  onBuilt: (echo: LiveEcho) => void = () => {},
): Promise<Following> {
  const server = await startFakeChannelServer();
  ends.push(server.stop);
  prepare(server);
  const following: Omit<Following, 'stop'> = {
    server,
    states: [],
    builtAt: [],
    sessionEnded: vi.fn<() => void>(),
    received: [],
    isLive: () => following.states.at(-1)?.isLive,
  };
  const stop = keepConnected({
    createEcho: async () => {
      following.builtAt.push(server.connectCount());
      const echo = await openEcho(server);
      onBuilt(echo);
      return echo;
    },
    subscribe: (echo, channels) => {
      channels.require('private-case.1');
      echo
        .private('case.1')
        .listen('PaymentUpdated', (content: unknown) => following.received.push(content))
        .subscribed(() => channels.confirm('private-case.1'))
        .error(() => channels.reject('private-case.1'));
    },
    onChange: (state) => following.states.push(state),
    onSessionEnded: following.sessionEnded,
    random: () => 0,
  });
  ends.push(stop);
  return { ...following, stop, isLive: following.isLive };
}

const until = (isTrue: () => unknown) =>
  vi.waitFor(() => expect(isTrue()).toBe(true), { timeout: 10_000, interval: 10 });

describe('the real-time connection', () => {
  test('the connection is live only once its channel is subscribed, and has a socket id while connected', async () => {
    const { states, isLive, stop, server } = await follow();
    await until(isLive);
    expect(states.at(-1)).toEqual({ isLive: true, socketId: '1.1' });
    expect(states.findIndex(({ socketId }) => socketId !== null)).toBeLessThan(
      states.findIndex((state) => state.isLive),
    );
    stop();
    await until(() => server.openConnections() === 0);
  });

  test('the connection has no socket id while disconnected, although the library keeps the old one', async () => {
    const { server, states, isLive } = await follow();
    await until(isLive);
    server.closeAll(1001);
    await until(() => isLive() && states.at(-1)?.socketId === '2.1');
    const ids = states.map(({ socketId }) => socketId).filter((id, at, all) => id !== all[at - 1]);
    expect(ids).toEqual([null, '1.1', null, '2.1']);
  });

  test('the real-time connection is not opened when stopped before it is built', async () => {
    const { server, stop, states, builtAt } = await follow();
    stop();
    const again = await follow();
    await until(again.isLive);
    expect(builtAt).toEqual([0]);
    expect(server.openConnections()).toBe(0);
    expect(states).toEqual([]);
  });

  test('the connection has one subscription after being rebuilt ten times in a row', async () => {
    const server = await startFakeChannelServer();
    ends.push(server.stop);
    const echoes: LiveEcho[] = [];
    const start = () =>
      keepConnected({
        createEcho: async () => {
          const echo = await openEcho(server);
          echoes.push(echo);
          return echo;
        },
        subscribe: (echo) => void echo.private('case.1'),
        onChange: () => {},
        onSessionEnded: () => {},
      });
    let stop = start();
    for (let turn = 0; turn < 10; turn += 1) {
      if (turn % 2 === 0) await until(() => server.subscriptions().length === 1);
      stop();
      stop = start();
    }
    ends.push(() => stop());
    const connected = () => echoes.filter((echo) => echo.connectionStatus() === 'connected');
    await until(() => connected().length === 1 && server.openConnections() === 1);
    await until(() => server.subscriptions().join() === 'private-case.1');
    expect(echoes.length).toBeGreaterThan(5);
    expect(connected()).toEqual([echoes.at(-1)]);
  });

  test('fault 43: the real-time connection recovers from a rejected subscription by reconnecting', async () => {
    const { server, builtAt, isLive } = await follow(({ rejected }) => rejected.add('private-case.1'));
    await until(() => server.connectCount() === 1 && server.openConnections() === 0);
    expect(isLive()).toBe(false);
    server.rejected.clear();
    await until(isLive);
    expect(builtAt).toEqual([0, 1]);
    expect(server.subscriptions()).toEqual(['private-case.1']);
  });

  test('pusher-js alone does not recover from a rejected subscription (control test)', async () => {
    const server = await startFakeChannelServer();
    ends.push(server.stop);
    server.rejected.add('private-case.1');
    const echo = await openEcho(server);
    ends.push(() => echo.disconnect());
    await new Promise<void>((rejected) => echo.private('case.1').error(() => rejected()));
    server.rejected.clear();
    const signatureCount = server.signatures.length;
    echo.private('case.1').subscribe();
    // Another channel on the same connection is subscribed, so the earlier request has arrived too.
    await new Promise<void>((subscribed) => echo.private('case.2').subscribed(() => subscribed()));
    expect(server.signatures).toHaveLength(signatureCount + 1);
    expect(server.subscriptions()).toEqual(['private-case.2']);
  });

  test.each([4200, 4100])(
    'fault 42: the real-time connection backs off when the server closes every connection with %d',
    async (code) => {
      const { server, builtAt, isLive } = await follow((fake) => {
        fake.rejectWithCode = code;
      });
      await until(() => builtAt.length === 2);
      // Six connects also show that the first client did not reconnect behind the second.
      expect(builtAt[1]).toBe(6);
      server.rejectWithCode = null;
      await until(isLive);
    },
    20_000,
  );

  test('fault 42: the real-time connection backs off when the server accepts and then closes connections repeatedly', async () => {
    const { server, builtAt, isLive } = await follow();
    const timer = setInterval(() => server.closeAll(4200), 5);
    ends.push(() => clearInterval(timer));
    await until(() => builtAt.length === 2);
    expect(builtAt[1]).toBe(6);
    clearInterval(timer);
    await until(isLive);
  }, 20_000);

  test.each([4200, 4100])(
    'the connection stays stopped when stopped during a close with %d',
    async (code) => {
      const { server, stop, isLive } = await follow(undefined, ({ connector }) => {
        // After the library has scheduled a reconnect, before it reconnects.
        connector.pusher.connection.bind('error', () => queueMicrotask(() => stop()));
      });
      await until(isLive);
      server.closeAll(code);
      await until(() => server.openConnections() === 0);
      await new Promise((done) => setTimeout(done, 1_500));
      expect(server.openConnections()).toBe(0);
    },
  );

  test('the real-time connection checks a sign-in that the server reports as ended, and reconnects if it has not', async () => {
    const { server, sessionEnded, isLive } = await follow();
    await until(isLive);
    server.closeAll(4009);
    await until(() => sessionEnded.mock.calls.length === 1);
    await until(() => isLive() && server.connectCount() === 2);
  });

  test('the real-time connection is opened again after a permanent close', async () => {
    const { server, sessionEnded, isLive } = await follow();
    await until(isLive);
    server.closeAll(4301);
    await until(() => isLive() && server.connectCount() === 2);
    expect(sessionEnded).not.toHaveBeenCalled();
  });
});
