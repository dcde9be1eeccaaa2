import type { Server } from 'node:http';
import {
  type App,
  answerHttpRequest,
  checkLiveness,
  closeCodes,
  closeConnection,
  createChannelRegistry,
  createSocketId,
  drain,
  dropConnection,
  type Effect,
  type HttpAnswer,
  type HttpRequest,
  kindOfChannel,
  type Limits,
  noteSignOfLife,
  openConnection,
  publishHere,
  receive,
} from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { BoundSession, Channels } from '../../features/realtime/ports.ts';
import { acceptUpgrades } from './accept-upgrades.ts';
import { createSessionWatch, type SessionWatchOptions } from './check-sessions.ts';
import { type Pace, usualPace } from './intervals.ts';
import { closeSoon, createOpenSockets } from './open-sockets.ts';
import { createPeerServers } from './peer-servers.ts';
import { createRenewal } from './reconnect-in-batches.ts';
import { createSessionBook } from './session-index.ts';

export interface ChannelServerOptions extends Pick<SessionWatchOptions, 'findLiveSessions' | 'onError'> {
  app: App;
  limits?: Partial<Limits>;
  pace?: Partial<Pace>;
  clientEvents?: 'none' | 'members';
  /** Before `/app/…`. */
  path: string;
  /** Origins from which browsers may connect, besides that of the page that this server serves. */
  allowedOrigins: readonly string[];
  trustedProxies: number;
  /** Says something to every other server. */
  tell(message: string): void;
}

/** The real-time channel of this server: connections on `ws`, in the protocol of `packages/pusher-protocol`. */
export interface ChannelServer extends Channels {
  /** Takes the upgrades of an HTTP server. */
  attach(server: Server): void;
  /** What another server said with `tell`. */
  hear(message: string): void;
  /** Answers the signed HTTP API: whoever knows the secret may publish. */
  answer(request: HttpRequest): HttpAnswer;
  /** What is held at this moment. All but the other servers is 0 when nobody is connected. */
  counts(): { connections: number; channels: number; users: number; sessions: number; servers: number };
  /** Sends the connections away, a part at a time, and lets nobody in. */
  stop(): Promise<void>;
}

