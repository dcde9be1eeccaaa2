import fc from 'fast-check';
import { expect, test } from 'vitest';
import { publish } from './channels/publish.ts';
import { checkLiveness } from './connection/liveness.ts';
import { listLocalMembers, removeServer, terminateUser } from './servers/server-messages.ts';
import {
  createFakeSockets,
  exchangeServerMessages,
  type FakeSockets,
  type ReceivedFrame,
} from './testing/fake-sockets.ts';

/*
 * Two servers against a model that knows only sets: whoever subscribed and is still there is on the channel, whoever
 * is on the channel hears, and what members believe of each other from their frames is what is so.
 */
/** Who is at each socket. Sockets 0 to 2 are on server a, the others on b; one user is on both, and twice on a. */
const users = ['1', '1', '__proto__', '1', '2', '2'];
const channels = ['open', 'private-a', 'presence-a', 'presence-b'];
const socketNumber = fc.nat(5);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('connect' as const), socket: socketNumber }) },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom('subscribe' as const, 'subscribe' as const, 'unsubscribe' as const),
      socket: socketNumber,
      channel: fc.constantFrom(...channels),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('hang-up' as const), socket: socketNumber }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('sign-in' as const), socket: socketNumber }) },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('terminate' as const), user: fc.constantFrom(...users) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('die-and-return' as const) }) },
);

interface ModelSocket {
  id: string;
  user: string;
  isSignedIn: boolean;
  channels: Set<string>;
  /** The members that its frames have told it of, per presence channel. */
  believed: Map<string, Set<string>>;
}

test('whatever clients do on two servers, everybody hears what they should and knows who is there', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const options = { limits: { framesPerWindow: 1000 } };
      const servers = { a: createFakeSockets(options), b: createFakeSockets(options) };
      const model = new Map<number, ModelSocket>();
      const serverOf = (number: number): FakeSockets => (number < 3 ? servers.a : servers.b);
      const gone = (number: number) => model.delete(number);
      let connected = 0;

      for (const action of steps) {
        if (action.what === 'terminate') {
          servers.a.applyEffects(terminateUser(servers.a.registry, action.user));
          for (const [number, socket] of model) {
            if (socket.isSignedIn && socket.user === action.user) gone(number);
          }
        } else if (action.what === 'die-and-return') {
          // What a sees when b falls silent for a while: it forgets b, then b says again who is there.
          servers.a.applyEffects(removeServer(servers.a.registry, 'b'));
          servers.b.serverMessages.push(...listLocalMembers(servers.b.registry));
        } else {
          const { socket: number } = action;
          const server = serverOf(number);
          const socket = model.get(number);
          const user = users[number] ?? '';
          if (action.what === 'connect' && !socket) {
            const id = server.connect(`${number}.${++connected}`);
            model.set(number, { id, user, isSignedIn: false, channels: new Set(), believed: new Map() });
          } else if (socket && action.what === 'hang-up') {
            server.disconnect(socket.id);
            gone(number);
          } else if (socket && action.what === 'sign-in') {
            server.signIn(socket.id, user);
            socket.isSignedIn = true;
          } else if (socket && action.what === 'subscribe') {
            const isPresence = action.channel.startsWith('presence-');
            server.subscribe(socket.id, action.channel, isPresence ? { user_id: user } : null);
            socket.channels.add(action.channel);
          } else if (socket && action.what === 'unsubscribe') {
            server.send(socket.id, { event: 'pusher:unsubscribe', data: { channel: action.channel } });
            socket.channels.delete(action.channel);
            socket.believed.delete(action.channel);
          }
        }
        exchangeServerMessages(servers);
        for (const [number, socket] of model) {
          for (const frame of serverOf(number).takeFrames(socket.id)) believe(socket, frame);
        }
        compare(servers, model, serverOf);
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

function compare(
  servers: Record<string, FakeSockets>,
  model: Map<number, ModelSocket>,
  serverOf: (number: number) => FakeSockets,
) {
  for (const channel of channels) {
    const listeners = [...model.values()].filter((socket) => socket.channels.has(channel));
    const present = new Set(listeners.map((socket) => socket.user));
    for (const socket of listeners) {
      if (channel.startsWith('presence-')) expect(socket.believed.get(channel)).toEqual(present);
    }
    const [publisher] = Object.values(servers);
    publisher?.applyEffects(publish(publisher.registry, { channels: [channel], event: 'told', data: '' }));
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

/** What pusher-js makes of a frame. A member who comes twice, or goes without having come, is a fault of ours. */
function believe(socket: ModelSocket, frame: ReceivedFrame) {
  const data = frame.data as { presence?: { ids: string[] }; user_id?: string };
  const channel = frame.channel ?? '';
  const members = socket.believed.get(channel);
  if (frame.event === 'pusher_internal:subscription_succeeded' && data.presence) {
    expect(new Set(data.presence.ids).size).toBe(data.presence.ids.length);
    socket.believed.set(channel, new Set(data.presence.ids));
  } else if (frame.event === 'pusher_internal:member_added') {
    expect(members?.has(data.user_id ?? '')).toBe(false);
    members?.add(data.user_id ?? '');
  } else if (frame.event === 'pusher_internal:member_removed') {
    expect(members?.delete(data.user_id ?? '')).toBe(true);
  }
}
