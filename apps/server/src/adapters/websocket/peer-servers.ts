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

/** The other servers of this installation: what they are told, what they say, and which of them are alive. */
export interface PeerServers {
  sendMessage(message: ServerMessage): void;
  /** Says whose a connection is that none of this server's is. */
  announceBinding(socketId: string, bound: BoundSession): void;
  receive(text: string): void;
  /** This server is new, or has missed something: whoever hears it says who is present there. */
  sayHello(): void;
  /** This server is alive; who has been silent for too long is not, and its members have gone. */
  heartbeat(): void;
  sayGoodbye(): void;
  /** Something they said was missed: what is known of them holds no longer. */
  forgetAll(): void;
  count(): number;
}

export interface PeerServersOptions {
  registry: ChannelRegistry;
  /** Says something to every server, in the order in which it was said; hearing oneself does not matter. */
  sendText(message: string): void;
  applyEffects(effects: readonly Effect[]): void;
  onBinding(socketId: string, bound: BoundSession): void;
  /** Milliseconds. */
  peerTimeout: number;
}

export function createPeerServers(options: PeerServersOptions): PeerServers {
  const { registry, applyEffects, peerTimeout } = options;
  const self = randomUUID();
  const heardAt = new Map<string, number>();
  const say = (word: PeerMessage) => options.sendText(JSON.stringify({ from: self, ...word }));

  const forget = (server: string) => {
    heardAt.delete(server);
    applyEffects(removeServer(registry, server));
  };

  return {
    sendMessage: (message) => say({ message }),
    announceBinding: (socketId, bound) => say({ bound: { socketId, ...bound } }),
    receive: (text) => {
      const word = readPeerMessage(text);
      if (!word || word.from === self) return;
      if (word.bye) {
        forget(word.from);
        return;
      }
      const isNew = !heardAt.has(word.from);
      heardAt.set(word.from, performance.now());
      // Whoever is new here, or has forgotten us, learns who is present.
      if (isNew || word.hello) for (const message of listLocalMembers(registry)) say({ message });
      if (isNew && !word.hello) say({ hello: true });
      if (word.bound) options.onBinding(word.bound.socketId, word.bound);
      if (word.message) applyEffects(handleServerMessage(registry, word.from, word.message));
    },
    sayHello: () => say({ hello: true }),
    heartbeat: () => {
      say({});
      const before = performance.now() - peerTimeout;
      for (const [server, at] of heardAt) if (at < before) forget(server);
    },
    sayGoodbye: () => say({ bye: true }),
    forgetAll: () => {
      for (const server of [...heardAt.keys()]) forget(server);
    },
    count: () => heardAt.size,
  };
}

/** Anything at all says that its server is alive. */
interface PeerMessage {
  hello?: true;
  bye?: true;
  message?: ServerMessage;
  bound?: { socketId: string } & BoundSession;
}

/** Words come by a database that only servers reach; what is broken all the same is dropped. */
function readPeerMessage(text: string): (PeerMessage & { from: string }) | undefined {
  try {
    const { from, hello, bye, message, bound } = JSON.parse(text);
    if (typeof from !== 'string') return undefined;
    const read = message === undefined ? undefined : readServerMessage(JSON.stringify(message));
    return {
      from,
      ...(hello === true ? { hello } : {}),
      ...(bye === true ? { bye } : {}),
      ...(read ? { message: read } : {}),
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
