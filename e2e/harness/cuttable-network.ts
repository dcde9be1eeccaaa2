import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy to the product. Cutting it ends its connections and rejects new ones. */
export interface CuttableNetwork {
  url: string;
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCuttableNetwork(target: string): Promise<CuttableNetwork> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
      end();
    },
    restore: () => {
      isCut = false;
    },
    close: () =>
      new Promise((closed) => {
        end();
        server.close(() => closed());
      }),
  };
}
