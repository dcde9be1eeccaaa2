import { type App, signChannel, signUser } from '@keyturn/pusher-protocol';
import Pusher, { type Options } from 'pusher-js';
import { type ClientOptions, WebSocket } from 'ws';
import type { TestChannelServer } from './channel-test-server.ts';

export interface Frame {
  event: string;
  channel?: string;
  data?: unknown;
  user_id?: string;
}

/** A WebSocket that sends only what the test sends. The `data` of received frames is parsed. */
export interface RawClient {
  socket: WebSocket;
  socketId: string;
  /** Received frames that `next` has not returned yet. */
  inbox: Frame[];
  /** Sends a string unchanged, any other value as JSON. */
  send(frame: unknown): void;
  /** Removes and returns the first frame of an event and channel; waits for it if necessary. */
  next(event: string, channel?: string): Promise<Frame>;
  /** Subscribes with a valid signature, or with the given one. */
  subscribe(channel: string, channelData?: object, auth?: string): void;
  signIn(userId: string): void;
  /** Resolves when the server has processed everything sent before. */
  processed(): Promise<void>;
  /** Resolves with the close code. */
  closed: Promise<number>;
}

type Target = Pick<TestChannelServer, 'address' | 'app'>;

const rawSockets: WebSocket[] = [];
const pusherClients: Pusher[] = [];

export async function openRawClient(
  { address, app }: Target,
  options: ClientOptions & { address?: string } = {},
): Promise<RawClient> {
  const socket = new WebSocket(options.address ?? address, options);
  rawSockets.push(socket);
  const inbox: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (bytes) => {
    const { data, ...frame } = JSON.parse(String(bytes));
    inbox.push({ ...frame, ...(data === undefined ? {} : { data: parseData(data) }) });
    for (const check of waiting) check();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const next = (event: string, channel?: string) =>
    new Promise<Frame>((resolve, reject) => {
      const timeout = setTimeout(() => {
        waiting.delete(check);
        reject(new Error(`${event} was not received; inbox: ${JSON.stringify(inbox)}`));
      }, 20_000);
      const check = () => {
        const index = inbox.findIndex(
          (frame) => frame.event === event && (channel === undefined || frame.channel === channel),
        );
        if (index < 0) return;
        clearTimeout(timeout);
        waiting.delete(check);
        resolve(inbox.splice(index, 1)[0] as Frame);
      };
      waiting.add(check);
      check();
    });
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => {});
  const first = await next('pusher:connection_established');
  const socketId = (first.data as { socket_id: string }).socket_id;
  return {
    socket,
    socketId,
    inbox,
    send,
    next,
    closed,
    subscribe: (channel, channelData, auth) => {
      const needsSignature = /^(private|presence)-/.test(channel);
      const text = channelData === undefined ? null : JSON.stringify(channelData);
      const signed = needsSignature ? signChannel(app, socketId, channel, text) : { auth: '' };
      const data = { channel, ...signed, ...(auth === undefined ? {} : { auth }) };
      send({ event: 'pusher:subscribe', data });
    },
    signIn: (userId) =>
      send({ event: 'pusher:signin', data: signUser(app, socketId, JSON.stringify({ id: userId })) }),
    processed: async () => {
      send({ event: 'pusher:ping', data: {} });
      await next('pusher:pong');
    },
  };
}

/** Resolves with the HTTP status of a rejected upgrade, the close code of a rejected connection, or 101. */
export const outcomeOfUpgrade = (address: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers });
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.on('close', resolve);
    socket.on('error', reject);
    socket.on('message', (text) => {
      if (!String(text).includes('connection_established')) return;
      resolve(101);
      socket.terminate();
    });
  });

/** Credentials of a test server, and the settings with them. */
export const testApp: App = { id: '42', key: 'key', secret: 'a-secret-of-this-test' };
export const testAppEnv = {
  KEYTURN_REALTIME_KEY: testApp.key,
  KEYTURN_REALTIME_SECRET: testApp.secret,
  KEYTURN_REALTIME_APP_ID: testApp.id,
};

/** A raw client of a complete server that authorises subscriptions through `/broadcasting/auth`. */
export interface SignedInSocket extends RawClient {
  headers: { authorization: string };
  /** Subscribes if `/broadcasting/auth` responds with 200. @returns the status of the response */
  subscribeWithAuth(channel: string): Promise<number>;
}

/** A complete server from `createTestServer`. */
interface SigningServer {
  url: string;
  signInAs(clientId: string): Promise<{ authorization: string }>;
}

/** Opens a client of a complete server. @param authServer the server whose auth endpoint it uses; by default the same */
export async function openSignedInClient(
  server: SigningServer,
  clientId: string,
  { authServer = server, headers }: { authServer?: SigningServer; headers?: { authorization: string } } = {},
): Promise<SignedInSocket> {
  const signedIn = headers ?? (await server.signInAs(clientId));
  const raw = await openRawClient({
    app: testApp,
    address: `${server.url.replace('http', 'ws')}/app/${testApp.key}?protocol=7`,
  });
  return {
    ...raw,
    headers: signedIn,
    subscribeWithAuth: async (channel) => {
      const answer = await fetch(`${authServer.url}/broadcasting/auth`, {
        method: 'POST',
        headers: { ...signedIn, 'content-type': 'application/json' },
        body: JSON.stringify({ socket_id: raw.socketId, channel_name: channel }),
      });
      if (answer.status !== 200) return answer.status;
      const allowed = (await answer.json()) as object;
      raw.send({ event: 'pusher:subscribe', data: { channel, ...allowed } });
      await raw.next('pusher_internal:subscription_succeeded', channel);
      return 200;
    },
  };
}

/** Opens pusher-js, authenticated as `user` if given. */
export function openPusherClient(
  { url, app }: Pick<TestChannelServer, 'url' | 'app'>,
  { user, ...options }: Partial<Options> & { user?: string } = {},
): Pusher {
  const { hostname, port } = new URL(url);
  const headers = user === undefined ? {} : { 'x-user': user };
  const client = new Pusher(app.key, {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws', 'wss'],
    channelAuthorization: { endpoint: `${url}/broadcasting/auth`, transport: 'ajax', headers },
    userAuthentication: { endpoint: `${url}/broadcasting/user-auth`, transport: 'ajax', headers },
    ...options,
  });
  pusherClients.push(client);
  return client;
}

/** Resolves with the data of an event of a channel, connection or client; rejects after 20 seconds. */
export const waitForEvent = <Data>(
  emitter: { bind(event: string, callback: (data: Data) => void): unknown },
  event: string,
): Promise<Data> =>
  new Promise((resolve, reject) => {
    const timeout = setTimeout(() => reject(new Error(`${event} was not received`)), 20_000);
    emitter.bind(event, (data) => {
      clearTimeout(timeout);
      resolve(data);
    });
  });

/** Closes all clients of a test: call it in `afterEach`. */
export function closeTestClients(): void {
  for (const socket of rawSockets.splice(0)) socket.terminate();
  for (const client of pusherClients.splice(0)) client.disconnect();
}

function parseData(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
