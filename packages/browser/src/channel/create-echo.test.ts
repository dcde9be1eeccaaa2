import Echo from 'laravel-echo';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FakeChannelServer, startFakeChannelServer } from '../../fixtures/fake-channel-server.ts';
import { realtimeConfigFixture } from '../../fixtures/realtime-config.ts';
import { createEcho, type EchoOptions, type LiveEcho } from './create-echo.ts';

const opened: LiveEcho[] = [];
let server: FakeChannelServer | undefined;
afterEach(async () => {
  for (const echo of opened.splice(0)) echo.disconnect();
  await server?.stop();
  server = undefined;
});

async function create(config = {}, options: Partial<EchoOptions> = {}): Promise<LiveEcho> {
  const echo = await createEcho({
    config: realtimeConfigFixture({ host: '127.0.0.1', port: 9, scheme: 'http', ...config }),
    page: { protocol: 'http:', hostname: '127.0.0.1', port: '4720' },
    environment: 'production',
    authorise: async () => ({ auth: 'app-key:signature' }),
    authorization: () => 'Bearer secret',
    ...options,
  });
  opened.push(echo);
  return echo;
}

const pusherConfig = (echo: LiveEcho) =>
  (echo.connector.pusher as unknown as { config: Record<string, unknown> }).config;

describe('the real-time client', () => {
  test('the real-time client uses the configured timeouts and WebSocket transports only', async () => {
    const echo = await create();
    expect(pusherConfig(echo)).toMatchObject({
      activityTimeout: 120_000,
      pongTimeout: 30_000,
      unavailableTimeout: 10_000,
      useTLS: false,
      enabledTransports: ['ws', 'wss'],
    });
  });

  test('the real-time client connects to the host, scheme and port of the page when no host is configured', async () => {
    const plain = await create({ host: null, port: null, scheme: 'https' });
    expect(pusherConfig(plain)).toMatchObject({ wsHost: '127.0.0.1', wsPort: 4720, useTLS: false });
    const page = { protocol: 'https:', hostname: 'clients.example.test', port: '' };
    const secure = await create({ host: null, port: null }, { page });
    expect(pusherConfig(secure)).toMatchObject({
      wsHost: 'clients.example.test',
      wssPort: 443,
      useTLS: true,
    });
  });

  test('the real-time client connects to a configured host over TLS on port 443', async () => {
    const echo = await create({ host: 'live.example.test', port: null, scheme: 'https', path: '/realtime' });
    expect(pusherConfig(echo)).toMatchObject({
      wsHost: 'live.example.test',
      wssPort: 443,
      wsPath: '/realtime',
      useTLS: true,
    });
  });

  test("the real-time client connects to Pusher's own service by cluster", async () => {
    const echo = await create({ broadcaster: 'pusher', host: null, cluster: 'eu' });
    expect(pusherConfig(echo)).toMatchObject({ wsHost: 'ws-eu.pusher.com', useTLS: true });
  });

  test('the real-time client ignores subscriptions with the null broadcaster', async () => {
    const echo = await create({ broadcaster: 'null' });
    expect(() => echo.private('case.1').listen('PaymentUpdated', () => {})).not.toThrow();
  });

  test('the real-time client can be built by the connector of a custom module', async () => {
    class Connector {
      readonly options: Record<string, unknown>;
      constructor(options: Record<string, unknown>) {
        this.options = options;
      }
      disconnect() {}
    }
    const importModule = vi.fn(async () => ({ default: Connector }));
    const echo = await create({ broadcaster: 'custom', module: '/connector.js' }, { importModule });
    expect(importModule).toHaveBeenCalledWith('/connector.js');
    expect(echo.connector).toBeInstanceOf(Connector);
    expect(echo.connector.options).toMatchObject({ key: 'app-key', authEndpoint: '/broadcasting/auth' });
    await expect(
      create({ broadcaster: 'custom', module: '/x.js' }, { importModule: async () => ({}) }),
    ).rejects.toThrow('/x.js has no default export that builds a connector');
  });

  test('the real-time client sends the token of its own sign-in with socket.io', async () => {
    const first = await create({ broadcaster: 'socket.io' });
    const second = await create({ broadcaster: 'socket.io' }, { authorization: () => null });
    expect(first.connector.options.auth.headers).toEqual({ Authorization: 'Bearer secret' });
    expect(second.connector.options.auth.headers).toEqual({});
  });

  test('the real-time client rejects an unknown broadcaster', async () => {
    await expect(create({ broadcaster: 'foo' })).rejects.toThrow('Broadcaster string foo is not supported.');
  });
});

