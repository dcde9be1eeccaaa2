import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { publish } from '../channels/publish.ts';
import { handleHttpApiRequest } from '../http-api/http-api.ts';
import { signHttpRequest } from '../http-api/request-signatures.ts';
import {
  createFakeSockets,
  exchangeServerMessages,
  type FakeSockets,
  takeServerMessages,
  testApp,
} from '../testing/fake-sockets.ts';
import { announceWholeState, createHeartbeat } from './announce.ts';
import { handleServerMessage, removeServer } from './handle-server-message.ts';
import { readServerMessage, type ServerMessage } from './server-messages.ts';
import { terminateUser } from './terminate-user.ts';

const room = 'presence-room';
const twoServers = () => ({ a: createFakeSockets(), b: createFakeSockets() });

describe('two servers', () => {
  test('protocol 46: two servers deliver an event to the subscribers of both, except its sender', () => {
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
    const { a } = servers;
    const [anna, ben] = [a.connect('1.1'), a.connect('1.2')];
    a.subscribe(anna, room, { user_id: '7' });
    a.subscribe(ben, room, { user_id: '8' });
    exchangeServerMessages(servers);
    announceWholeState(a.registry);
    const messages = takeServerMessages(a);
    const late = createFakeSockets();
    for (const message of [...messages, ...messages]) {
      late.applyEffects(handleServerMessage(late.registry, 'a', message));
    }
    const socket = late.connect('3.1');
    late.subscribe(socket, room, { user_id: '9' });
    expect(late.takeFrames(socket)[0]?.data).toMatchObject({ presence: { count: 3, ids: ['7', '8', '9'] } });
    expect(takeServerMessages(late)).toMatchObject([{ joined: [['9', 'null']] }, { kind: 'sizes' }]);
  });

  test('counts connections, subscriptions and occupied channels on both', () => {
    const servers = twoServers();
    const { a, b } = servers;
    const [onA, onB] = [a.connect('1.1'), b.connect('2.1')];
    a.subscribe(onA, 'orders');
    b.subscribe(onB, 'orders');
    b.subscribe(onB, 'only-b');
    b.serverMessages.push(createHeartbeat(b.registry));
    exchangeServerMessages(servers);
    const get = (path: string) => {
      const query = signHttpRequest(
        testApp,
        { method: 'GET', path, parameters: { info: 'subscription_count' } },
        0,
      );
      const body = new Uint8Array();
      return JSON.parse(
        handleHttpApiRequest(a.registry, { method: 'GET', path, query, body }, 0).body,
      ) as object;
    };
    expect(get('/apps/42/connections')).toEqual({ connections: 2 });
    expect(get('/apps/42/channels/orders')).toEqual({ occupied: true, subscription_count: 2 });
    expect(get('/apps/42/channels')).toEqual({
      channels: { orders: { subscription_count: 2 }, 'only-b': { subscription_count: 1 } },
    });
    b.disconnect(onB);
    exchangeServerMessages(servers);
    expect(get('/apps/42/channels/only-b')).toEqual({ occupied: false });
    a.applyEffects(removeServer(a.registry, 'b'));
    expect(get('/apps/42/connections')).toEqual({ connections: 1 });
  });
});

