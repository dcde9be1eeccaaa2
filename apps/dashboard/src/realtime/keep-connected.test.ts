import { afterEach, describe, expect, type Mock, test, vi } from 'vitest';
import { createEcho, type LiveEcho } from './create-echo.ts';
import { keepConnected } from './keep-connected.ts';
import { sampleRealtimeConfig } from './sample-realtime-config.ts';
import { type ScratchChannel, startScratchChannel } from './scratch-channel.ts';

const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Following {
  server: ScratchChannel;
  states: { isLive: boolean; socketId: string | null }[];
  /** Clients that were built, by the number of connects so far. */
  builtAt: number[];
  sessionEnded: Mock<() => void>;
  heard: unknown[];
  stop(): void;
  isLive(): boolean | undefined;
}

const openEcho = ({ port }: ScratchChannel): Promise<LiveEcho> =>
  createEcho({
    config: sampleRealtimeConfig({ host: '127.0.0.1', port, scheme: 'http' }),
    page: { protocol: 'http:', hostname: '127.0.0.1', port: '' },
    environment: 'production',
    authorise: async () => ({ auth: 'app-key:signature' }),
    authorization: () => null,
  });

/** Follows one channel by the real libraries. A pause is half of what it is at most: one second the first time. */
async function follow(
  prepare: (server: ScratchChannel) => void = () => {},
  onBuilt: (echo: LiveEcho) => void = () => {},
): Promise<Following> {
  const server = await startScratchChannel();
  ends.push(server.stop);
  prepare(server);
  const following: Omit<Following, 'stop'> = {
    server,
    states: [],
    builtAt: [],
    sessionEnded: vi.fn<() => void>(),
    heard: [],
    isLive: () => following.states.at(-1)?.isLive,
  };
  const stop = keepConnected({
    createEcho: async () => {
      following.builtAt.push(server.connects());
      const echo = await openEcho(server);
      onBuilt(echo);
      return echo;
    },
    follow: (echo, on) => {
      on.need('private-case.1');
      echo
        .private('case.1')
        .listen('PaymentUpdated', (content: unknown) => following.heard.push(content))
        .subscribed(() => on.confirmed('private-case.1'))
        .error(() => on.refused('private-case.1'));
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

describe('the connection', () => {
  test('is live only once its channel is listened to, and has an id while it is connected', async () => {
    const { states, isLive, stop, server } = await follow();
    await until(isLive);
    expect(states.at(-1)).toEqual({ isLive: true, socketId: '1.1' });
    expect(states.findIndex(({ socketId }) => socketId !== null)).toBeLessThan(
      states.findIndex((state) => state.isLive),
    );
    stop();
    await until(() => server.open() === 0);
  });

  test('protocol 43: has no id any more while it is away, though the library keeps the old one', async () => {
    const { server, states, isLive } = await follow();
    await until(isLive);
    server.closeAll(1001);
    await until(() => isLive() && states.at(-1)?.socketId === '2.1');
    const ids = states.map(({ socketId }) => socketId).filter((id, at, all) => id !== all[at - 1]);
    expect(ids).toEqual([null, '1.1', null, '2.1']);
  });

  test('leaves nothing behind when it is told to stop, however early', async () => {
    const { server, stop, states, builtAt } = await follow();
    stop();
    const again = await follow();
    await until(again.isLive);
    expect(builtAt).toEqual([0]);
    expect(server.open()).toBe(0);
    expect(states).toEqual([]);
  });

  test('has one subscription after being rebuilt ten times in a row', async () => {
    const server = await startScratchChannel();
    ends.push(server.stop);
    const echoes: LiveEcho[] = [];
    const begin = () =>
      keepConnected({
        createEcho: async () => {
          const echo = await openEcho(server);
          echoes.push(echo);
          return echo;
        },
        follow: (echo) => void echo.private('case.1'),
        onChange: () => {},
        onSessionEnded: () => {},
      });
    let stop = begin();
    for (let turn = 0; turn < 10; turn += 1) {
      if (turn % 2 === 0) await until(() => server.subscriptions().length === 1);
      stop();
      stop = begin();
    }
    ends.push(() => stop());
    const connected = () => echoes.filter((echo) => echo.connectionStatus() === 'connected');
    await until(() => connected().length === 1 && server.open() === 1);
    await until(() => server.subscriptions().join() === 'private-case.1');
    expect(echoes.length).toBeGreaterThan(5);
    expect(connected()).toEqual([echoes.at(-1)]);
  });

  test('protocol 21: recovers from a refused channel by a new connection', async () => {
    const { server, builtAt, isLive } = await follow(({ refused }) => refused.add('private-case.1'));
    await until(() => server.connects() === 1 && server.open() === 0);
    expect(isLive()).toBe(false);
    server.refused.clear();
    await until(isLive);
    expect(builtAt).toEqual([0, 1]);
    expect(server.subscriptions()).toEqual(['private-case.1']);
  });

  test('protocol 21: is not recovered by the library itself (so that this stays worth testing)', async () => {
    const server = await startScratchChannel();
    ends.push(server.stop);
    server.refused.add('private-case.1');
    const echo = await openEcho(server);
    ends.push(() => echo.disconnect());
    await new Promise<void>((refused) => echo.private('case.1').error(() => refused()));
    server.refused.clear();
    const asked = server.signatures.length;
    echo.private('case.1').subscribe();
    // Another channel on the same connection goes through: what was asked before it has arrived.
    await new Promise<void>((subscribed) => echo.private('case.2').subscribed(() => subscribed()));
    expect(server.signatures).toHaveLength(asked + 1);
    expect(server.subscriptions()).toEqual(['private-case.2']);
  });

  test.each([4200, 4100])(
    'row 42: gives up for a while when a server always closes with %d',
    async (code) => {
      const { server, builtAt, isLive } = await follow((scratch) => {
        scratch.turnAwayWith = code;
      });
      await until(() => builtAt.length === 2);
      // Which also tells that the first client did not come back behind the second.
      expect(builtAt[1]).toBe(6);
      server.turnAwayWith = null;
      await until(isLive);
    },
    20_000,
  );

  test('row 42: gives up for a while when a server greets and then closes, again and again', async () => {
    const { server, builtAt, isLive } = await follow();
    const timer = setInterval(() => server.closeAll(4200), 5);
    ends.push(() => clearInterval(timer));
    await until(() => builtAt.length === 2);
    expect(builtAt[1]).toBe(6);
    clearInterval(timer);
    await until(isLive);
  }, 20_000);

  test.each([4200, 4100])('stays at its end when that comes with a close with %d', async (code) => {
    const { server, stop, isLive } = await follow(undefined, ({ connector }) => {
      // Between the library's plan to come back and its coming back.
      connector.pusher.connection.bind('error', () => queueMicrotask(() => stop()));
    });
    await until(isLive);
    server.closeAll(code);
    await until(() => server.open() === 0);
    await new Promise((done) => setTimeout(done, 1_500));
    expect(server.open()).toBe(0);
  });

  test('asks what became of the sign-in when the server says that it has ended, and comes back if it has not', async () => {
    const { server, sessionEnded, isLive } = await follow();
    await until(isLive);
    server.closeAll(4009);
    await until(() => sessionEnded.mock.calls.length === 1);
    await until(() => isLive() && server.connects() === 2);
  });

  test('comes back after a close for good', async () => {
    const { server, sessionEnded, isLive } = await follow();
    await until(isLive);
    server.closeAll(4301);
    await until(() => isLive() && server.connects() === 2);
    expect(sessionEnded).not.toHaveBeenCalled();
  });
});
