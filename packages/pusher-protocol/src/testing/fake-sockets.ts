import { type App, signChannel, signUser } from '../auth/signatures.ts';
import { openConnection, removeConnection } from '../connection/open-and-close.ts';
import type { Effect } from '../effects.ts';
import { receiveMessage } from '../messages/receive.ts';
import { type ChannelRegistry, createChannelRegistry, type RegistryOptions } from '../registry.ts';
import { takeAnnouncement } from '../servers/announce.ts';
import { handleServerMessage } from '../servers/handle-server-message.ts';
import { readServerMessage, type ServerMessage } from '../servers/server-messages.ts';

export const testApp: App = { id: '42', key: 'key', secret: 'sec' };

/** A frame as a client sees it, with parsed `data`. */
export interface ReceivedFrame {
  event: string;
  channel?: string;
  data?: unknown;
  user_id?: string;
}

/** Creates a registry with fake sockets, which record the frames they receive, and a clock that the test advances. */
export function createFakeSockets(options: RegistryOptions = {}) {
  const registry: ChannelRegistry = createChannelRegistry(testApp, options);
  const inboxes = new Map<string, string[]>();
  const closed = new Map<string, number>();
  const serverMessages: ServerMessage[] = [];
  const requestedStates: string[] = [];
  let now = 0;
  let opened = 0;

  const applyEffects = (effects: Effect[]): Effect[] => {
    for (const effect of effects) {
      if (effect.kind === 'notify-servers') serverMessages.push(effect.message);
      else if (effect.kind === 'request-state') requestedStates.push(effect.server);
      else if (effect.kind === 'close') closed.set(effect.socketId, effect.code);
      else if (effect.kind === 'send') for (const socketId of effect.to) deliver(socketId, effect.frame);
    }
    return effects;
  };
  const deliver = (socketId: string, frame: string) => {
    if (closed.has(socketId)) throw new Error('a frame was sent to a closed socket');
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
    /** Names of the servers whose whole state was requested. */
    requestedStates,
    applyEffects,
    send,
    now: () => now,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
    /** Opens a connection and discards its handshake. @returns the socket id */
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
    /** Returns the frames received since the last call. */
    takeFrames: (socketId: string): ReceivedFrame[] => {
      return takeRawFrames(socketId).map(parseFrame);
    },
    takeRawFrames,
  };
}

export type FakeSockets = ReturnType<typeof createFakeSockets>;

/** Returns and removes the messages that a server would send to the others now, in order. */
export function takeServerMessages(server: FakeSockets): ServerMessage[] {
  const messages = server.serverMessages.splice(0);
  for (;;) {
    const announcement = takeAnnouncement(server.registry, { sizes: true });
    if (!announcement) return messages;
    messages.push(announcement);
  }
}

/** Delivers the pending messages of each server to all others, serialised. */
export function exchangeServerMessages(servers: Record<string, FakeSockets>): void {
  for (const [name, server] of Object.entries(servers)) {
    for (const message of takeServerMessages(server)) {
      const received = readServerMessage(JSON.stringify(message));
      if (!received) throw new Error('a server sent an invalid message');
      for (const [other, receiver] of Object.entries(servers)) {
        if (other !== name) receiver.applyEffects(handleServerMessage(receiver.registry, name, received));
      }
    }
  }
}

/** Builds a correctly signed subscription request. */
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

/** Parses a frame, including `data` that is JSON text. */
export function parseFrame(frame: string): ReceivedFrame {
  const parsed = JSON.parse(frame) as ReceivedFrame;
  if (typeof parsed.data !== 'string') return parsed;
  try {
    return { ...parsed, data: JSON.parse(parsed.data) as unknown };
  } catch {
    return parsed;
  }
}
