import { describe, expect, test } from 'vitest';
import { publish } from '../channels/publish.ts';
import { terminateUser } from '../servers/terminate-user.ts';
import { createFakeSockets, testApp } from '../testing/fake-sockets.ts';
import { signUser } from './signatures.ts';

describe('sign-in', () => {
  test('protocol 28: confirms a sign-in with the signed data, even after a reconnection', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.signIn(a, '7');
    expect(server.takeRawFrames(a)).toEqual([
      '{"event":"pusher:signin_success","data":"{\\"user_data\\":\\"{\\\\\\"id\\\\\\":\\\\\\"7\\\\\\"}\\"}"}',
    ]);
    server.disconnect(a);
    const b = server.connect();
    server.signIn(b, '7');
    server.signIn(b, '7');
    expect(server.takeFrames(b).map((frame) => frame.event)).toEqual([
      'pusher:signin_success',
      'pusher:signin_success',
    ]);
    expect(server.registry.users).toEqual(new Map([['7', new Set([b])]]));
  });

  test('protocol 28: rejects a signature for another socket and still accepts the right one', () => {
    const server = createFakeSockets();
    const a = server.connect();
    const wrong = [
      signUser(testApp, '9.9', '{"id":"7"}'),
      { ...signUser(testApp, a, '{"id":"7"}'), user_data: '{"id":"8"}' },
      { auth: 'key:', user_data: '{"id":"7"}' },
    ];
    for (const data of wrong) {
      server.send(a, { event: 'pusher:signin', data });
      expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error', data: { code: 4009 } }]);
    }
    expect(server.registry.users.size).toBe(0);
    server.signIn(a, '7');
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:signin_success' }]);
    expect(server.closed.size).toBe(0);
  });

  test('protocol 28: accepts a numeric id in user_data as text', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.send(a, { event: 'pusher:signin', data: signUser(testApp, a, '{"id":7}') });
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:signin_success' }]);
    expect([...server.registry.users]).toEqual([['7', new Set([a])]]);
    server.subscribe(a, '#server-to-user-7');
    expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher_internal:subscription_succeeded' }]);
  });

  test.each(['{"id":7.5}', '{"id":""}', '{}', 'null', '["7"]', 'not json', `{"id":"${'a'.repeat(129)}"}`])(
    'protocol 28: rejects signed user_data without a valid id: %s',
    (userData) => {
      const server = createFakeSockets();
      const a = server.connect();
      server.send(a, { event: 'pusher:signin', data: signUser(testApp, a, userData) });
      expect(server.takeFrames(a)).toMatchObject([{ event: 'pusher:error', data: { code: 4009 } }]);
      expect(server.registry.users.size).toBe(0);
    },
  );

  test('accepts only one user for each connection', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.signIn(a, '7');
    server.signIn(a, '8');
    expect(server.takeFrames(a)).toMatchObject([
      { event: 'pusher:signin_success' },
      { event: 'pusher:error', data: { code: 4009 } },
    ]);
    expect(server.registry.connections.get(a)?.user?.id).toBe('7');
  });

  test('protocol 9: closes the eleventh signed-in connection of a user with 4004', () => {
    const server = createFakeSockets();
    const sockets = Array.from({ length: 11 }, () => server.connect());
    for (const socket of sockets) server.signIn(socket, '7');
    expect([...server.closed]).toEqual([[sockets[10], 4004]]);
    server.disconnect(sockets[0] ?? '');
    server.signIn(server.connect(), '7');
    expect(server.closed.size).toBe(1);
  });
});

describe('user channel', () => {
  test('protocol 29: rejects a user channel before sign-in and for other users', () => {
    const server = createFakeSockets();
    const [a, b] = [server.connect(), server.connect()];
    server.subscribe(a, '#server-to-user-7');
    server.signIn(b, '8');
    server.subscribe(b, '#server-to-user-7');
    expect(server.takeFrames(a)).toMatchObject([
      { event: 'pusher:subscription_error', data: { status: 403 } },
    ]);
    expect(server.takeFrames(b)).toMatchObject([
      { event: 'pusher:signin_success' },
      { event: 'pusher:subscription_error', data: { status: 403 } },
    ]);
    expect(server.registry.channels.size).toBe(0);
  });

  test('protocol 30: delivers an event on a user channel to all of the user’s connections and no others', () => {
    const server = createFakeSockets();
    const sockets = ['7', '7', '8'].map((user) => {
      const socket = server.connect();
      server.signIn(socket, user);
      server.subscribe(socket, `#server-to-user-${user}`);
      server.takeFrames(socket);
      return socket;
    });
    server.applyEffects(
      publish(server.registry, { channels: ['#server-to-user-7'], event: 'updated', data: '{"a":1}' }),
    );
    expect(sockets.map((socket) => server.takeFrames(socket).length)).toEqual([1, 1, 0]);
  });
});

describe('terminateUser', () => {
  test('protocol 30: terminates a connection that is known by its presence alone', () => {
    const server = createFakeSockets();
    const [present, other] = [server.connect(), server.connect()];
    for (const room of ['presence-a', 'presence-b']) server.subscribe(present, room, { user_id: '7' });
    server.subscribe(other, 'presence-a', { user_id: '8' });
    server.applyEffects(terminateUser(server.registry, '7'));
    expect([...server.closed]).toEqual([[present, 4009]]);
  });

  test('protocol 30: closes all connections of a user and notifies the other servers', () => {
    const server = createFakeSockets();
    const sockets = ['7', '7', '8'].map((user) => {
      const socket = server.connect();
      server.signIn(socket, user);
      return socket;
    });
    server.applyEffects(terminateUser(server.registry, '7'));
    expect([...server.closed]).toEqual([
      [sockets[0], 4009],
      [sockets[1], 4009],
    ]);
    expect(server.serverMessages).toEqual([{ kind: 'terminate-user', userId: '7', code: 4009 }]);
    expect([...server.registry.connections.keys()]).toEqual([sockets[2]]);
  });

  test('protocol 48: sends nothing to a user after sign-out', () => {
    const server = createFakeSockets();
    const a = server.connect();
    server.signIn(a, '7');
    server.subscribe(a, 'private-case.9');
    server.takeFrames(a);
    server.applyEffects(terminateUser(server.registry, '7'));
    server.applyEffects(
      publish(server.registry, { channels: ['private-case.9'], event: 'updated', data: '' }),
    );
    expect(server.send(a, { event: 'pusher:ping' })).toEqual([]);
    expect(server.takeFrames(a)).toEqual([]);
    expect(server.registry.channels.size).toBe(0);
  });
});