describe('bearer tokens', () => {
  test('fault 44: the real-time client does not pass the token of one sign-in to the next client', async () => {
    new Echo({ broadcaster: 'null', bearerToken: 'TOKEN-OF-A' });
    const echo = await create();
    expect(echo.connector.options.auth.headers).toEqual({});
    expect(echo.connector.options.userAuthentication.headers).toEqual({});
    // The two clients share no object that headers could be written into.
    const next = await create();
    expect(next.connector.options.auth).not.toBe(echo.connector.options.auth);
    expect(next.connector.options.userAuthentication).not.toBe(echo.connector.options.userAuthentication);
  });

  test('laravel-echo alone passes the token on (control test)', () => {
    new Echo({ broadcaster: 'null', bearerToken: 'TOKEN-OF-A' });
    const { connector } = new Echo({ broadcaster: 'null' });
    expect(connector.options.auth.headers).toEqual({ Authorization: 'Bearer TOKEN-OF-A' });
  });
});

describe('subscribing to a channel', () => {
  test('authorises channels at the configured endpoints with the socket id and channel name', async () => {
    server = await startFakeChannelServer();
    const requests: unknown[] = [];
    const echo = await create(
      { port: server.port },
      {
        authorise: async (...request) => {
          requests.push(request);
          return { auth: 'app-key:signature', user_data: '{"id":"amelia"}' };
        },
      },
    );
    await new Promise<void>((subscribed) => echo.private('case.1').subscribed(() => subscribed()));
    expect(requests).toEqual([['/broadcasting/auth', { socket_id: '1.1', channel_name: 'private-case.1' }]]);
    expect(server.signatures).toEqual(['app-key:signature']);
    echo.connector.signin();
    await expect.poll(() => requests[1]).toEqual(['/broadcasting/user-auth', { socket_id: '1.1' }]);
  });

  test('delivers events by name, with and without the namespace', async () => {
    server = await startFakeChannelServer();
    const echo = await create({ port: server.port });
    const received: unknown[] = [];
    const channel = echo.private('case.1');
    await new Promise<void>((subscribed) => channel.subscribed(() => subscribed()));
    channel
      .listen('PaymentUpdated', (content: unknown) => received.push(['named', content]))
      .listen('.App\\Events\\PaymentUpdated', () => received.push('with a dot'))
      .listen('\\App\\Events\\PaymentUpdated', () => received.push('with a backslash'))
      .listen('.PaymentUpdated', () => received.push('never'))
      .listenToAll((event: string) => received.push(event));
    server.send('private-case.1', 'App\\Events\\PaymentUpdated', { version: 1, ids: ['p'] });
    await expect.poll(() => received).toHaveLength(4);
    expect(received).toContainEqual(['named', { version: 1, ids: ['p'] }]);
    expect(received).not.toContain('never');
    echo.leave('case.1');
    await expect.poll(() => server?.subscriptions()).toEqual([]);
  });
});

describe('console output', () => {
  test.each([
    ['development', true],
    ['local', true],
    ['staging', true],
    ['production', false],
    ['test', false],
  ])(
    'the real-time client in %s logs channel messages: %s, and never a signature or token',
    async (environment, isLogged) => {
      const log = vi.spyOn(console, 'log').mockReturnValue();
      server = await startFakeChannelServer();
      const echo = await create({ port: server.port }, { environment });
      await new Promise<void>((subscribed) => echo.private('case.1').subscribed(() => subscribed()));
      echo.disconnect();
      const output = log.mock.calls.flat().join('\n');
      log.mockRestore();
      expect(output.includes('pusher:subscribe')).toBe(isLogged);
      expect(output).not.toMatch(/signature|secret/);
    },
  );
});
