import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { caddySeconds } from './deploy-settings.ts';

export interface BalancingProxy {
  url: string;
  /** Whether the last check found a server ready. */
  isReady(server: string): boolean;
  /** Requests that broke, oldest first. Clients would have noticed them. */
  broken: string[];
  close(): Promise<void>;
}

/** Milliseconds. */
const check = {
  interval: caddySeconds('health_interval') * 1_000,
  timeout: caddySeconds('health_timeout') * 1_000,
};
/**
 * Milliseconds for which a connection of a client stays open without a request: five minutes, as in Caddy. With Node's five
 * seconds, requests would often meet a connection that is being closed. A browser repeats those, but `fetch` of Node fails.
 */
const keepAliveTimeout = 300_000;
/** Milliseconds after which a request that found no server ready tries again. */
const tryInterval = 250;

/**
 * Proxies servers at one address as `deploy/Caddyfile` does: it checks their readiness, keeps connections to them open,
 * and tries another server only if one does not accept a connection. While no server is ready, requests wait.
 */
export async function startBalancingProxy(servers: readonly string[]): Promise<BalancingProxy> {
  const ready = new Set<string>();
  const broken: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let isClosed = false;
  let turn = 0;

  const chooseServer = async (): Promise<URL> => {
    for (;;) {
      const candidates = servers.filter((server) => ready.has(server));
      const chosen = candidates[turn++ % Math.max(candidates.length, 1)];
      if (chosen) return new URL(chosen);
      await pause(tryInterval);
    }
  };
  const onRefused = (server: URL) => ready.delete(server.origin);

  const forward = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const server = await chooseServer();
    const { method, url: path, headers } = incoming;
    const { hostname, port } = server;
    const forwarded = request({ agent, hostname, port, path, method, headers }, (received) => {
      outgoing.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(outgoing);
      received.once('error', () => outgoing.destroy());
    });
    forwarded.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        onRefused(server);
        return void forward(incoming, outgoing);
      }
      if (incoming.destroyed || outgoing.destroyed) return;
      broken.push(`${method} ${path}: ${error.message}`);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    // If a caller disconnects, its request to the server ends too.
    outgoing.once('close', () => outgoing.writableFinished || forwarded.destroy());
    // Piped once the connection is open, so that a refused request can be sent to another server.
    forwarded.once('socket', (socket) => {
      const send = () => incoming.pipe(forwarded);
      if (socket.connecting) socket.once('connect', send);
      else send();
    });
  };

  const tunnel = async (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = await chooseServer();
    const server = connect(Number(target.port), target.hostname);
    server.once('connect', () => {
      server.write(requestHead(incoming));
      server.write(head);
      client.pipe(server).pipe(client);
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        onRefused(target);
        return void tunnel(incoming, client, head);
      }
      client.destroy();
    });
    client.once('error', () => server.destroy());
    client.once('close', () => server.destroy());
  };

  const watch = async (server: string) => {
    while (!isClosed) {
      const isReady = await fetch(`${server}/readyz`, { signal: AbortSignal.timeout(check.timeout) })
        .then((answer) => answer.ok)
        .catch(() => false);
      if (isReady) ready.add(server);
      else ready.delete(server);
      await pause(check.interval);
    }
  };

  const sockets = new Set<Duplex>();
  const proxy = createServer({ keepAliveTimeout }, (incoming, outgoing) => void forward(incoming, outgoing));
  proxy.on('upgrade', (incoming, client, head) => void tunnel(incoming, client, head));
  proxy.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const watching = servers.map(watch);
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    isReady: (server) => ready.has(server),
    broken,
    close: async () => {
      isClosed = true;
      proxy.close();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
      await Promise.all(watching);
    },
  };
}

function requestHead({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
