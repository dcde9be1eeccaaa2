import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReverseProxy {
  url: string;
  close(): void;
}

/** One address for several servers. `choose` names the one that answers, each time anew. */
export async function startReverseProxy(choose: (asked: IncomingMessage) => string): Promise<ReverseProxy> {
  const server = createServer((asked, answer) => {
    const { hostname, port } = new URL(choose(asked));
    const forwarded = request(
      { hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
      (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      },
    );
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
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
