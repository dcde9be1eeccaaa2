import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Database, SharedConnections, Transaction } from '../../platform/database.ts';
import { currentSocketId } from '../../platform/request-socket.ts';
import type { TransactionOptions } from '../../platform/run-transaction.ts';
import { isUnanswered } from '../../platform/temporary-failure.ts';
import * as paymentTables from '../../schema/tables/payment-tables.ts';
import * as tables from '../../schema/tables/tables.ts';
import { nameServer } from './check-connection.ts';
import { runPipelined } from './pipelined-transaction.ts';
import { replaceMethod } from './replace-method.ts';
import { shareConnections } from './shared-connections.ts';

export interface ConnectedDatabase {
  database: Database;
  /** Connections of the pool that reads share. */
  sharedConnections: SharedConnections;
  pool: pg.Pool;
  close(): Promise<void>;
}

export interface PoolOptions {
  url: string;
  /** The maximum number of connections. */
  size?: number;
  /** Called when an idle connection breaks; the pool replaces it. */
  onIdleError?: (error: Error) => void;
}

/**
 * Opens a connection pool. Timeouts limit every wait: 10 s for a statement, 5 s for a lock, 5 s for a connection, and
 * 11.5 s for the answer of a connection that may be silently dead.
 */
export function connectDatabase(options: PoolOptions): ConnectedDatabase {
  const { size = 20 } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    max: size,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: statementTimeout + answerMargin,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'keyturn',
    // Statements that are sent at the same moment on one connection do not wait for each other's answers.
    pipeline: true,
    // The pool waits for the promise, although its types do not say so.
    onConnect: configureSession as (client: pg.ClientBase) => void,
  });
  pool.on('error', (error, client) => options.onIdleError?.(nameServer(client, error)));
  // On a connection in use, the statement fails with the same error and reports it.
  pool.on('connect', (client) => client.on('error', () => discardIdleConnections(pool)));
  pool.on('release', (error) => {
    if (isUnanswered(error)) discardIdleConnections(pool);
  });
  const database = withSocketId(
    drizzle(releasingAfterFailedStart(pool), { schema: { ...tables, ...paymentTables } }),
  );
  withStatementTimeouts(database);
  withPipelinedTransactions(database, pool);
  const sharedConnections = shareConnections(pool, {
    connections: Math.min(maxShared, Math.ceil(size / 2)),
    underWay: maxUnderWay,
  });
  return { database, sharedConnections, pool, close: () => pool.end() };
}

/** More of them are slower where PostgreSQL has few cores, and one Node.js process cannot use more. */
const maxShared = 4;
/** Statements on each, so that a connection that does not answer delays few requests. */
const maxUnderWay = 16;

/** Sets the timeouts of a session. Start-up parameters would not work, because PgBouncer refuses them. */
const configureSession = (client: pg.ClientBase): Promise<unknown> =>
  client.query({ text: sessionSettings, query_timeout: 5_000 } as pg.QueryConfig);

/** Milliseconds. */
const statementTimeout = 10_000;
/**
 * Milliseconds after which a statement that PostgreSQL should have ended counts as unanswered. `pg` then destroys the
 * connection, because its other statements would wait for the same answer.
 */
const answerMargin = 1_500;

/**
 * Times are in milliseconds. JIT is off because compiling our short statements would take longer than running them.
 */
const sessionSettings = `set statement_timeout = ${statementTimeout}; set lock_timeout = 5000;
  set idle_in_transaction_session_timeout = 15000; set jit = off`;

/** Sets the socket id of the current request in each transaction, for the database function `broadcast`. */
function withSocketId(database: Database): Database {
  const runInTransaction = database.transaction.bind(database);
  database.transaction = (work, config) =>
    runInTransaction(async (transaction) => {
      const socketId = currentSocketId();
      if (socketId) await transaction.execute(sql`select set_config('keyturn.socket_id', ${socketId}, true)`);
      return work(transaction);
    }, config);
  return database;
}

/**
 * Closes the idle connections after one in use broke or did not answer: whatever happened to it may have happened to
 * them, and each would cost a request.
 */
function discardIdleConnections(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => {
        // A dead connection would never confirm that it ends.
        client.connection.stream.destroy();
        client.release(true);
      },
      () => {},
    );
  }
}

/** Runs transactions with the option `statementTimeout` with that limit. */
function withStatementTimeouts(database: Database): void {
  const runInTransaction = database.transaction.bind(database);
  database.transaction = (work, options?: TransactionOptions) => {
    const limit = options?.statementTimeout;
    if (limit === undefined) return runInTransaction(work, options);
    return runInTransaction(async (transaction) => {
      const { connectionParameters } = clientOf(transaction);
      connectionParameters.query_timeout = limit + answerMargin;
      try {
        await transaction.execute(sql.raw(`set local statement_timeout = ${limit}`));
        return await work(transaction);
      } finally {
        connectionParameters.query_timeout = statementTimeout + answerMargin;
      }
    }, options);
  };
}

/** The type definitions lack the connection of a transaction, and its parameters. */
const clientOf = (transaction: Transaction) =>
  (transaction as unknown as { session: { client: { connectionParameters: { query_timeout: number } } } })
    .session.client;

/** Runs transactions with the option `isPipelined` as `runPipelined` does. */
function withPipelinedTransactions(database: Database, pool: pg.Pool): void {
  const runInTransaction = database.transaction.bind(database);
  database.transaction = (work, options?: TransactionOptions) =>
    options?.isPipelined ? runPipelined(pool, database, work) : runInTransaction(work, options);
}

/**
 * A view of a pool for Drizzle, which does not release the connection of a transaction whose first statement fails: the
 * pool would lose each connection that breaks at that moment.
 */
function releasingAfterFailedStart(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query as (...values: unknown[]) => Promise<unknown>;
    const queryFirst = async (...values: unknown[]) => {
      Object.assign(client, { query });
      try {
        return await query.apply(client, values);
      } catch (error) {
        client.release(true);
        throw error;
      }
    };
    return Object.assign(client, { query: queryFirst });
  };
  return replaceMethod(pool, 'connect', connect);
}
