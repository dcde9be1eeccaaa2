import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database } from '../../platform/database.ts';
import * as paymentTables from '../../platform/payment-tables.ts';
import { askingSocket } from '../../platform/request-socket.ts';
import * as tables from '../../platform/tables.ts';

export interface ConnectedDatabase {
  database: Database;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface PoolOptions {
  url: string;
  /** Connections at most. */
  size?: number;
  /** Told of connections that broke while idle; the pool replaces them. */
  onIdleError?: (error: Error) => void;
}

/** A pool on one database. No statement waits for ever: 10 s to run, 5 s for a lock, 5 s for a connection. */
export function connectDatabase(options: PoolOptions): ConnectedDatabase {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.size ?? 20,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'keyturn',
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // While a connection is lent out its statement fails with the same error: that is where it is told.
  pool.on('connect', (client) => client.on('error', () => {}));
  const database = tellingSocket(drizzle(pool, { schema: { ...tables, ...paymentTables } }));
  return { database, pool, close: () => pool.end() };
}

/** Each transaction of a request knows the request's own connection (`broadcast` of migration 12 reads it). */
function tellingSocket(database: Database): Database {
  const begin = database.transaction.bind(database);
  database.transaction = (work, config) =>
    begin(async (transaction) => {
      const socketId = askingSocket();
      if (socketId) await transaction.execute(sql`select set_config('keyturn.socket_id', ${socketId}, true)`);
      return work(transaction);
    }, config);
  return database;
}
