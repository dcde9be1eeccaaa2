import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type App, authoriseChannel, authoriseUser } from '@keyturn/pusher-protocol';
import PusherServer from 'pusher';
import {
  type ChannelServer,
  type ChannelServerOptions,
  createChannelServer,
} from '../../adapters/websocket/create-channel-server.ts';

/** A channel server for tests: with sockets and HTTP, and without a database. */
export interface TrialServer {
  app: App;
  channels: ChannelServer;
  http: Server;
  url: string;
  /** `ws://…/app/{key}?protocol=7` */
  address: string;
  /** The real library for servers, which publishes here. */
  publisher: PusherServer;
  /** What the auth endpoints answer instead of what is right; undefined: what is right. */
  faultyAuth: { status: number; body: string; after?: number } | undefined;
  /** How often the auth endpoints were asked. */
  asked: number;
  stop(): Promise<void>;
}

/** What servers with the same one hear of each other. */
export type TrialNetwork = Set<(message: string) => void>;

/** Whoever names themself in `x-user` may listen to everything. */
export async function startTrialServer(
  options: Partial<ChannelServerOptions> & { network?: TrialNetwork } = {},
): Promise<TrialServer> {
  const { network = new Set() } = options;
  const app = { id: '42', key: 'key', secret: 'secret-of-the-app' };
  const channels = createChannelServer({
    app,
    path: '',
    allowedOrigins: [],
    trustedProxies: 0,
    findLiveSessions: async (sessions) => new Map(sessions.map((session) => [session, Date.now() + 60_000])),
    onError: (error) => {
      throw error;
    },
    tell: (message) => {
      // Later, and in order, as the database tells it.
      for (const hear of network) queueMicrotask(() => hear(message));
    },
    ...options,
    limits: { framesPerWindow: 10_000, connectionsPerAddress: 10_000, ...options.limits },
  });
  network.add(channels.hear);
  const http = createServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: TrialServer = {
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
    faultyAuth: undefined,
    asked: 0,
    stop: async () => {
      network.delete(channels.hear);
      await channels.stop();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  http.on('request', (request, response) => {
    void answer(server, request).then(({ status, body }) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
  });
  channels.attach(http);
  return server;
}

async function answer(server: TrialServer, request: IncomingMessage) {
  const { app, channels } = server;
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const bytes = Buffer.concat(await request.toArray());
  if (!path.startsWith('/broadcasting/')) {
    return channels.answer({ method: request.method ?? '', path, query, body: bytes });
  }
  server.asked++;
  if (server.faultyAuth) {
    const { status, body, after = 0 } = server.faultyAuth;
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
