import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  url: string;
  close(): void;
}

/** Proxies several servers at one address. `choose` returns the URL of the server for each request; null: 404. */
export async function startReverseProxy(
  choose: (incoming: IncomingMessage) => string | null,
): Promise<ReverseProxy> {
  const server = createServer((incoming, outgoing) => {
    const url = choose(incoming);
    if (url === null) {
      outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
      return;
    }
    const { hostname, port } = new URL(url);
    const forwarded = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (received) => {
        outgoing.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
