import type pg from 'pg';

export interface ServerWarningOptions {
  pool: pg.Pool;
  /** The maximum number of connections in the pool. */
  connections: number;
  /** Returns the time of this server in milliseconds. */
  now?: () => number;
}

/** Connections of a server that listen, outside its pool. */
const listening = 2;
/** Milliseconds. */
const maxClockSkew = 5_000;

/**
 * Finds what will cause faults although the database works now. Every server counts that listens for webhooks, so this one
 * must do so already.
 * @returns warnings for the log
 */
export async function findServerWarnings(options: ServerWarningOptions): Promise<string[]> {
  const { pool, connections, now = Date.now } = options;
  const askedAt = now();
  const { rows } = await pool.query<{ now: string; allowed: number; servers: number }>(
    `select extract(epoch from clock_timestamp()) * 1000 as now,
       least(
         current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - current_setting('reserved_connections')::int,
         (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
         (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as allowed,
       (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = 'keyturn webhooks') as servers`,
  );
  const answeredAt = now();
  const [found] = rows;
  if (!found) return [];
  return [
    clockWarning(Number(found.now), askedAt, answeredAt),
    connectionWarning(found.servers * (connections + listening), found),
  ].filter((warning) => warning !== null);
}

/** The database read its clock at some time between the question and the answer. */
function clockWarning(databaseNow: number, askedAt: number, answeredAt: number): string | null {
  const skew = askedAt > databaseNow ? askedAt - databaseNow : Math.min(0, answeredAt - databaseNow);
  if (Math.abs(skew) <= maxClockSkew) return null;
  const seconds = Math.round(Math.abs(skew) / 1_000);
  return `the clock of this server is ${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the database’s: synchronise both, for example with NTP`;
}

function connectionWarning(
  needed: number,
  { servers, allowed }: { servers: number; allowed: number },
): string | null {
  if (needed <= allowed) return null;
  return `the ${servers} servers of this database may need ${needed} connections, and it allows ${allowed}: raise max_connections of PostgreSQL, or lower KEYTURN_DATABASE_CONNECTIONS`;
}
