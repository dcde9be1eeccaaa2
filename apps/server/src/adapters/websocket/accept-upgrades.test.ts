import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import {
  closeTestClients,
  openPusherClient,
  openRawClient,
  outcomeOfUpgrade,
  waitForEvent,
} from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';

let server: TestChannelServer;
beforeAll(async () => {
  server = await startTestChannelServer({ allowedOrigins: ['https://clients.example.com'] });
});
afterEach(closeTestClients);
afterAll(() => server.stop());

describe('WebSocket upgrade', () => {
  test('protocol 2: closes a connection with an unknown key with 4001, and pusher-js does not reconnect', async () => {
    expect(await outcomeOfUpgrade(server.address.replace('/key?', '/kex?'))).toBe(4001);
    const client = openPusherClient({ ...server, app: { ...server.app, key: 'unknown' } });
    const states: string[] = [];
    client.connection.bind('state_change', ({ current }: { current: string }) => states.push(current));
    const error = await waitForEvent(client.connection, 'error');
    expect(error).toMatchObject({ error: { data: { code: 4001 } } });
    await expect.poll(() => states.at(-1)).toBe('disconnected');
  });

  test.each([
    ['', 4008],
    ['?protocol=', 4008],
    ['?protocol=x', 4006],
    ['?protocol=6', 4007],
    ['?protocol=8', 4007],
    ['?client=js', 4008],
  ])('protocol 3: closes a connection with the query %j with %i', async (query, code) => {
    expect(await outcomeOfUpgrade(server.address.replace(/\?.*/, query))).toBe(code);
  });

  test.each([
    ['https://clients.example.com', 101],
    ['https://clients.example.com.evil.test', 403],
    ['https://evilclients.example.com', 403],
    ['http://clients.example.com', 403],
    ['https://clients.example.com:8443', 403],
    ['null', 403],
    ['https://evil.test', 403],
  ])('protocol 8: responds to an upgrade from origin %s with %i', async (origin, outcome) => {
    expect(await outcomeOfUpgrade(server.address, { origin })).toBe(outcome);
  });

  test('protocol 8: accepts upgrades from its own origin and from clients without an Origin header', async () => {
    expect(await outcomeOfUpgrade(server.address, { origin: server.url })).toBe(101);
    expect(await outcomeOfUpgrade(server.address)).toBe(101);
  });

  test('rejects upgrades to other host names with 421', async () => {
    const errors: unknown[] = [];
    const pinned = await startTestChannelServer({
      allowedHosts: ['clients.example.com', 'desk.example.com:8443'],
      onError: (error) => errors.push(error),
    });
    for (const [host, outcome] of [
      ['clients.example.com', 101],
      ['Clients.Example.COM', 101],
      ['clients.example.com:443', 101],
      ['desk.example.com:8443', 101],
      ['desk.example.com', 421],
      ['clients.example.com.evil.test', 421],
      [new URL(pinned.url).host, 421],
    ] as const) {
      expect(await outcomeOfUpgrade(pinned.address, { host }), host).toBe(outcome);
    }
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringContaining('the host desk.example.com was refused') }),
    ]);
    await pinned.stop();
  });

  test('rejects an upgrade on another path with 404', async () => {
    expect(await outcomeOfUpgrade(`${server.address.replace('/app/', '/apps/')}`)).toBe(404);
  });

  test.each([
    ['GET', '/broadcasting/nothing', ''],
    ['POST', '/apps/42/events', '{"name":"x"}'],
    ['POST', '/app/key?protocol=7', 'x'.repeat(200_000)],
  ])(
    'handles a request that offers h2c, and the next one on its connection, as usual: %s %s',
    async (method, path, body) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const send = (headers: Record<string, string>) =>
        new Promise<{ status: number; port: number }>((resolve, reject) => {
          const outgoing = request(`${server.url}${path}`, { method, agent, headers });
          outgoing.on('error', reject);
          outgoing.on('response', (response) => {
            const port = response.socket.localPort ?? 0;
            response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, port }));
          });
          outgoing.end(body);
        });
      const usual = await send({});
      const offering = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': 'AAMAAABk',
      };
      expect((await send(offering)).status).toBe(usual.status);
      expect((await send(offering)).status).toBe(usual.status);
      expect((await send({})).status).toBe(usual.status);
      agent.destroy();
    },
  );

  test('closes a connection that offers h2c after its response, so that no listeners accumulate', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => void warnings.push(name);
    process.on('warning', onWarning);
    const offer =
      'GET /app/nothing HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n';
    const responses = await new Promise<number>((resolve) => {
      let count = 0;
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(offer));
      socket.on('data', (part) => {
        count += part.toString('latin1').split('HTTP/1.1 ').length - 1;
        if (count < 30) socket.write(offer);
        else socket.destroy();
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(count));
    });
    process.off('warning', onWarning);
    expect({ responses, warnings }).toEqual({ responses: 1, warnings: [] });
  });

  test('rejects an incomplete WebSocket handshake with 400', async () => {
    const status = await new Promise((resolve) => {
      const outgoing = request(`${server.url}/app/key?protocol=7`, {
        headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
      });
      outgoing.on('response', (response) => resolve(response.statusCode));
      outgoing.end();
    });
    expect(status).toBe(400);
  });
});

