import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
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
  errorFrame,
  findConnectFault,
  forgetServer,
  type HttpAnswer,
  type HttpRequest,
  hasRoomFor,
  hearServer,
  isAllowedOrigin,
  type Limits,
  membersHere,
  noteSignOfLife,
  openConnection,
  publishHere,
  readServerMessage,
  receive,
  type ServerMessage,
} from '@keyturn/pusher-protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Channels } from '../../features/realtime/ports.ts';
import { addressOf } from './address-of.ts';
import { createSessionBook } from './session-book.ts';

export interface ChannelServerOptions {
  app: App;
  limits?: Partial<Limits>;
  clientEvents?: 'none' | 'members';
  /** Before `/app/…`. */
  path: string;
  /** Origins from which browsers may connect, besides that of the page that this server serves. */
  allowedOrigins: readonly string[];
  trustedProxies: number;
  /** Says something to every other server. */
  tell(message: string): void;
  /**
   * Of these sign-ins, those that hold, each with the moment at which it may be over (milliseconds since 1970).
   * @throws where it cannot be known: it is asked again
   */
  findLiveSessions(sessions: string[]): Promise<Map<string, number>>;
  onError(error: unknown): void;
  /** Milliseconds over which the connections are sent away before the server stops. */
  drainFor?: number;
}

/** The real-time channel of this server: connections on `ws`, in the protocol of `packages/pusher-protocol`. */
export interface ChannelServer extends Channels {
  /** Takes the upgrades of an HTTP server. */
  attach(server: Server): void;
  /** What another server said with `tell`. */
  hear(message: string): void;
  /** Answers the signed HTTP API: whoever knows the secret may publish. */
  answer(request: HttpRequest): HttpAnswer;
  /** How many are connected. */
  count(): number;
  stop(): Promise<void>;
}

