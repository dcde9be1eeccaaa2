import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './create-metrics.ts';

export interface ServedMetrics {
  /** The URL of the metrics. */
  address: string;
  stop(): Promise<void>;
}

/** Serves the metrics at `/metrics` on a separate port, which should not be public. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, port }: { host: string; port: number },
): Promise<ServedMetrics> {
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    response.setHeader('cache-control', 'no-store');
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, host, listening);
  });
  const { address, port: chosen } = server.address() as AddressInfo;
  return {
    address: `http://${address.includes(':') ? `[${address}]` : address}:${chosen}/metrics`,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
}