describe('connection limits', () => {
  test('protocol 9: rejects upgrades with 503 above the limits per IP address and per server', async () => {
    const small = await startTestChannelServer({
      limits: { connections: 3, connectionsPerAddress: 2 },
      trustedProxies: 1,
    });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const first = await openRawClient(small, from('10.0.0.1'));
    await openRawClient(small, from('10.0.0.1'));
    expect(await outcomeOfUpgrade(small.address, from('10.0.0.1').headers)).toBe(503);
    // Only the entry of the one trusted proxy counts, not the client's own.
    expect(await outcomeOfUpgrade(small.address, from('10.9.9.9, 10.0.0.1').headers)).toBe(503);
    await openRawClient(small, from('10.0.0.2'));
    expect(await outcomeOfUpgrade(small.address, from('10.0.0.3').headers)).toBe(503);
    first.socket.terminate();
    await expect.poll(() => small.channels.counts().connections).toBe(2);
    expect(await outcomeOfUpgrade(small.address, from('10.0.0.1').headers)).toBe(101);
    await small.stop();
  });

  test('fault 41: opens connections that arrive together in batches, within the limits', async () => {
    const paced = await startTestChannelServer({
      limits: { connections: 40, connectionsPerAddress: 50 },
      trustedProxies: 1,
      intervals: { openBatch: 5, openInterval: 30 },
    });
    const headersOf = (number: number) => ({ 'x-forwarded-for': `10.0.0.${number % 2}` });
    const startedAt = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, number) => {
        const socket = new WebSocket(paced.address, { headers: headersOf(number) });
        return new Promise<number>((resolve) => {
          socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
          socket.on('open', () => resolve(101));
          socket.on('error', () => {});
        });
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 101)).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 503)).toHaveLength(20);
    // Eight batches, with seven pauses between them.
    expect(performance.now() - startedAt).toBeGreaterThan(7 * 30 - 10);
    expect(paced.channels.counts().connections).toBe(40);
    await paced.stop();
  });

  test('rejects waiting connections when the server stops', async () => {
    const paced = await startTestChannelServer({ intervals: { openBatch: 1, openInterval: 60_000 } });
    const outcomes = Array.from({ length: 3 }, () => outcomeOfUpgrade(paced.address));
    await expect.poll(() => paced.channels.waiting()).toBe(2);
    await paced.stop();
    expect((await Promise.all(outcomes)).sort()).toEqual([101, 503, 503]);
  });

  test('rejects connections above the limit of their address while others from it wait', async () => {
    const paced = await startTestChannelServer({
      limits: { connectionsPerAddress: 2 },
      trustedProxies: 1,
      intervals: { openBatch: 1, openInterval: 300 },
    });
    const greedy = { 'x-forwarded-for': '10.0.0.1' };
    const outcomes = Array.from({ length: 5 }, () => outcomeOfUpgrade(paced.address, greedy));
    expect((await Promise.all(outcomes)).sort()).toEqual([101, 101, 101, 503, 503]);
    await paced.stop();
  });

  test('counts the addresses of an IPv6 /64 network as one', async () => {
    const small = await startTestChannelServer({ limits: { connectionsPerAddress: 2 }, trustedProxies: 1 });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    await openRawClient(small, from('2001:db8:1:2::1'));
    await openRawClient(small, from('2001:db8:1:2:ffff::2'));
    expect(await outcomeOfUpgrade(small.address, from('2001:db8:1:2:3:4:5:6').headers)).toBe(503);
    expect(await outcomeOfUpgrade(small.address, from('2001:db8:1:3::1').headers)).toBe(101);
    await small.stop();
  });

  test('protocol 9: closes a client’s extra connection with 4004, whether bound or signed in', async () => {
    const small = await startTestChannelServer({ limits: { connectionsPerUser: 2 } });
    const bound = { session: 'abc', clientId: '7' };
    const clients = [];
    for (let number = 0; number < 3; number++) {
      const client = await openRawClient(small);
      small.channels.bind(client.socketId, bound);
      clients.push(client);
    }
    expect(await clients[2]?.closed).toBe(4004);
    for (const client of clients.slice(0, 2)) client.signIn('8');
    const another = await openRawClient(small);
    another.signIn('8');
    expect(await another.closed).toBe(4004);
    expect(small.channels.counts().connections).toBe(2);
    await small.stop();
  });
});
