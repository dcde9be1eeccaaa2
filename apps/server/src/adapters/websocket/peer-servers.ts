import { randomUUID } from 'node:crypto';
import {
  type ChannelRegistry,
  type Effect,
  forgetServer,
  hearServer,
  membersHere,
  readServerMessage,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import type { BoundSession } from '../../features/realtime/ports.ts';

/** The other servers of this installation: what they are told, what they say, and which of them are alive. */
export interface PeerServers {
  tell(message: ServerMessage): void;
  /** Says whose a connection is that none of this server's is. */
  tellBound(socketId: string, bound: BoundSession): void;
  hear(text: string): void;
  /** This server is new, or has missed something: whoever hears it says who is present there. */
  hello(): void;
  /** This server is alive; who has been silent for too long is not, and its members have gone. */
  alive(): void;
  bye(): void;
  /** Something they said was missed: what is known of them holds no longer. */
  forgetAll(): void;
  count(): number;
}

export interface PeerServersOptions {
  registry: ChannelRegistry;
  /** Says something to every server, in the order in which it was said; hearing oneself does not matter. */
  tell(message: string): void;
  carryOut(effects: readonly Effect[]): void;
  onBound(socketId: string, bound: BoundSession): void;
  /** Milliseconds. */
  lostAfter: number;
}

export function createPeerServers(options: PeerServersOptions): PeerServers {
  const { registry, carryOut, lostAfter } = options;
  const self = randomUUID();
  const heardAt = new Map<string, number>();
  const say = (word: ServerWord) => options.tell(JSON.stringify({ from: self, ...word }));

  const forget = (server: string) => {
    heardAt.delete(server);
    carryOut(forgetServer(registry, server));
  };

  return {
    tell: (message) => say({ message }),
    tellBound: (socketId, bound) => say({ bound: { socketId, ...bound } }),
    hear: (text) => {
      const word = readWord(text);
      if (!word || word.from === self) return;
      if (word.bye) {
        forget(word.from);
        return;
      }
      const isNew = !heardAt.has(word.from);
      heardAt.set(word.from, performance.now());
      // Whoever is new here, or has forgotten us, learns who is present.
      if (isNew || word.hello) for (const message of membersHere(registry)) say({ message });
      if (isNew && !word.hello) say({ hello: true });
      if (word.bound) options.onBound(word.bound.socketId, word.bound);
      if (word.message) carryOut(hearServer(registry, word.from, word.message));
    },
    hello: () => say({ hello: true }),
    alive: () => {
      say({});
      const before = performance.now() - lostAfter;
      for (const [server, at] of heardAt) if (at < before) forget(server);
    },
    bye: () => say({ bye: true }),
    forgetAll: () => {
      for (const server of [...heardAt.keys()]) forget(server);
    },
    count: () => heardAt.size,
  };
}

/** Anything at all says that its server is alive. */
interface ServerWord {
  hello?: true;
  bye?: true;
  message?: ServerMessage;
  bound?: { socketId: string } & BoundSession;
}

/** Words come by a database that only servers reach; what is broken all the same is dropped. */
function readWord(text: string): (ServerWord & { from: string }) | undefined {
  try {
    const { from, hello, bye, message, bound } = JSON.parse(text);
    if (typeof from !== 'string') return undefined;
    const read = message === undefined ? undefined : readServerMessage(JSON.stringify(message));
    return {
      from,
      ...(hello === true ? { hello } : {}),
      ...(bye === true ? { bye } : {}),
      ...(read ? { message: read } : {}),
      ...(isBound(bound) ? { bound } : {}),
    };
  } catch {
    return undefined;
  }
}

function isBound(value: unknown): value is { socketId: string } & BoundSession {
  if (typeof value !== 'object' || value === null) return false;
  const { socketId, session, clientId } = value as Record<string, unknown>;
  return [socketId, session, clientId].every((text) => typeof text === 'string');
}
