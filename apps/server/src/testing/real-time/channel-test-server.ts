import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type App, authoriseChannel, authoriseUser } from '@keyturn/pusher-protocol';
import PusherServer from 'pusher';
import {
  type ChannelServer,
  type ChannelServerOptions,
  createChannelServer,
} from '../../adapters/websocket/create-channel-server.ts';
import type { EventDelivery } from '../../live/channels/ports.ts';

/** A channel server with WebSockets and HTTP, but without a database. */
export interface TestChannelServer {
  app: App;
  channels: ChannelServer;
  http: Server;
  url: string;
  /** `ws://…/app/{key}?protocol=7` */
  address: string;
  /** The official server library, which publishes to this server. */
  publisher: PusherServer;
  /** A response of the auth endpoints that replaces the regular one. */
  authOverride: { status: number; body: string; after?: number } | undefined;
  /** Number of requests to the auth endpoints. */
  authRequests: number;
  stop(): Promise<void>;
}

/** For networks that carry only messages between servers. */
export const noEvents: EventDelivery = {
  deliver: () => {},
  onCheck: () => {},
  replay: () => {},
  replayChannels: () => {},
};

/** Servers with the same network receive each other's messages. */
export type TestNetwork = Set<(message: string) => void>;

/** Starts a test server that allows every subscription to the user named in the `x-user` header. */
export async function startTestChannelServer(
  options: Partial<ChannelServerOptions> & { network?: TestNetwork } = {},
): Promise<TestChannelServer> {
  const { network = new Set() } = options;
  const app = { id: '42', key: 'key', secret: 'secret-of-the-app' };
  const channels = createChannelServer({
    app,
    path: '',
    allowedOrigins: [],
    allowedHosts: [],
    trustedProxies: 0,
    findLiveSessions: async (sessions) => new Map(sessions.map((session) => [session, Date.now() + 60_000])),
    onError: (error) => {
      throw error;
    },
    onServerMessages: () => {
      // Asynchronously and in order, as with the database.
      queueMicrotask(() => {
        for (let message = channels.takeServerMessage(); message; message = channels.takeServerMessage()) {
          for (const receive of network) receive(message);
        }
      });
    },
    ...options,
    limits: { framesPerWindow: 10_000, connectionsPerAddress: 10_000, ...options.limits },
  });
  network.add(channels.receiveServerMessage);
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: TestChannelServer = {
    app,
    channels,
    http,
    url: `http://127.0.0.1:${port}`,
    address: `ws://127.0.0.1:${port}/app/${app.key}?protocol=7`,
    publisher: new PusherServer({
      appId: app.id,
      key: app.key,
      secret: app.secret,
      host: '127.0.0.1',
      port: String(port),
      useTLS: false,
    }),
    authOverride: undefined,
    authRequests: 0,
    stop: async () => {
      network.delete(channels.receiveServerMessage);
      await channels.stop();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  http.on('request', (request, response) => {
    void respond(server, request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
  });
  channels.attach(http);
  return server;
}

async function respond(server: TestChannelServer, request: IncomingMessage) {
  const { app, channels } = server;
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const bytes = Buffer.concat(await request.toArray());
  if (!path.startsWith('/broadcasting/')) {
    return channels.handleHttpApiRequest({ method: request.method ?? '', path, query, body: bytes });
  }
  server.authRequests++;
  if (server.authOverride) {
    const { status, body, after = 0 } = server.authOverride;
    await new Promise((resolve) => setTimeout(resolve, after));
    return { status, body };
  }
  const user = request.headers['x-user'];
  const body = { contentType: request.headers['content-type'], text: bytes.toString() };
  if (typeof user !== 'string') return { status: 403, body: '{}' };
  if (path.endsWith('/user-auth')) return authoriseUser(app, body, { id: user, userInfo: { name: user } });
  return authoriseChannel(app, body, (channel) =>
    channel.startsWith('private-') ? true : { userId: user, userInfo: { name: user } },
  );
}
