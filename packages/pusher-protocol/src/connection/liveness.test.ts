import { describe, expect, test } from 'vitest';
import { receiveControlFrame } from '../messages/receive.ts';
import { createFakeSockets, type FakeSockets } from '../testing/fake-sockets.ts';
import { checkLiveness, drainConnections } from './liveness.ts';
import { openConnection } from './open-and-close.ts';

/** Advances the clock and checks liveness every second. */
const runFor = (server: FakeSockets, seconds: number) => {
  for (let second = 0; second < seconds; second++) {
    server.advance(1_000);
    server.applyEffects(checkLiveness(server.registry, server.now()));
  }
};

describe('handshake', () => {
  test('protocol 4: sends the socket id and an activity timeout above zero in the handshake', () => {
    const server = createFakeSockets();
    expect(openConnection(server.registry, '123.456', 0)).toEqual([
      {
        kind: 'send',
        to: ['123.456'],
        frame:
          '{"event":"pusher:connection_established","data":"{\\"socket_id\\":\\"123.456\\",\\"activity_timeout\\":30}"}',
      },
    ]);
  });

  test('protocol 4: answers a ping with a pong', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, '{"event":"pusher:ping","data":{}}');
    expect(server.takeRawFrames(a)).toEqual(['{"event":"pusher:pong","data":{}}']);
  });

  test('throws if a socket id is already in use', () => {
    const server = createFakeSockets();
    server.connect('1.1');
    expect(() => openConnection(server.registry, '1.1', 0)).toThrow('in use');
  });
});

describe('silent clients', () => {
  test('protocol 6: pings a silent client after 25 s and 50 s, and closes with 1001 after 75 s', () => {
    const server = createFakeSockets();
    const a = server.connect();
    runFor(server, 24);
    expect(server.takeFrames(a)).toEqual([]);
    runFor(server, 1);
    expect(server.takeRawFrames(a)).toEqual(['{"event":"pusher:ping","data":{}}']);
    runFor(server, 24);
    expect(server.takeFrames(a)).toEqual([]);
    runFor(server, 25);
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:ping' }]);
    expect(server.closed.size).toBe(0);
    runFor(server, 1);
    expect([...server.closed]).toEqual([[a, 1001]]);
  });

  test('protocol 6: keeps a client connected while it answers pings', () => {
    const server = createFakeSockets();
    const a = server.connect();
    for (let minute = 0; minute < 10; minute++) {
      runFor(server, 60);
      server.send(a, { event: 'pusher:pong', data: {} });
    }
    expect(server.closed.size).toBe(0);
  });

  test('protocol 7: counts WebSocket pings and pongs as activity', () => {
    const server = createFakeSockets();
    const [a, silent] = [server.connect(), server.connect()];
    for (let round = 0; round < 5; round++) {
      runFor(server, 20);
      receiveControlFrame(server.registry, a, server.now());
    }
    expect([...server.closed.keys()]).toEqual([silent]);
    expect(server.takeFrames(a)).toEqual([]);
  });

  test('protocol 27: removes a silent member from a presence channel within 75 s', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    server.subscribe(a, 'presence-room', { user_id: '7' });
    server.subscribe(b, 'presence-room', { user_id: '8' });
    for (let round = 0; round < 8; round++) {
      runFor(server, 10);
      server.send(a, { event: 'pusher:pong', data: {} });
    }
    expect(server.takeFrames(a).at(-1)).toMatchObject({
      event: 'pusher_internal:member_removed',
      data: { user_id: '8' },
    });
  });

  test('pings clients before it closes them after the server itself was paused', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.advance(3_600_000);
    runFor(server, 24);
    expect(server.takeFrames(a)).toHaveLength(1);
    expect(server.closed.size).toBe(0);
  });
});

test('protocol 45: drains all connections in steps with 1001', () => {
  const server = createFakeSockets();
  for (let number = 0; number < 1000; number++) server.connect();
  const sizes: number[] = [];
  for (let stepsLeft = 10; stepsLeft > 0; stepsLeft--) {
    server.applyEffects(drainConnections(server.registry, 1 / stepsLeft));
    sizes.push(server.closed.size);
  }
  expect(sizes).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
  expect(new Set(server.closed.values())).toEqual(new Set([1001]));
  expect(server.registry.connections.size).toBe(0);
});
