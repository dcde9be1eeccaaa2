import { expect, test } from 'vitest';
import { hasCapacityFor } from './connection/open-and-close.ts';
import { createFakeSockets } from './testing/fake-sockets.ts';

test('protocol 9: limits connections in total and for each IP address', () => {
  const server = createFakeSockets({ limits: { connections: 4, connectionsPerAddress: 2 } });
  const first = server.connect('1.1', 'a');
  server.connect('1.2', 'a');
  server.connect('1.3', 'b');
  expect(hasCapacityFor(server.registry, 'a')).toBe(false);
  expect(hasCapacityFor(server.registry, 'b')).toBe(true);
  server.disconnect(first);
  server.disconnect(first);
  expect(hasCapacityFor(server.registry, 'a')).toBe(true);
  server.connect('1.4', null);
  server.connect('1.5', null);
  expect(hasCapacityFor(server.registry, 'a')).toBe(false);
  expect(hasCapacityFor(server.registry, null)).toBe(false);
});

test('protocol 17: leaves nothing in the registry after 10,000 connections subscribed and disconnected', () => {
  const server = createFakeSockets();
  for (let round = 0; round < 10_000; round++) {
    const socket = server.connect(`1.${round}`, `address-${round % 100}`);
    server.signIn(socket, String(round % 50));
    server.subscribe(socket, 'status');
    server.subscribe(socket, `private-case.${round}`);
    server.subscribe(socket, 'presence-room', { user_id: String(round % 70) });
    server.subscribe(socket, `#server-to-user-${round % 50}`);
    if (round % 3 === 0) server.send(socket, { event: 'pusher:unsubscribe', data: { channel: 'status' } });
    if (round >= 5) server.disconnect(`1.${round - 5}`);
  }
  expect(server.registry.connections.size).toBe(5);
  for (let round = 9_995; round < 10_000; round++) server.disconnect(`1.${round}`);
  const { connections, channels, users, addresses } = server.registry;
  expect([connections.size, channels.size, users.size, addresses.size]).toEqual([0, 0, 0, 0]);
});
