import { randomUUID } from 'node:crypto';
import {
  type ChannelRegistry,
  type Effect,
  handleServerMessage,
  listLocalMembers,
  readServerMessage,
  removeServer,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import type { BoundSession } from '../../features/realtime/ports.ts';

/** The other servers of this installation: messages to and from them, and which of them are alive. */
export interface PeerServers {
  sendMessage(message: ServerMessage): void;
  /** Announces the session of a connection that is not on this server. */
  announceBinding(socketId: string, bound: BoundSession): void;
  receive(text: string): void;
  /** Announces that this server is new or has missed messages: the others reply with their presence members. */
  sayHello(): void;
  /** Announces that this server is alive, and removes the servers that have been silent for too long. */
  heartbeat(): void;
  sayGoodbye(): void;
  /** Forgets all other servers and their members, after messages from them were lost. */
  forgetAll(): void;
  count(): number;
}

export interface PeerServersOptions {
  registry: ChannelRegistry;
  /** Sends a text to every server, in order. This server may receive it too. */
  sendText(text: string): void;
  applyEffects(effects: readonly Effect[]): void;
  onBinding(socketId: string, bound: BoundSession): void;
  /** Milliseconds. */
  peerTimeout: number;
}

export function createPeerServers(options: PeerServersOptions): PeerServers {
  const { registry, applyEffects, peerTimeout } = options;
  const self = randomUUID();
  const lastMessageAt = new Map<string, number>();
  const send = (message: PeerMessage) => options.sendText(JSON.stringify({ from: self, ...message }));

  const forget = (server: string) => {
    lastMessageAt.delete(server);
    applyEffects(removeServer(registry, server));
  };

  return {
    sendMessage: (message) => send({ message }),
    announceBinding: (socketId, bound) => send({ bound: { socketId, ...bound } }),
    receive: (text) => {
      const received = readPeerMessage(text);
      if (!received || received.from === self) return;
      if (received.bye) {
        forget(received.from);
        return;
      }
      const isNew = !lastMessageAt.has(received.from);
      lastMessageAt.set(received.from, performance.now());
      // A server that is new, or has forgotten this one, needs the list of members.
      if (isNew || received.hello) for (const message of listLocalMembers(registry)) send({ message });
      if (isNew && !received.hello) send({ hello: true });
      if (received.bound) options.onBinding(received.bound.socketId, received.bound);
      if (received.message) applyEffects(handleServerMessage(registry, received.from, received.message));
    },
    sayHello: () => send({ hello: true }),
    heartbeat: () => {
      send({});
      const oldest = performance.now() - peerTimeout;
      for (const [server, at] of lastMessageAt) if (at < oldest) forget(server);
    },
    sayGoodbye: () => send({ bye: true }),
    forgetAll: () => {
      for (const server of [...lastMessageAt.keys()]) forget(server);
    },
    count: () => lastMessageAt.size,
  };
}

/** Any message, even an empty one, shows that its sender is alive. */
interface PeerMessage {
  hello?: true;
  bye?: true;
  message?: ServerMessage;
  bound?: { socketId: string } & BoundSession;
}

/** Invalid messages are dropped: only servers can write to the database that carries them. */
function readPeerMessage(text: string): (PeerMessage & { from: string }) | undefined {
  try {
    const { from, hello, bye, message, bound } = JSON.parse(text);
    if (typeof from !== 'string') return undefined;
    const serverMessage = message === undefined ? undefined : readServerMessage(JSON.stringify(message));
    return {
      from,
      ...(hello === true ? { hello } : {}),
      ...(bye === true ? { bye } : {}),
      ...(serverMessage ? { message: serverMessage } : {}),
      ...(isBinding(bound) ? { bound } : {}),
    };
  } catch {
    return undefined;
  }
}

function isBinding(value: unknown): value is { socketId: string } & BoundSession {
  if (typeof value !== 'object' || value === null) return false;
  const { socketId, session, clientId } = value as Record<string, unknown>;
  return [socketId, session, clientId].every((text) => typeof text === 'string');
}
