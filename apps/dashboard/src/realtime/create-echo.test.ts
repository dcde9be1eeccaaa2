import Echo from 'laravel-echo';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createEcho, type EchoOptions, type LiveEcho } from './create-echo.ts';
import { sampleRealtimeConfig } from './sample-realtime-config.ts';
import { type ScratchChannel, startScratchChannel } from './scratch-channel.ts';

const opened: LiveEcho[] = [];
let server: ScratchChannel | undefined;
afterEach(async () => {
  for (const echo of opened.splice(0)) echo.disconnect();
  await server?.stop();
  server = undefined;
});

async function create(config = {}, parts: Partial<EchoOptions> = {}): Promise<LiveEcho> {
  const echo = await createEcho({
    config: sampleRealtimeConfig({ host: '127.0.0.1', port: 9, scheme: 'http', ...config }),
    page: { protocol: 'http:', hostname: '127.0.0.1', port: '4720' },
    environment: 'production',
    authorise: async () => ({ auth: 'app-key:signature' }),
    authorization: () => 'Bearer secret',
    ...parts,
  });
  opened.push(echo);
  return echo;
}

const pusherConfig = (echo: LiveEcho) =>
  (echo.connector.pusher as unknown as { config: Record<string, unknown> }).config;

describe('the client of the channel', () => {
  test('waits as long as it is told, and for no other transport', async () => {
    const echo = await create();
    expect(pusherConfig(echo)).toMatchObject({
      activityTimeout: 120_000,
      pongTimeout: 30_000,
      unavailableTimeout: 10_000,
      useTLS: false,
      enabledTransports: ['ws', 'wss'],
    });
  });

  test('goes to the host of the page, by its scheme and port, where no host is set', async () => {
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

  test('goes to another host by https and its usual port', async () => {
    const echo = await create({ host: 'live.example.test', port: null, scheme: 'https', path: '/realtime' });
    expect(pusherConfig(echo)).toMatchObject({
      wsHost: 'live.example.test',
      wssPort: 443,
      wsPath: '/realtime',
      useTLS: true,
    });
  });

  test("of Pusher's own service goes by its cluster", async () => {
    const echo = await create({ broadcaster: 'pusher', host: null, cluster: 'eu' });
    expect(pusherConfig(echo)).toMatchObject({ wsHost: 'ws-eu.pusher.com', useTLS: true });
  });

  test('null listens to nothing, and throws at nothing', async () => {
    const echo = await create({ broadcaster: 'null' });
    expect(() => echo.private('case.1').listen('PaymentUpdated', () => {})).not.toThrow();
  });

  test('of a module is built from its connector', async () => {
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
    ).rejects.toThrow('/x.js has no connector');
  });

  test('of socket.io carries the token of its own sign-in', async () => {
    const first = await create({ broadcaster: 'socket.io' });
    const second = await create({ broadcaster: 'socket.io' }, { authorization: () => null });
    expect(first.connector.options.auth.headers).toEqual({ Authorization: 'Bearer secret' });
    expect(second.connector.options.auth.headers).toEqual({});
  });

  test('protocol 44: of an unknown broadcaster there is none', async () => {
    await expect(create({ broadcaster: 'foo' })).rejects.toThrow('Broadcaster string foo is not supported.');
  });
});

describe('the token of one sign-in', () => {
  test('protocol 42: is not in the client of the next, whatever was written into the defaults', async () => {
    new Echo({ broadcaster: 'null', bearerToken: 'TOKEN-OF-A' });
    const echo = await create();
    expect(echo.connector.options.auth.headers).toEqual({});
    expect(echo.connector.options.userAuthentication.headers).toEqual({});
    // The two clients do not share what headers could be written into either.
    const next = await create();
    expect(next.connector.options.auth).not.toBe(echo.connector.options.auth);
    expect(next.connector.options.userAuthentication).not.toBe(echo.connector.options.userAuthentication);
  });

  test('protocol 42: would be, without headers of its own (so that this stays worth testing)', () => {
    new Echo({ broadcaster: 'null', bearerToken: 'TOKEN-OF-A' });
    const { connector } = new Echo({ broadcaster: 'null' });
    expect(connector.options.auth.headers).toEqual({ Authorization: 'Bearer TOKEN-OF-A' });
  });
});

describe('a channel', () => {
  test('is asked for at the endpoints, with the socket and its name', async () => {
    server = await startScratchChannel();
    const asked: unknown[] = [];
    const echo = await create(
      { port: server.port },
      {
        authorise: async (...request) => {
          asked.push(request);
          return { auth: 'app-key:signature', user_data: '{"id":"amelia"}' };
        },
      },
    );
    await new Promise<void>((subscribed) => echo.private('case.1').subscribed(() => subscribed()));
    expect(asked).toEqual([['/broadcasting/auth', { socket_id: '1.1', channel_name: 'private-case.1' }]]);
    expect(server.signatures).toEqual(['app-key:signature']);
    echo.connector.signin();
    await vi.waitFor(() => expect(asked[1]).toEqual(['/broadcasting/user-auth', { socket_id: '1.1' }]));
  });

  test('protocol 41: tells of events by their names, with and without the namespace', async () => {
    server = await startScratchChannel();
    const echo = await create({ port: server.port });
    const heard: unknown[] = [];
    const channel = echo.private('case.1');
    await new Promise<void>((subscribed) => channel.subscribed(() => subscribed()));
    channel
      .listen('PaymentUpdated', (content: unknown) => heard.push(['named', content]))
      .listen('.App\\Events\\PaymentUpdated', () => heard.push('with a dot'))
      .listen('\\App\\Events\\PaymentUpdated', () => heard.push('with a backslash'))
      .listen('.PaymentUpdated', () => heard.push('never'))
      .listenToAll((event: string) => heard.push(event));
    server.send('private-case.1', 'App\\Events\\PaymentUpdated', { version: 1, ids: ['p'] });
    await vi.waitFor(() => expect(heard).toHaveLength(4));
    expect(heard).toContainEqual(['named', { version: 1, ids: ['p'] }]);
    expect(heard).not.toContain('never');
    echo.leave('case.1');
    await vi.waitFor(() => expect(server?.subscriptions()).toEqual([]));
  });
});

describe('the console', () => {
  test.each([
    ['development', true],
    ['local', true],
    ['staging', true],
    ['production', false],
    ['test', false],
  ])('in %s hears of the channel: %s; never a signature or a token', async (environment, hears) => {
    const log = vi.spyOn(console, 'log').mockReturnValue();
    server = await startScratchChannel();
    const echo = await create({ port: server.port }, { environment });
    await new Promise<void>((subscribed) => echo.private('case.1').subscribed(() => subscribed()));
    echo.disconnect();
    const said = log.mock.calls.flat().join('\n');
    log.mockRestore();
    expect(said.includes('pusher:subscribe')).toBe(hears);
    expect(said).not.toMatch(/signature|secret/);
  });
});