export function createChannelServer(options: ChannelServerOptions): ChannelServer {
  const pace = { ...usualPace, ...options.pace };
  const registry = createChannelRegistry(options.app, {
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.clientEvents ? { clientEvents: options.clientEvents } : {}),
  });
  const book = createSessionBook();
  const sockets = createOpenSockets({ ...pace, onCutOff: drop });
  const peers = createPeerServers({ ...pace, registry, tell: options.tell, carryOut, onBound: bindHere });
  const checkSessions = createSessionWatch({ ...options, book, endSessions });
  const renewal = createRenewal({ ...pace, connections: () => sockets.olderThan(0), renew });
  let isOpen = true;
  const timers = [
    setInterval(lookAround, pace.livenessEvery),
    setInterval(() => void checkSessions(), pace.sessionsEvery),
    setInterval(peers.alive, pace.aliveEvery),
  ];
  for (const timer of timers) timer.unref();

  /** Does what the registry decided, in its order. */
  function carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'send') sockets.send(effect.to, effect.frame);
      else if (effect.kind === 'tell') peers.tell(effect.message);
      else {
        sockets.close(effect.socketId, effect.code, effect.reason);
        book.release(effect.socketId);
      }
    }
  }

  function welcome(socket: WebSocket, address: string): void {
    let socketId = createSocketId();
    while (sockets.has(socketId)) socketId = createSocketId();
    sockets.add(socketId, socket);
    const alive = () => noteSignOfLife(registry, socketId, performance.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      carryOut(receive(registry, socketId, isBinary ? data : data.toString(), performance.now()));
    });
    socket.on('ping', alive);
    socket.on('pong', alive);
    socket.on('close', () => drop(socketId));
    // No WebSocket frame, or one too long: `ws` has begun to close, with the code for it.
    socket.on('error', () => {
      drop(socketId);
      closeSoon(socket, pace.closeWithin);
    });
    carryOut(openConnection(registry, socketId, performance.now(), address));
  }

  /** A connection has gone. To say so again changes nothing. */
  function drop(socketId: string): void {
    sockets.remove(socketId);
    book.release(socketId);
    carryOut(dropConnection(registry, socketId));
  }

  function lookAround(): void {
    carryOut(checkLiveness(registry, performance.now()));
    renew(sockets.olderThan(pace.uselessAfter).filter(isUseless));
    renew(sockets.olderThan(pace.unknownAfter).filter(isUnknown));
  }

  function isUseless(socketId: string): boolean {
    const connection = registry.connections.get(socketId);
    return connection?.channels.size === 0 && connection.user === null && !book.isBound(socketId);
  }

  /** The server that knew whose it is was killed before it could say so. */
  function isUnknown(socketId: string): boolean {
    const connection = registry.connections.get(socketId);
    if (!connection || book.isBound(socketId)) return false;
    return connection.user !== null || [...connection.channels].some((name) => !isPublic(name));
  }

  const isPublic = (channel: string) => kindOfChannel(channel, registry.limits) === 'public';

  function bindHere(socketId: string, bound: BoundSession): void {
    if (!sockets.has(socketId) || book.isBound(socketId)) return;
    if (book.socketsOfClient(bound.clientId).length >= registry.limits.connectionsPerUser) {
      end([socketId], closeCodes.tooManyConnections, 'This client has too many connections.');
    } else {
      book.bind(socketId, bound);
    }
  }

  function endSessions(sessions: readonly string[]): void {
    end(sessions.flatMap(book.socketsOf), closeCodes.unauthorised, 'The sign-in has ended.');
  }

  function renew(socketIds: readonly string[]): void {
    end(socketIds, closeCodes.goingAway, 'Come back and ask anew.');
  }

  function end(socketIds: readonly string[], code: number, reason: string): void {
    for (const socketId of socketIds) carryOut(closeConnection(registry, socketId, code, reason));
  }

  return {
    attach: (server) => {
      acceptUpgrades(server, { ...options, ...pace, registry, isOpen: () => isOpen, onConnection: welcome });
      peers.hello();
    },
    publish: ({ channel, event, data, except }) =>
      carryOut(publishHere(registry, { channels: [channel], event, data, except })),
    bind: (socketId, bound) => {
      if (sockets.has(socketId)) bindHere(socketId, bound);
      else peers.tellBound(socketId, bound);
    },
    endSessions,
    renewClients: (clientIds) => {
      renew(clientIds.flatMap(book.socketsOfClient));
      // Who has just come may be one of them, with a signature of before and the word of whose it is on its way.
      const longHere = new Set(sockets.olderThan(justNow));
      renew(sockets.olderThan(0).filter((id) => !longHere.has(id) && !book.isBound(id)));
    },
    renewAll: () => {
      peers.forgetAll();
      peers.hello();
      renewal.ask();
    },
    hear: peers.hear,
    answer: (request) => {
      const answer = answerHttpRequest(registry, request, Date.now());
      carryOut(answer.effects);
      return answer;
    },
    counts: () => ({
      connections: sockets.count(),
      channels: registry.channels.size,
      users: registry.users.size,
      sessions: book.count(),
      servers: peers.count(),
    }),
    stop: async () => {
      isOpen = false;
      for (const timer of timers) clearInterval(timer);
      renewal.stop();
      const steps = Math.ceil(sockets.count() / pace.stepSize);
      const pause = Math.min(pace.drainWithin / Math.max(steps, 1), pace.stepEvery);
      for (let left = steps; left > 0 && sockets.count() > 0; left -= 1) {
        carryOut(drain(registry, 1 / left));
        if (left > 1) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      peers.bye();
    },
  };
}

/** Milliseconds. */
const justNow = 10_000;
