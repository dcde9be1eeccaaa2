import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describeError } from '../../platform/describe-error.ts';
import { StartFault } from '../../platform/start-fault.ts';

/**
 * Checks that a database can be reached, and that each connection is one session.
 * @param setting names the setting with the address, for messages
 * @throws StartFault
 */
export async function checkConnection(url: string, setting: string): Promise<void> {
  const open = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const clients: pg.Client[] = [];
  try {
    const first = await open();
    clients.push(first);
    await first.query('select 1');
    const second = await open();
    clients.push(second);
    if (await shareSessions(first, second)) throw new StartFault(poolerMessage(setting));
  } catch (error) {
    throw error instanceof StartFault ? error : new StartFault(faultMessage(url, setting, error));
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/**
 * Finds whether a pooler lends sessions to two connections for single transactions. It then either gives both the same
 * session, or gives the first another one while the second keeps it.
 */
async function shareSessions(first: pg.Client, second: pg.Client): Promise<boolean> {
  const mark = randomUUID();
  await first.query("select set_config('keyturn.session_check', $1, false)", [mark]);
  const hasMark = async (client: pg.Client) => {
    const { rows } = await client.query("select current_setting('keyturn.session_check', true) as mark");
    return rows[0]?.mark === mark;
  };
  // A pooler may lend its sessions in turn, so the connections ask in changing orders.
  for (let times = 1; times <= 4; times++) {
    for (let time = 0; time < times; time++) if (await hasMark(second)) return true;
    if (!(await hasMark(first))) return true;
  }
  await second.query('begin');
  try {
    return (await hasMark(second)) || !(await hasMark(first));
  } finally {
    await second.query('rollback');
  }
}

const poolerMessage = (setting: string) =>
  `${setting} leads to a connection pooler that lends sessions for single transactions: set pool_mode = session there. ` +
  'Live updates listen on a session, and time limits and prepared statements belong to one.';

function faultMessage(url: string, setting: string, error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  const reason = message || code || String(error);
  const address = addressOf(url);
  if (address === null) return `${setting} cannot be used (${reason}).`;
  const { server, path } = address;
  if (code !== undefined && certificateFaults.test(code)) {
    return `The certificate of the database at ${server} could not be verified (${reason}): in ${setting}, name the host as its certificate does, and add sslrootcert=FILE with the certificate of the CA that issued it.`;
  }
  return `The database at ${server}${path} cannot be reached (${reason}): check ${setting}, and that PostgreSQL is running there.`;
}

/** Describes where the driver connects to, without a password. @returns null if the driver rejects the URL */
function addressOf(url: string): { server: string; path: string } | null {
  try {
    const client = new pg.Client({ connectionString: url });
    const isSocket = client.host.startsWith('/');
    return { server: serverOf(client), path: isSocket || !client.database ? '' : `/${client.database}` };
  } catch {
    return null;
  }
}

/** Names the host and port of a connection, or its socket. */
export function serverOf({ host, port }: Pick<pg.Client, 'host' | 'port'>): string {
  if (host.startsWith('/')) return `${host}/.s.PGSQL.${port}`;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Names the server of a connection in the message of its failure, for the log. */
export const nameServer = (client: Pick<pg.Client, 'host' | 'port'>, error: unknown): Error =>
  new Error(`the database at ${serverOf(client)}: ${describeError(error).message}`, { cause: error });

/** Node.js’s codes for a certificate that is not trusted, is for another host, or has expired. */
const certificateFaults = /SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|^CERT_/;
