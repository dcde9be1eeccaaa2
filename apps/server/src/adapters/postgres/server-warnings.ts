import type pg from 'pg';

export interface ServerWarningOptions {
  pool: pg.Pool;
  /** The maximum number of connections in the pool. */
  connections: number;
}

/** Connections of a server that listen, outside its pool. */
const listening = 2;

/**
 * Finds what will cause faults although the database works now. Every server counts that listens for webhooks, so this one
 * must do so already.
 * @returns warnings for the log
 */
export async function findServerWarnings(options: ServerWarningOptions): Promise<string[]> {
  const { pool, connections } = options;
  const { rows } = await pool.query<{ allowed: number; servers: number }>(
    `select least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - current_setting('reserved_connections')::int,
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as allowed,
       (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'keyturn webhooks') as servers`,
  );
  const [found] = rows;
  const warning = found && connectionWarning(found.servers * (connections + listening), found);
  return warning ? [warning] : [];
}

function connectionWarning(
  needed: number,
  { servers, allowed }: { servers: number; allowed: number },
): string | null {
  if (needed <= allowed) return null;
  return `the ${servers} servers of this database may need ${needed} connections, and it allows ${allowed}: raise max_connections of PostgreSQL, or lower KEYTURN_DATABASE_CONNECTIONS`;
}
