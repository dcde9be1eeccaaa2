import { type App, signChannel, signUser } from '../auth/signatures.ts';
import type { Effect } from '../effects.ts';
import { receiveMessage } from '../messages/receive.ts';
import {
  type ChannelRegistry,
  createChannelRegistry,
  openConnection,
  type RegistryOptions,
  removeConnection,
} from '../registry.ts';
import { handleServerMessage, readServerMessage, type ServerMessage } from '../servers/server-messages.ts';

export const testApp: App = { id: '42', key: 'key', secret: 'sec' };

/** A frame as a client reads it: `data` is parsed when it is JSON text. */
export interface ReceivedFrame {
  event: string;
  channel?: string;
  data?: unknown;
  user_id?: string;
}

/** What stands at the other end of the registry in tests: sockets that keep what they get, and a clock. */
export function createFakeSockets(options: RegistryOptions = {}) {
  const registry: ChannelRegistry = createChannelRegistry(testApp, options);
  const inboxes = new Map<string, string[]>();
  const closed = new Map<string, number>();
  const serverMessages: ServerMessage[] = [];
  let now = 0;
  let opened = 0;

  const applyEffects = (effects: Effect[]): Effect[] => {
    for (const effect of effects) {
      if (effect.kind === 'notify-servers') serverMessages.push(effect.message);
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
    return applyEffects(receiveMessage(registry, socketId, isRaw ? frame : JSON.stringify(frame), now));
  };

  const takeRawFrames = (socketId: string): string[] => {
    const frames = inboxes.get(socketId) ?? [];
    inboxes.set(socketId, []);
    return frames;
  };

  return {
    registry,
    closed,
    serverMessages,
    applyEffects,
    send,
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    /** @returns the socket id; the handshake is taken from the inbox already */
    connect: (socketId = `${++opened}.1`, address: string | null = null): string => {
      applyEffects(openConnection(registry, socketId, now, address));
      inboxes.set(socketId, []);
      return socketId;
    },
    disconnect: (socketId: string) => applyEffects(removeConnection(registry, socketId)),
    subscribe: (socketId: string, channel: string, channelData: object | string | null = null) =>
      send(socketId, subscribeFrame(socketId, channel, channelData)),
    signIn: (socketId: string, userId: string) =>
      send(socketId, {
        event: 'pusher:signin',
        data: signUser(testApp, socketId, JSON.stringify({ id: userId })),
      }),
    /** What came since the last look. */
    takeFrames: (socketId: string): ReceivedFrame[] => {
      return takeRawFrames(socketId).map(parseFrame);
    },
    takeRawFrames,
  };
}

export type FakeSockets = ReturnType<typeof createFakeSockets>;

/** Carries what servers tell each other, as text, until nobody has anything more to say. */
export function exchangeServerMessages(servers: Record<string, FakeSockets>): void {
  for (const [name, server] of Object.entries(servers)) {
    for (const message of server.serverMessages.splice(0)) {
      const heard = readServerMessage(JSON.stringify(message));
      if (!heard) throw new Error('a server does not understand another');
      for (const [other, listener] of Object.entries(servers)) {
        if (other !== name) listener.applyEffects(handleServerMessage(listener.registry, name, heard));
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

export function parseFrame(frame: string): ReceivedFrame {
  const parsed = JSON.parse(frame) as ReceivedFrame;
  if (typeof parsed.data !== 'string') return parsed;
  try {
    return { ...parsed, data: JSON.parse(parsed.data) as unknown };
  } catch {
    return parsed;
  }
}
