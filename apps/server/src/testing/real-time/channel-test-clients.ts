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

/** A bare socket: nothing is sent but what the test sends. `data` of frames is parsed. */
export interface RawClient {
  socket: WebSocket;
  socketId: string;
  /** What came and was not taken yet. */
  inbox: Frame[];
  /** Text as it is, anything else as JSON. */
  send(frame: unknown): void;
  /** Takes the first frame of this event, and of this channel, that there is or will be. */
  next(event: string, channel?: string): Promise<Frame>;
  /** Signed as the server wants it, unless it comes with a signature. */
  subscribe(channel: string, channelData?: object, auth?: string): void;
  signIn(userId: string): void;
  /** Resolves when the server has dealt with all that was sent before. */
  processed(): Promise<void>;
  /** The close code, once it is closed. */
  closed: Promise<number>;
}

type Target = Pick<TestChannelServer, 'address' | 'app'>;

const raws: WebSocket[] = [];
const browsers: Pusher[] = [];

export async function openRawClient(
  { address, app }: Target,
  options: ClientOptions & { address?: string } = {},
): Promise<RawClient> {
  const socket = new WebSocket(options.address ?? address, options);
  raws.push(socket);
  const inbox: Frame[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (bytes) => {
    const { data, ...frame } = JSON.parse(String(bytes));
    inbox.push({ ...frame, ...(data === undefined ? {} : { data: parsed(data) }) });
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  const next = (event: string, channel?: string) =>
    new Promise<Frame>((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`no ${event} came, but ${JSON.stringify(inbox)}`));
      }, 5_000);
      const look = () => {
        const at = inbox.findIndex(
          (frame) => frame.event === event && (channel === undefined || frame.channel === channel),
        );
        if (at < 0) return;
        clearTimeout(late);
        waiting.delete(look);
        resolve(inbox.splice(at, 1)[0] as Frame);
      };
      waiting.add(look);
      look();
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
      const guarded = /^(private|presence)-/.test(channel);
      const text = channelData === undefined ? null : JSON.stringify(channelData);
      const signed = guarded ? signChannel(app, socketId, channel, text) : { auth: '' };
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

/** Settings of a server for tests whose key and secret are known. */
export const testApp: App = { id: '42', key: 'key', secret: 'a-secret-of-this-test' };
export const testAppEnv = {
  KEYTURN_REALTIME_KEY: testApp.key,
  KEYTURN_REALTIME_SECRET: testApp.secret,
  KEYTURN_REALTIME_APP_ID: testApp.id,
};

/** A bare socket on a whole server, which asks `/broadcasting/auth` as a browser does. */
export interface SignedInClient extends RawClient {
  headers: { authorization: string };
  /** @returns the status of the answer of `/broadcasting/auth`; on 200 it listens */
  listen(channel: string): Promise<number>;
}

/** A whole server, of `createTestServer`. */
interface SigningServer {
  url: string;
  signInAs(clientId: string): Promise<{ authorization: string }>;
}

/** @param askAt the server whose auth endpoint is asked; the same one when missing */
export async function openSignedInClient(
  server: SigningServer,
  clientId: string,
  { askAt = server, headers }: { askAt?: SigningServer; headers?: { authorization: string } } = {},
): Promise<SignedInClient> {
  const signedIn = headers ?? (await server.signInAs(clientId));
  const raw = await openRawClient({
    app: testApp,
    address: `${server.url.replace('http', 'ws')}/app/${testApp.key}?protocol=7`,
  });
  return {
    ...raw,
    headers: signedIn,
    listen: async (channel) => {
      const answer = await fetch(`${askAt.url}/broadcasting/auth`, {
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

/** pusher-js, as a browser has it; signed in as `user`, where that is given. */
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
  browsers.push(client);
  return client;
}

/** Resolves with what the event brings, of a channel, a connection or a client; fails after five seconds. */
export const waitForEvent = <Data>(
  of: { bind(event: string, callback: (data: Data) => void): unknown },
  event: string,
): Promise<Data> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${event} did not come`)), 5_000);
    of.bind(event, (data) => {
      clearTimeout(late);
      resolve(data);
    });
  });

/** For `afterEach`. */
export function closeTestClients(): void {
  for (const socket of raws.splice(0)) socket.terminate();
  for (const client of browsers.splice(0)) client.disconnect();
}

function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data;
  try {
    return JSON.parse(data);
  } catch {
    return data;
  }
}
