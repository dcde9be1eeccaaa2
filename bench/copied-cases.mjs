// @ts-check
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/* Creates more cases for a benchmark than the demonstration firm has. */

const pg = createRequire(new URL('../apps/server/package.json', import.meta.url))('pg');

/**
 * Returns the URL with which the owner connects to the database that a server with this data folder has started.
 * @param {string} folder
 */
export function databaseOfServer(folder) {
  const password = readFileSync(join(folder, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://keyturn:${password}@127.0.0.1:${port}/keyturn`;
}

/**
 * Gives a server with an empty data folder the documents of another one, as servers of one database must have.
 * @param {string} folder @param {string} other
 */
export function shareDocuments(folder, other) {
  symlinkSync(join(other, 'documents'), join(folder, 'documents'));
}

/** @param {string} databaseUrl */
export async function connect(databaseUrl) {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  return connection;
}

const tables =
  'conveyancing_cases clients case_clients matters milestones documents document_reads document_signatures case_searches tasks bills history_entries';

/**
 * Copies the demonstration firm's cases, each with its clients, and signs clients in.
 * @param {string} databaseUrl
 * @param {number} cases the number of cases, and of clients to sign in
 * @returns {Promise<{ token: string, clientId: string, caseId: string }[]>} the clients
 */
export async function copyCases(databaseUrl, cases) {
  const connection = await connect(databaseUrl);
  // Turns off foreign keys and the broadcast of changes.
  await connection.query('set session_replication_role = replica');
  const { rows: found } = await connection.query('select count(*)::int as count from conveyancing_cases');
  const copies = Math.ceil(cases / found[0].count);
  for (const table of tables.split(' ')) {
    const { rows } = await connection.query(
      'select column_name as name, data_type as type from information_schema.columns where table_name = $1',
      [table],
    );
    const values = rows.map((/** @type {{ name: string, type: string }} */ { name, type }) => {
      if (type === 'uuid') return `md5(${name}::text || n)::uuid`;
      if (name === 'reference' || name === 'email') return `n || '-' || ${name}`;
      return `"${name}"`;
    });
    const names = rows.map((/** @type {{ name: string }} */ { name }) => `"${name}"`);
    await connection.query(
      `insert into ${table} (${names}) overriding system value select ${values} from ${table}, generate_series(1, ${copies}) n`,
    );
  }
  const { rows } = await connection.query(`select id, (select min(case_id::text) from case_clients
      where client_id = clients.id) as "caseId" from clients where email like '%-%@%'
    and exists (select from case_clients where client_id = id) order by random() limit ${cases}`);
  const signedIn = rows.map((/** @type {{ id: string, caseId: string }} */ { id, caseId }) => ({
    token: `kt_${randomBytes(32).toString('base64url')}`,
    clientId: id,
    caseId,
  }));
  const hashes = signedIn.map((/** @type {{ token: string }} */ { token }) =>
    createHash('sha256').update(token).digest('hex'),
  );
  await connection.query(
    `insert into sessions (token_hash, client_id, expires_at)
     select decode(hash, 'hex'), client_id, now() + interval '1 day' from unnest($1::text[], $2::uuid[]) as s (hash, client_id)`,
    [hashes, signedIn.map((/** @type {{ clientId: string }} */ { clientId }) => clientId)],
  );
  await connection.query('vacuum analyze');
  await connection.end();
  return signedIn;
}
