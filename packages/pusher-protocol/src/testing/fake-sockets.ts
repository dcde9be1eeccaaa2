import { type App, signChannel, signUser } from '../auth/signatures.ts';
import type { Effect } from '../effects.ts';
import { receive } from '../messages/receive.ts';
import {
  type ChannelRegistry,
  createChannelRegistry,
  dropConnection,
  openConnection,
  type RegistryOptions,
} from '../registry.ts';
import { hearServer, readServerMessage, type ServerMessage } from '../servers/server-messages.ts';

export const testApp: App = { id: '42', key: 'key', secret: 'sec' };

/** A frame as a client reads it: `data` is parsed when it is JSON text. */
export interface SeenFrame {
  event: string;
  channel?: string;
  data?: unknown;
  user_id?: string;
}

/** What stands at the other end of the registry in tests: sockets that keep what they get, and a clock. */
export function simulateSockets(options: RegistryOptions = {}) {
  const registry: ChannelRegistry = createChannelRegistry(testApp, options);
  const inboxes = new Map<string, string[]>();
  const closed = new Map<string, number>();
  const told: ServerMessage[] = [];
  let now = 0;
  let opened = 0;

  const carryOut = (effects: Effect[]): Effect[] => {
    for (const effect of effects) {
      if (effect.kind === 'tell') told.push(effect.message);
      else if (effect.kind === 'close') closed.set(effect.socketId, effect.code);
      else for (const socketId of effect.to) deliver(socketId, effect.frame);
    }
    return effects;
  };
  const deliver = (socketId: string, frame: string) => {
    if (closed.has(socketId)) throw new Error('something was sent to a closed socket');
    inboxes.get(socketId)?.push(frame);
  };
  const send = (socketId: string, frame: object | string | Uint8Array) => {
    const isRaw = typeof frame === 'string' || frame instanceof Uint8Array;
    return carryOut(receive(registry, socketId, isRaw ? frame : JSON.stringify(frame), now));
  };

  const takeRaw = (socketId: string): string[] => {
    const frames = inboxes.get(socketId) ?? [];
    inboxes.set(socketId, []);
    return frames;
  };

  return {
    registry,
    closed,
    told,
    carryOut,
    send,
    now: () => now,
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    /** @returns the socket id; the handshake is taken from the inbox already */
    connect: (socketId = `${++opened}.1`, address: string | null = null): string => {
      carryOut(openConnection(registry, socketId, now, address));
      inboxes.set(socketId, []);
      return socketId;
    },
    hangUp: (socketId: string) => carryOut(dropConnection(registry, socketId)),
    subscribe: (socketId: string, channel: string, channelData: object | string | null = null) =>
      send(socketId, subscribeFrame(socketId, channel, channelData)),
    signIn: (socketId: string, userId: string) =>
      send(socketId, {
        event: 'pusher:signin',
        data: signUser(testApp, socketId, JSON.stringify({ id: userId })),
      }),
    /** What came since the last look. */
    take: (socketId: string): SeenFrame[] => {
      return takeRaw(socketId).map(seen);
    },
    takeRaw,
  };
}

export type SimulatedSockets = ReturnType<typeof simulateSockets>;

/** Carries what servers tell each other, as text, until nobody has anything more to say. */
export function carryMessages(servers: Record<string, SimulatedSockets>): void {
  for (const [name, server] of Object.entries(servers)) {
    for (const message of server.told.splice(0)) {
      const heard = readServerMessage(JSON.stringify(message));
      if (!heard) throw new Error('a server does not understand another');
      for (const [other, listener] of Object.entries(servers)) {
        if (other !== name) listener.carryOut(hearServer(listener.registry, name, heard));
      }
    }
  }
}

/** A well signed request to listen. */
export function subscribeFrame(
  socketId: string,
  channel: string,
  channelData: object | string | null = null,
): object {
  const text =
    channelData === null || typeof channelData === 'string' ? channelData : JSON.stringify(channelData);
  const isSigned = /^(?:private|presence)-/.test(channel);
  const data = isSigned ? signChannel(testApp, socketId, channel, text) : { auth: '' };
  return { event: 'pusher:subscribe', data: { ...data, channel } };
}

export function seen(frame: string): SeenFrame {
  const parsed = JSON.parse(frame) as SeenFrame;
  if (typeof parsed.data !== 'string') return parsed;
  try {
    return { ...parsed, data: JSON.parse(parsed.data) as unknown };
  } catch {
    return parsed;
  }
}
