import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres';
import type { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Database, Transaction } from '../../platform/database.ts';
import { currentSocketId } from '../../platform/request-socket.ts';
import { isCommitted } from '../../platform/run-transaction.ts';
import { replaceMethod } from './replace-method.ts';

/**
 * Runs a transaction in pipeline mode: `begin` and all statements that `work` sends in the same tick go to PostgreSQL
 * in one packet, which runs them in order.
 * @param work its first statements may only read and lock, because they run outside the transaction if only `begin`
 *   fails
 */
export async function runPipelined<Result>(
  pool: pg.Pool,
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { stream } = client.connection;
  const send = (...values: unknown[]): Promise<unknown> => {
    stream.cork();
    process.nextTick(() => stream.uncork());
    return Reflect.apply(client.query, client, values) as Promise<unknown>;
  };
  const opened = Promise.all([send('begin'), sendSocketId(send)]);
  // Results count only once the transaction is known to be open.
  const query = async (...values: unknown[]) => (await Promise.all([send(...values), opened]))[0];
  const transaction = transactionOn(replaceMethod(client, 'query', query), database);
  try {
    const result = await work(transaction);
    if (!isCommitted(transaction)) await query('commit');
    client.release();
    return result;
  } catch (error) {
    // PostgreSQL rolls back what a closed connection has not committed.
    await send('rollback').then(
      () => client.release(),
      () => client.release(true),
    );
    throw error;
  }
}

/** For the database function `broadcast`. */
const sendSocketId = async (send: (query: pg.QueryConfig) => Promise<unknown>): Promise<void> => {
  const socketId = currentSocketId();
  if (socketId) {
    const text = "select set_config('keyturn.socket_id', $1, true)";
    await send({ name: 'set_socket_id', text, values: [socketId] });
  }
};

/** Wraps a connection with an open transaction for Drizzle. */
function transactionOn(client: pg.PoolClient, database: Database): Transaction {
  const { dialect, session } = database as unknown as {
    dialect: PgDialect;
    session: { schema: ConstructorParameters<typeof NodePgTransaction>[2] };
  };
  const { schema } = session;
  return new NodePgTransaction(
    dialect,
    new NodePgSession(client, dialect, schema),
    schema,
  ) as unknown as Transaction;
}