export function createChannelServer(options: ChannelServerOptions): ChannelServer {
  const { app, path, trustedProxies, tell, onError } = options;
  const registry = createChannelRegistry(app, {
    ...(options.limits ? { limits: options.limits } : {}),
    ...(options.clientEvents ? { clientEvents: options.clientEvents } : {}),
  });
  const { limits } = registry;
  const sockets = new Map<string, WebSocket>();
  const book = createSessionBook();
  const servers = new Map<string, number>();
  const self = randomUUID();
  const say = (message: ServerWord) => tell(JSON.stringify({ from: self, ...message }));
  const wss = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    clientTracking: false,
  });
  const timers = [
    setInterval(() => carryOut(checkLiveness(registry, performance.now())), livenessEvery),
    setInterval(() => void checkSessions(), sessionsEvery),
    setInterval(() => greet('alive'), aliveEvery),
  ];
  for (const timer of timers) timer.unref();
  let isStopping = false;
  let isChecking = false;

  /** Does what the registry decided, in its order. */
  function carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'tell') say({ message: effect.message });
      else if (effect.kind === 'close') close(effect.socketId, effect.code, effect.reason);
      else send(effect.to, effect.frame);
    }
  }

  function send(to: readonly string[], text: string): void {
    // Encoded once, however many get it.
    const frame = Buffer.from(text);
    for (const socketId of to) {
      const socket = sockets.get(socketId);
      if (!socket) continue;
      if (socket.bufferedAmount > mostBuffered) leaveBehind(socketId, socket);
      else socket.send(frame, { binary: false });
    }
  }

  /** A client that takes nothing holds up nobody, and no memory: it comes back and catches up. */
  function leaveBehind(socketId: string, socket: WebSocket): void {
    socket.terminate();
    queueMicrotask(() => drop(socketId));
  }

  function close(socketId: string, code: number, reason: string): void {
    const socket = sockets.get(socketId);
    forget(socketId);
    if (!socket) return;
    socket.close(code, reason);
    // Who does not close in turn is not waited for.
    setTimeout(() => socket.terminate(), closeWithin).unref();
  }

  function drop(socketId: string): void {
    forget(socketId);
    carryOut(dropConnection(registry, socketId));
  }

  function forget(socketId: string): void {
    sockets.delete(socketId);
    book.release(socketId);
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => {});
    const address = addressOf(request, trustedProxies);
    const status = findUpgradeFault(request, address);
    if (status) {
      refuse(stream, status);
      return;
    }
    wss.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => socket.terminate());
      const fault = findConnectFault(app, (request.url ?? '').slice(path.length));
      if (fault) {
        socket.send(errorFrame(fault.code, fault.message));
        socket.close(fault.code, fault.message);
        setTimeout(() => socket.terminate(), closeWithin).unref();
        return;
      }
      welcome(socket, address);
    });
  }

  /** The HTTP status of a refusal before the handshake, of which a browser learns no more than that. */
  function findUpgradeFault({ url = '', headers }: IncomingMessage, address: string): Refused | undefined {
    if (!url.startsWith(`${path}/app/`)) return 404;
    if (isStopping || !hasRoomFor(registry, address)) return 503;
    const own = [`http://${headers.host}`, `https://${headers.host}`];
    if (!isAllowedOrigin(headers.origin, [...own, ...options.allowedOrigins], true)) return 403;
    return undefined;
  }

  function welcome(socket: WebSocket, address: string): void {
    let socketId = createSocketId();
    while (sockets.has(socketId)) socketId = createSocketId();
    sockets.set(socketId, socket);
    const alive = () => noteSignOfLife(registry, socketId, performance.now());
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      carryOut(receive(registry, socketId, isBinary ? data : data.toString(), performance.now()));
    });
    socket.on('ping', alive);
    socket.on('pong', alive);
    socket.on('close', () => drop(socketId));
    carryOut(openConnection(registry, socketId, performance.now(), address));
  }

  /** Ends what has run out; looks only at sign-ins whose known end has come. */
  async function checkSessions(): Promise<void> {
    const due = book.due(Date.now());
    if (due.length === 0 || isChecking) return;
    isChecking = true;
    try {
      const live = await options.findLiveSessions(due);
      endSessions(due.filter((session) => !live.has(session)));
      for (const [session, end] of live) book.holdsUntil(session, end);
    } catch (error) {
      onError(error);
    } finally {
      isChecking = false;
    }
  }

  function endSessions(sessions: readonly string[]): void {
    for (const socketId of sessions.flatMap((session) => book.socketsOf(session))) {
      carryOut(closeConnection(registry, socketId, closeCodes.unauthorised, 'The sign-in has ended.'));
    }
  }

  function renew(socketIds: Iterable<string>): void {
    for (const socketId of [...socketIds]) {
      carryOut(closeConnection(registry, socketId, closeCodes.goingAway, 'Come back and ask anew.'));
    }
  }

  function greet(kind: 'hello' | 'alive'): void {
    say({ [kind]: true });
    const now = performance.now();
    for (const [server, heardAt] of servers) {
      if (now - heardAt < lostAfter) continue;
      servers.delete(server);
      carryOut(forgetServer(registry, server));
    }
  }

  function hear(text: string): void {
    const word = readWord(text);
    if (!word || word.from === self) return;
    const isNew = !servers.has(word.from);
    servers.set(word.from, performance.now());
    // Whoever is new here, or has forgotten us, learns who is present.
    if (isNew || word.hello) for (const message of membersHere(registry)) say({ message });
    if (isNew && !word.hello) say({ hello: true });
    if (word.bind && sockets.has(word.bind.socketId)) book.bind(word.bind.socketId, word.bind);
    if (word.bye) {
      servers.delete(word.from);
      carryOut(forgetServer(registry, word.from));
    }
    if (word.message) carryOut(hearServer(registry, word.from, word.message));
  }

  return {
    attach: (server) => {
      server.on('upgrade', upgrade);
      greet('hello');
    },
    publish: ({ channel, event, data, except }) =>
      carryOut(publishHere(registry, { channels: [channel], event, data, except })),
    bind: (socketId, bound) => {
      if (sockets.has(socketId)) book.bind(socketId, bound);
      else say({ bind: { socketId, ...bound } });
    },
    endSessions,
    renewClients: (clientIds) => renew(clientIds.flatMap((clientId) => book.socketsOfClient(clientId))),
    renewAll: () => {
      for (const server of servers.keys()) carryOut(forgetServer(registry, server));
      servers.clear();
      renew(sockets.keys());
      greet('hello');
    },
    hear,
    answer: (request) => {
      const answer = answerHttpRequest(registry, request, Date.now());
      carryOut(answer.effects);
      return answer;
    },
    count: () => sockets.size,
    stop: async () => {
      isStopping = true;
      for (const timer of timers) clearInterval(timer);
      const steps = Math.ceil(sockets.size / atOnce);
      const pause = Math.min((options.drainFor ?? 8_000) / Math.max(steps, 1), 200);
      for (let left = steps; left > 0 && sockets.size > 0; left -= 1) {
        carryOut(drain(registry, 1 / left));
        if (left > 1) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      say({ bye: true });
      wss.close();
    },
  };
}

/** What servers say to each other. */
interface ServerWord {
  /** It is new, or has forgotten the others. */
  hello?: boolean;
  alive?: boolean;
  bye?: boolean;
  message?: ServerMessage;
  bind?: { socketId: string; session: string; clientId: string };
}

/** The words of other servers of this installation, on a database that only they reach; what is broken is dropped. */
function readWord(text: string): (ServerWord & { from: string }) | undefined {
  try {
    const word = JSON.parse(text) as ServerWord & { from: string };
    if (typeof word !== 'object' || word === null || typeof word.from !== 'string') return undefined;
    const message = word.message && readServerMessage(JSON.stringify(word.message));
    return { ...word, ...(message ? { message } : {}) };
  } catch {
    return undefined;
  }
}

type Refused = 403 | 404 | 503;

function refuse(stream: Duplex, status: Refused): void {
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  stream.on('finish', () => stream.destroy());
}

/** Milliseconds. */
const livenessEvery = 5_000;
const sessionsEvery = 500;
const aliveEvery = 10_000;
const lostAfter = 35_000;
const closeWithin = 2_000;

/** Bytes that may wait for a client that does not take them. */
const mostBuffered = 256 * 1024;

/** Connections that are sent away together. */
const atOnce = 100;
