import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { publish } from '../channels/publish.ts';
import { createFakeSockets, exchangeServerMessages } from '../testing/fake-sockets.ts';
import { handleServerMessage, listLocalMembers, removeServer } from './handle-server-message.ts';
import { readServerMessage, type ServerMessage } from './server-messages.ts';
import { terminateUser } from './terminate-user.ts';

const room = 'presence-room';
const twoServers = () => ({ a: createFakeSockets(), b: createFakeSockets() });

describe('two servers', () => {
  test('protocol 46: two servers deliver an event to the subscribers of both, except its cause', () => {
    const servers = twoServers();
    const { a, b } = servers;
    const [onA, onB, origin] = [a.connect('1.1'), b.connect('2.1'), b.connect('2.2')];
    a.subscribe(onA, 'orders');
    for (const socket of [onB, origin]) b.subscribe(socket, 'orders');
    for (const socket of [onB, origin]) b.takeFrames(socket);
    a.takeFrames(onA);
    a.applyEffects(publish(a.registry, { channels: ['orders'], event: 'updated', data: '', except: origin }));
    exchangeServerMessages(servers);
    expect([a.takeFrames(onA).length, b.takeFrames(onB).length, b.takeFrames(origin).length]).toEqual([
      1, 1, 0,
    ]);
  });

  test('protocol 46: two servers share one member list and announce each user once', () => {
    const servers = twoServers();
    const { a, b } = servers;
    const [anna, annaOnB, ben] = [a.connect('1.1'), b.connect('2.1'), b.connect('2.2')];
    b.subscribe(ben, room, { user_id: '8' });
    exchangeServerMessages(servers);
    a.subscribe(anna, room, { user_id: '7', user_info: { name: 'Anna' } });
    expect(a.takeFrames(anna)[0]?.data).toMatchObject({ presence: { count: 2, ids: ['8', '7'] } });
    exchangeServerMessages(servers);
    b.subscribe(annaOnB, room, { user_id: '7' });
    exchangeServerMessages(servers);
    expect(b.takeFrames(ben).slice(1)).toEqual([
      {
        event: 'pusher_internal:member_added',
        channel: room,
        data: { user_id: '7', user_info: { name: 'Anna' } },
      },
    ]);
    a.disconnect(anna);
    exchangeServerMessages(servers);
    expect(b.takeFrames(ben)).toEqual([]);
    b.disconnect(annaOnB);
    expect(b.takeFrames(ben)).toMatchObject([
      { event: 'pusher_internal:member_removed', data: { user_id: '7' } },
    ]);
    b.disconnect(ben);
    exchangeServerMessages(servers);
    expect([a.registry.channels.size, b.registry.channels.size]).toEqual([0, 0]);
  });

  test('protocol 46: two servers both close the connections of a terminated user', () => {
    const servers = twoServers();
    const { a, b } = servers;
    a.signIn(a.connect('1.1'), '7');
    b.signIn(b.connect('2.1'), '7');
    b.signIn(b.connect('2.2'), '8');
    a.applyEffects(terminateUser(a.registry, '7', 1001));
    exchangeServerMessages(servers);
    expect([...a.closed, ...b.closed]).toEqual([
      ['1.1', 1001],
      ['2.1', 1001],
    ]);
    expect(a.serverMessages.concat(b.serverMessages)).toEqual([]);
  });

  test('protocol 46: removes the members of a dead server unless they are also connected here', () => {
    const servers = twoServers();
    const { a, b } = servers;
    const [anna, annaOnB, ben] = [a.connect('1.1'), b.connect('2.1'), b.connect('2.2')];
    a.subscribe(anna, room, { user_id: '7' });
    b.subscribe(annaOnB, room, { user_id: '7' });
    b.subscribe(ben, room, { user_id: '8' });
    b.subscribe(ben, 'presence-elsewhere', { user_id: '8' });
    exchangeServerMessages(servers);
    a.takeFrames(anna);
    a.applyEffects(removeServer(a.registry, 'b'));
    a.applyEffects(removeServer(a.registry, 'b'));
    expect(a.takeFrames(anna)).toMatchObject([
      { event: 'pusher_internal:member_removed', data: { user_id: '8' } },
    ]);
    expect([...a.registry.channels.keys()]).toEqual([room]);
  });

  test('protocol 46: brings a new server up to date, and ignores duplicate messages', () => {
    const servers = twoServers();
    const { a, b } = servers;
    a.subscribe(a.connect('1.1'), room, { user_id: '7' });
    a.subscribe(a.connect('1.2'), room, { user_id: '8' });
    const late = createFakeSockets();
    for (let delivery = 0; delivery < 2; delivery++) {
      for (const message of listLocalMembers(a.registry))
        late.applyEffects(handleServerMessage(late.registry, 'a', message));
    }
    const socket = late.connect('3.1');
    late.subscribe(socket, room, { user_id: '9' });
    expect(late.takeFrames(socket)[0]?.data).toMatchObject({ presence: { count: 3, ids: ['7', '8', '9'] } });
    expect(listLocalMembers(late.registry)).toMatchObject([{ userId: '9' }]);
    expect(listLocalMembers(b.registry)).toEqual([]);
  });
});

describe('readServerMessage', () => {
  const messages: ServerMessage[] = [
    { kind: 'event', channels: ['a'], event: 'updated', data: '', except: '1.1', userId: null },
    { kind: 'member-joined', channel: room, userId: '7', info: 'null' },
    { kind: 'member-left', channel: room, userId: '7' },
    { kind: 'terminate-user', userId: '7', code: 4009 },
  ];
  test.each(messages)('reads a $kind message unchanged', (message) => {
    expect(readServerMessage(JSON.stringify(message))).toEqual(message);
  });

  test.each([
    '',
    '{}',
    '[]',
    '{"kind":"event","channels":"a","event":"e","data":""}',
    '{"kind":"event","channels":[7],"event":"e","data":""}',
    '{"kind":"event","channels":["a"],"event":"e"}',
    '{"kind":"member-joined","channel":"presence-a","userId":"7"}',
    '{"kind":"member-joined","channel":"presence-a","userId":"7","info":"}{"}',
    '{"kind":"member-left","channel":"presence-a"}',
    '{"kind":"terminate-user","userId":"7"}',
    '{"kind":"terminate-user","userId":"7","code":4200}',
    '{"kind":"terminate-user","userId":"7","code":1006}',
    '{"kind":"other","userId":"7","channel":"a"}',
  ])('rejects an invalid server message: %s', (text) => {
    expect(readServerMessage(text)).toBeUndefined();
  });

  test('reads any text without throwing, and handles every valid message', () => {
    const server = createFakeSockets();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .dictionary(
              fc.constantFrom('kind', 'channels', 'channel', 'event', 'data', 'userId', 'info', 'code'),
              fc.oneof(
                fc.constantFrom('event', 'member-joined', 'member-left', 'terminate-user', room, '{}'),
                fc.jsonValue(),
              ),
            )
            .map((fields) => JSON.stringify(fields)),
        ),
        (text) => {
          const message = readServerMessage(text);
          if (message) handleServerMessage(server.registry, 'other', message);
        },
      ),
      { numRuns: 1_000 },
    );
    server.applyEffects(removeServer(server.registry, 'other'));
    expect(server.registry.channels.size).toBe(0);
  });
});