describe('lost and delayed messages', () => {
  /** Subscribes connections that each are a different member of a room. */
  const join = (server: FakeSockets, from: number, to: number, rooms = 200) => {
    for (let id = from; id < to; id++) {
      const socket = server.connect(`${id}.1`, null);
      server.subscribe(socket, `presence-${id % rooms}`, { user_id: String(id) });
    }
  };
  const leave = (server: FakeSockets, from: number, to: number) => {
    for (let id = from; id < to; id++) server.disconnect(`${id}.1`);
  };
  /** Lists the members that a server knows of another, without its own ones. */
  const membersOf = (server: FakeSockets, other: string) =>
    [...(server.registry.servers.get(other)?.channels.values() ?? [])]
      .flatMap(({ members }) => [...members.keys()])
      .sort();
  const ids = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => String(from + index)).sort();
  /** Delivers a heartbeat of server a to server b. */
  const beat = ({ a, b }: ReturnType<typeof twoServers>) =>
    b.applyEffects(handleServerMessage(b.registry, 'a', createHeartbeat(a.registry)));

  test('announces neither a member who joined and left since the last announcement nor one who left and rejoined', () => {
    const servers = twoServers();
    const { a } = servers;
    join(a, 0, 2);
    exchangeServerMessages(servers);
    join(a, 2, 4);
    leave(a, 0, 4);
    join(a, 0, 1);
    expect(takeServerMessages(a)).toEqual([
      { kind: 'members', channel: 'presence-1', joined: [], left: ['1'] },
      { kind: 'sizes', channels: [['presence-1', 0]] },
    ]);
  });

  test('announces every difference after more changes than it can track', () => {
    const servers = twoServers();
    const { a, b } = servers;
    // In small rooms, so that each change is sent to few members.
    const rooms = 4_000;
    join(a, 0, 8_000, rooms);
    exchangeServerMessages(servers);
    expect(membersOf(b, 'a')).toEqual(ids(0, 8_000));
    // The transport is down meanwhile.
    leave(a, 0, 7_000);
    join(a, 8_000, 13_000, rooms);
    exchangeServerMessages(servers);
    expect(membersOf(b, 'a')).toEqual(ids(7_000, 13_000));
    beat(servers);
    expect(b.requestedStates).toEqual([]);
    leave(a, 7_000, 13_000);
    exchangeServerMessages(servers);
    expect(b.registry.channels.size).toBe(0);
  });

  test.each([3, 40, 77])(
    'repairs the copy of another server’s state after a heartbeat if message %i was lost',
    (lost) => {
      const servers = twoServers();
      const { a, b } = servers;
      join(a, 0, 1_000);
      exchangeServerMessages(servers);
      beat(servers);
      expect(b.requestedStates).toEqual([]);
      leave(a, 0, 300);
      join(a, 1_000, 1_200);
      const deliver = (skip = -1) => {
        for (const [at, message] of takeServerMessages(a).entries()) {
          if (at !== skip) b.applyEffects(handleServerMessage(b.registry, 'a', message));
        }
      };
      deliver(lost);
      expect(membersOf(b, 'a')).not.toEqual(ids(300, 1_200));
      beat(servers);
      expect(b.requestedStates).toEqual(['a']);
      announceWholeState(a.registry);
      // The copies differ while the state is on its way, which is no reason to request it again.
      beat(servers);
      expect(b.requestedStates).toEqual(['a']);
      deliver();
      expect(membersOf(b, 'a')).toEqual(ids(300, 1_200));
      beat(servers);
      expect(b.requestedStates).toEqual(['a']);
    },
  );

  test('detects that the end of a full state transfer was lost', () => {
    const servers = twoServers();
    const { a, b } = servers;
    join(a, 0, 100);
    exchangeServerMessages(servers);
    // The member has left, but the other server does not know.
    leave(a, 0, 1);
    takeServerMessages(a);
    announceWholeState(a.registry);
    for (const message of takeServerMessages(a)) {
      if (message.kind !== 'state-end') b.applyEffects(handleServerMessage(b.registry, 'a', message));
    }
    beat(servers);
    expect(b.requestedStates).toEqual(['a']);
  });

  test('sends clients no presence changes when another server repeats an unchanged state', () => {
    const servers = twoServers();
    const { a, b } = servers;
    join(a, 0, 400);
    exchangeServerMessages(servers);
    const watching = b.connect('5000.1');
    b.subscribe(watching, 'presence-7', { user_id: 'watching' });
    b.takeFrames(watching);
    announceWholeState(a.registry);
    exchangeServerMessages(servers);
    expect(b.takeFrames(watching)).toEqual([]);
  });
});

describe('readServerMessage', () => {
  const messages: ServerMessage[] = [
    { kind: 'event', channels: ['a'], event: 'updated', data: '', except: '1.1', userId: null },
    { kind: 'members', channel: room, joined: [['7', 'null']], left: ['8'] },
    { kind: 'sizes', channels: [['orders', 2]] },
    { kind: 'state-start' },
    { kind: 'state-end' },
    { kind: 'heartbeat', digest: '0', connections: 7 },
    { kind: 'heartbeat', digest: null, connections: 0 },
    { kind: 'terminate-user', userId: '7', code: 4009 },
  ];
  test.each(messages)('reads a $kind message of another server unchanged', (message) => {
    expect(readServerMessage(JSON.stringify(message))).toEqual(message);
  });

  test.each([
    '',
    '{}',
    '[]',
    '{"kind":"event","channels":"a","event":"e","data":""}',
    '{"kind":"event","channels":[7],"event":"e","data":""}',
    '{"kind":"event","channels":["a"],"event":"e"}',
    '{"kind":"members","channel":"presence-a","joined":[["7"]],"left":[]}',
    '{"kind":"members","channel":"presence-a","joined":[["7","}{"]],"left":[]}',
    '{"kind":"members","channel":"presence-a","joined":[]}',
    '{"kind":"members","joined":[],"left":[]}',
    '{"kind":"sizes","channels":[["orders",-1]]}',
    '{"kind":"sizes","channels":{"orders":1}}',
    '{"kind":"heartbeat","connections":1}',
    '{"kind":"heartbeat","digest":"0","connections":"1"}',
    '{"kind":"constructor"}',
    '{"kind":"terminate-user","userId":"7"}',
    '{"kind":"terminate-user","userId":"7","code":4200}',
    '{"kind":"terminate-user","userId":"7","code":1006}',
    '{"kind":"other","userId":"7","channel":"a"}',
  ])('rejects an invalid server message: %s', (text) => {
    expect(readServerMessage(text)).toBeUndefined();
  });

  test('parses any text without throwing, and handles every valid message', () => {
    const server = createFakeSockets();
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc
            .dictionary(
              fc.constantFrom(
                'kind',
                'channels',
                'channel',
                'event',
                'data',
                'userId',
                'joined',
                'left',
                'code',
              ),
              fc.oneof(
                fc.constantFrom(
                  'event',
                  'members',
                  'sizes',
                  'state-start',
                  'heartbeat',
                  'terminate-user',
                  room,
                  '{}',
                ),
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
