import { heapUsed } from '@keyturn/testkit/heap-used.ts';
import { runLength } from '@keyturn/testkit/run-length.ts';
import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openRawClient } from '../../testing/real-time/channel-test-clients.ts';
import {
  startTestChannelServer,
  type TestChannelServer,
} from '../../testing/real-time/channel-test-server.ts';

const connections = runLength({ short: 1_500, long: 9_000 });

describe('protocol 17: the memory of the real-time server', () => {
  test('fault 73: frees all state and memory of thousands of connections that subscribed and were terminated', async () => {
    const server = await startTestChannelServer({ intervals: { sessionCheckEvery: 50 } });
    // The first rounds warm up caches, which is not a leak.
    await connectAndTerminate(server, 1_000);
    const before = heapUsed();
    await connectAndTerminate(server, connections);
    const growth = heapUsed() - before;
    expect(server.channels.counts()).toEqual({
      connections: 0,
      channels: 0,
      users: 0,
      sessions: 0,
      servers: 0,
    });
    expect(growth).toBeLessThan(Math.min(4_000_000, connections * 1_000));
    await server.stop();
  });
});

async function connectAndTerminate(server: TestChannelServer, times: number): Promise<void> {
  let left = times;
  const worker = async () => {
    while (left-- > 0) await connectOnce(server, left);
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  await expect.poll(() => server.channels.counts().connections, { timeout: 10_000 }).toBe(0);
}

/**
 * Terminates each connection. One in twenty signs in, is bound to a session and subscribes to all kinds of channels.
 */
async function connectOnce(server: TestChannelServer, number: number): Promise<void> {
  if (number % 20 === 0) {
    const client = await openRawClient(server);
    client.signIn(`user-${number % 7}`);
    client.subscribe(`private-case.${number}`);
    client.subscribe('presence-room', { user_id: String(number % 50) });
    server.channels.bind(client.socketId, { session: `session-${number}`, clientId: `client-${number}` });
    await client.processed();
    client.socket.terminate();
    return;
  }
  await new Promise<void>((resolve) => {
    const socket = new WebSocket(server.address);
    socket.on('message', (bytes) => {
      if (String(bytes).includes('connection_established')) {
        socket.send(`{"event":"pusher:subscribe","data":{"channel":"orders-${number}"}}`);
      } else socket.terminate();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => {});
  });
}
