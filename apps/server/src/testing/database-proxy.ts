import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { throughPort } from './through-port.ts';

/** The direction from or to PostgreSQL of one connection. */
interface Side {
  socket: Socket;
  isSilent: boolean;
}

/**
 * Starts a proxy to the database. `cut` breaks and rejects all connections; `silent` passes no data on, until it breaks
 * them when it ends. `silenceOpenConnections` keeps those of that moment open for good without passing data on, as a
 * network does after a fail-over; new ones work.
 */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sides = new Set<Side>();
  let state: 'open' | 'cut' | 'silent' = 'open';
  const breakConnections = () => {
    for (const { socket } of sides) socket.destroy();
  };
  const listener = createServer((client) => {
    if (state === 'cut') return client.destroy();
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      const side: Side = { socket: from, isSilent: false };
      sides.add(side);
      from.on('error', () => {});
      from.on('close', () => {
        sides.delete(side);
        to.destroy();
      });
      from.on('data', (part) => {
        if (state === 'open' && !side.isSilent) to.write(part);
      });
    }
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  return {
    url: throughPort(databaseUrl, (listener.address() as AddressInfo).port),
    set(next: typeof state) {
      // Data lost during the silence would leave its connection waiting forever.
      if (next === 'cut' || state === 'silent') breakConnections();
      state = next;
    },
    silenceOpenConnections() {
      for (const side of sides) side.isSilent = true;
    },
    close: () =>
      new Promise((closed) => {
        breakConnections();
        listener.close(closed);
      }),
  };
}
