import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publish } from './channels/publish.ts';
import { checkLiveness } from './connection/liveness.ts';
import { announceWholeState } from './servers/announce.ts';
import { removeServer } from './servers/handle-server-message.ts';
import { terminateUser } from './servers/terminate-user.ts';
import {
  createFakeSockets,
  exchangeServerMessages,
  type FakeSockets,
  type ReceivedFrame,
} from './testing/fake-sockets.ts';

/*
 * Compares two servers with a simple model of sets: after every step, exactly the current subscribers of a channel
 * receive its events, and the member lists that clients derive from their frames are correct.
 */

/** The user of each socket. Sockets 0 to 2 are on server a, the others on b; user 1 is on both, and twice on a. */
const users = ['1', '1', '__proto__', '1', '2', '2'];
const channels = ['open', 'private-a', 'presence-a', 'presence-b'];
const socketNumber = fc.nat(5);
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('connect' as const), socket: socketNumber }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('subscribe' as const, 'subscribe' as const, 'unsubscribe' as const),
      socket: socketNumber,
      channel: fc.constantFrom(...channels),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), socket: socketNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign-in' as const), socket: socketNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('terminate' as const), user: fc.constantFrom(...users) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('server-lost-and-found' as const) }) },
);

interface ModelSocket {
  id: string;
  user: string;
  isSignedIn: boolean;
  channels: Set<string>;
  /** For each presence channel, the members according to the frames it received. */
  knownMembers: Map<string, Set<string>>;
}

test('events and member lists are correct on two servers after any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const options = { limits: { framesPerWindow: 1000 } };
      const servers = { a: createFakeSockets(options), b: createFakeSockets(options) };
      const model = new Map<number, ModelSocket>();
      const serverOf = (number: number): FakeSockets => (number < 3 ? servers.a : servers.b);
      const remove = (number: number) => model.delete(number);
      let connected = 0;

      for (const action of operations) {
        if (action.kind === 'terminate') {
          servers.a.applyEffects(terminateUser(servers.a.registry, action.user));
          for (const [number, socket] of model) {
            const isKnown =
              socket.isSignedIn || [...socket.channels].some((name) => name.startsWith('presence-'));
            if (isKnown && socket.user === action.user) remove(number);
          }
        } else if (action.kind === 'server-lost-and-found') {
          // Server a considers b dead after a silence; then b sends its whole state.
          servers.a.applyEffects(removeServer(servers.a.registry, 'b'));
          announceWholeState(servers.b.registry);
        } else {
          const { socket: number } = action;
          const server = serverOf(number);
          const socket = model.get(number);
          const user = users[number] ?? '';
          if (action.kind === 'connect' && !socket) {
            const id = server.connect(`${number}.${++connected}`);
            model.set(number, { id, user, isSignedIn: false, channels: new Set(), knownMembers: new Map() });
          } else if (socket && action.kind === 'disconnect') {
            server.disconnect(socket.id);
            remove(number);
          } else if (socket && action.kind === 'sign-in') {
            server.signIn(socket.id, user);
            socket.isSignedIn = true;
          } else if (socket && action.kind === 'subscribe') {
            const isPresence = action.channel.startsWith('presence-');
            server.subscribe(socket.id, action.channel, isPresence ? { user_id: user } : null);
            socket.channels.add(action.channel);
          } else if (socket && action.kind === 'unsubscribe') {
            server.send(socket.id, { event: 'pusher:unsubscribe', data: { channel: action.channel } });
            socket.channels.delete(action.channel);
            socket.knownMembers.delete(action.channel);
          }
        }
        exchangeServerMessages(servers);
        for (const [number, socket] of model) {
          for (const frame of serverOf(number).takeFrames(socket.id)) updateKnownMembers(socket, frame);
        }
        expectMatch(servers, model, serverOf);
      }

      for (const [number, socket] of model) serverOf(number).disconnect(socket.id);
      exchangeServerMessages(servers);
      for (const { registry } of Object.values(servers)) {
        expect([registry.connections.size, registry.channels.size, registry.users.size]).toEqual([0, 0, 0]);
      }
    }),
    { numRuns: 200 },
  );
});

function expectMatch(
  servers: Record<string, FakeSockets>,
  model: Map<number, ModelSocket>,
  serverOf: (number: number) => FakeSockets,
) {
  for (const channel of channels) {
    const subscribers = [...model.values()].filter((socket) => socket.channels.has(channel));
    const present = new Set(subscribers.map((socket) => socket.user));
    for (const socket of subscribers) {
      if (channel.startsWith('presence-')) expect(socket.knownMembers.get(channel)).toEqual(present);
    }
    const [publisher] = Object.values(servers);
    publisher?.applyEffects(publish(publisher.registry, { channels: [channel], event: 'updated', data: '' }));
    exchangeServerMessages(servers);
    for (const [number, socket] of model) {
      expect(serverOf(number).takeFrames(socket.id)).toHaveLength(socket.channels.has(channel) ? 1 : 0);
    }
  }
  for (const server of Object.values(servers)) {
    for (const channel of server.registry.channels.values()) {
      expect(channel.subscribers.size + (channel.members?.size ?? 0)).toBeGreaterThan(0);
    }
    expect(checkLiveness(server.registry, server.now())).toEqual([]);
  }
}

/** Updates the member list as pusher-js does. A duplicate join, or a leave without a join, is a server error. */
function updateKnownMembers(socket: ModelSocket, frame: ReceivedFrame) {
  const data = frame.data as { presence?: { ids: string[] }; user_id?: string };
  const channel = frame.channel ?? '';
  const members = socket.knownMembers.get(channel);
  if (frame.event === 'pusher_internal:subscription_succeeded' && data.presence) {
    expect(new Set(data.presence.ids).size).toBe(data.presence.ids.length);
    socket.knownMembers.set(channel, new Set(data.presence.ids));
  } else if (frame.event === 'pusher_internal:member_added') {
    expect(members?.has(data.user_id ?? '')).toBe(false);
    members?.add(data.user_id ?? '');
  } else if (frame.event === 'pusher_internal:member_removed') {
    expect(members?.delete(data.user_id ?? '')).toBe(true);
  }
}
