import type pg from 'pg';
import type { SharedConnections } from '../../platform/database.ts';
import { isUnanswered } from '../../platform/temporary-failure.ts';

/** A connection of the pool while statements of several requests are under way on it. */
interface Shared {
  connected: Promise<pg.PoolClient>;
  underWay: number;
  /** Gives the connection back to the pool, which closes it after a fault. */
  release(): void;
  /** Set once a statement was not answered. */
  fault?: Error;
}

/**
 * Lets reads share a few connections of a pool: a statement is sent while others of the same connection are still under
 * way. See decision 40.
 * @param limits.connections to share at most
 * @param limits.underWay statements on each of them; the next one gets a connection to itself
 */
export function shareConnections(
  pool: pg.Pool,
  limits: { connections: number; underWay: number },
): SharedConnections {
  const open = new Set<Shared>();

  function share(): Shared {
    const shared: Shared = { connected: pool.connect(), underWay: 0, release: () => {} };
    open.add(shared);
    const stopSharing = () => open.delete(shared);
    shared.connected.then((client) => {
      client.once('error', stopSharing);
      shared.release = () => {
        open.delete(shared);
        client.removeListener('error', stopSharing);
        // The pool also closes a connection that broke.
        client.release(shared.fault);
      };
    }, stopSharing);
    return shared;
  }

  /** Returns null if no more statements may share a connection. */
  function choose(): Shared | null {
    if (open.size < limits.connections) return share();
    let chosen: Shared | null = null;
    for (const shared of open) {
      if (shared.underWay < (chosen?.underWay ?? limits.underWay)) chosen = shared;
    }
    return chosen;
  }

  async function runOn<Row extends pg.QueryResultRow>(shared: Shared, statement: pg.QueryConfig) {
    shared.underWay += 1;
    try {
      const client = await shared.connected;
      sendTogether(client);
      return await client.query<Row>(statement);
    } catch (error) {
      if (isUnanswered(error)) {
        shared.fault = error as Error;
        open.delete(shared);
      }
      throw error;
    } finally {
      shared.underWay -= 1;
      if (shared.underWay === 0) shared.release();
    }
  }

  return {
    read: (statement) => {
      const shared = choose();
      return shared ? runOn(shared, statement) : pool.query(statement);
    },
  };
}

/** Sends what requests of the same turn of the event loop ask of a connection in one packet. */
function sendTogether({ connection: { stream } }: pg.PoolClient): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
