import { randomUUID } from 'node:crypto';
import {
  type ChannelRegistry,
  type Effect,
  handleServerMessage,
  removeServer,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import type { BoundSession } from '../../live/channels/ports.ts';
import { createReceivedMessages } from './numbered-messages.ts';
import { isFrom, type ReceivedMessage, readPeerMessage } from './peer-messages.ts';
import { createPeerOutbox } from './peer-outbox.ts';

/** The other servers of this installation: messages to and from them, and which of them are alive. */
export interface PeerServers {
  sendMessage(message: ServerMessage): void;
  /** Announces the session of a connection that is not on this server. */
  announceBinding(socketId: string, bound: BoundSession): void;
  /** Announces presence members that have changed, if any. Call it after each change. */
  announceMembers(): void;
  /** Announces the numbers of subscriptions that have changed. */
  announceSizes(): void;
  /** Asks another server for its whole state. */
  requestState(server: string): void;
  /** Removes and returns the next message to send; undefined if there is none. */
  takeText(): string | undefined;
  receive(text: string): void;
  /** Announces that this server is new or has missed messages: the others reply with their state. */
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
  /**
   * Called when there are texts to send to every server, in order: see `takeText`. This server may receive them too.
   */
  onText(): void;
  applyEffects(effects: readonly Effect[]): void;
  onBinding(socketId: string, bound: BoundSession): void;
  /** Called when another server could not send all of its messages, which may have been about any connection. */
  onLost(): void;
  /** Milliseconds. */
  peerTimeout: number;
  heartbeatEvery: number;
  maxQueuedBytes: number;
}

export function createPeerServers(options: PeerServersOptions): PeerServers {
  const { registry, applyEffects } = options;
  const self = randomUUID();
  const peers = createLastMessages(options.peerTimeout);
  const own = createOwnMessages(options);
  const outbox = createPeerOutbox({ ...options, self, hasPeers: () => peers.count() > 0 });
  const { send } = outbox;
  const inbox = createReceivedMessages({
    startTime: options.peerTimeout,
    onMissed: (from, after) => send({ missed: { from, after } }, `missed ${from}`),
  });

  const forget = (server: string) => {
    peers.remove(server);
    applyEffects(removeServer(registry, server));
  };
  const onMessage = (from: string, received: ReceivedMessage) => {
    const isNew = peers.markAlive(from);
    // A server that is new, has forgotten this one, or missed a message needs the whole state.
    if (isNew || received.hello || received.resend === self) outbox.announceWholeState();
    if (isNew && !received.hello) send({ resend: from });
    // The last number shows a server that was not listening which messages it has missed.
    if (received.hello) outbox.sendHeartbeat();
    if (received.missed?.from === self) outbox.sendAgain(from, received.missed.after);
    if (received.gone?.to === self) {
      inbox.skip(from, received.gone.last);
      options.onLost();
    }
    if (received.number !== undefined && !inbox.accept(from, received.number)) return;
    if (received.last !== undefined) inbox.onLast(from, received.last);
    if (received.lost) options.onLost();
    if (received.bound) options.onBinding(received.bound.socketId, received.bound);
    if (received.message) applyEffects(handleServerMessage(registry, from, received.message));
  };

  const isAlone = () => peers.count() === 0 && own.haveReturnedFor(options.peerTimeout);

  return {
    sendMessage: (message) => {
      // Another server would have sent a message by now, and a new one announces itself when it starts.
      if (message.kind !== 'event' || !isAlone()) send({ message }, keyOf(message));
    },
    announceBinding: (socketId, bound) =>
      send({ bound: { socketId, ...bound } }, `bound ${socketId} ${bound.session}`),
    announceMembers: outbox.announceMembers,
    announceSizes: outbox.announceSizes,
    requestState: (server) => send({ resend: server }, `resend ${server}`),
    takeText: outbox.take,
    receive: (text) => {
      if (isFrom(self, text)) return own.onReturned();
      const received = readPeerMessage(text);
      if (!received) return;
      if (received.bye) {
        forget(received.from);
        inbox.forget(received.from);
      } else onMessage(received.from, received);
    },
    sayHello: () => send({ hello: true }),
    heartbeat: () => {
      outbox.sendHeartbeat();
      // A server that receives no messages at all cannot tell which of the others are alive.
      if (!own.haveReturnedFor(options.peerTimeout)) return;
      for (const server of peers.listSilent()) forget(server);
    },
    sayGoodbye: outbox.sendGoodbye,
    forgetAll: () => {
      for (const server of peers.list()) forget(server);
    },
    count: peers.count,
  };
}

/** Termination messages about the same user are equivalent; events are not. */
function keyOf(message: ServerMessage): string | undefined {
  return message.kind === 'terminate-user' ? `terminate ${message.code} ${message.userId}` : undefined;
}

/**
 * This server's own messages come back from the database. As long as they do, it would also receive those of any
 * other server.
 */
function createOwnMessages({ heartbeatEvery }: { heartbeatEvery: number }) {
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  const longestPause = 1.5 * heartbeatEvery;
  return {
    onReturned: () => {
      const now = performance.now();
      if (now - lastAt > longestPause) firstAt = now;
      lastAt = now;
    },
    /** @returns whether own messages have come back without a pause for this many milliseconds, until now */
    haveReturnedFor: (duration: number): boolean => {
      const now = performance.now();
      return now - lastAt <= longestPause && now - firstAt >= duration;
    },
  };
}

/** When each of the other servers last sent something. */
function createLastMessages(timeout: number) {
  const lastMessageAt = new Map<string, number>();
  return {
    /** @returns whether the server was unknown */
    markAlive: (server: string): boolean => {
      const isNew = !lastMessageAt.has(server);
      lastMessageAt.set(server, performance.now());
      return isNew;
    },
    remove: (server: string) => lastMessageAt.delete(server),
    list: () => [...lastMessageAt.keys()],
    listSilent: () => {
      const oldest = performance.now() - timeout;
      return [...lastMessageAt].filter(([, at]) => at < oldest).map(([server]) => server);
    },
    count: () => lastMessageAt.size,
  };
}
