import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import { openDatabaseForServer } from '../../apps/server/src/adapters/postgres/open-database.ts';
import { statementsOfRoles } from './read-deployment.ts';

/** Runs statements one after the other on a connection. @returns the rows of the last */
async function run(url: string, ...statements: string[]) {
  const { pool, close } = connectDatabase({ url, size: 1 });
  try {
    // Creating a database can take longer on a busy machine than a server may wait.
    await pool.query('set statement_timeout = 0');
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await pool.query(statement)).rows;
    return rows;
  } finally {
    await close();
  }
}

test('deploy/postgres/create-roles.sh creates an owner and a server’s role with which Keyturn starts', async () => {
  // The names belong to the whole cluster, which other tests use too.
  const prefix = `keyturn_${randomBytes(6).toString('hex')}`;
  const passwords = { KEYTURN_OWNER_PASSWORD: "owner's", KEYTURN_SERVER_PASSWORD: 'server' };
  const statements = statementsOfRoles(passwords).map((statement) =>
    statement.replaceAll(/\bkeyturn(?=_owner|_server|\b)/g, prefix),
  );
  const urlOf = (role: string, password: string) => {
    const url = new URL(inject('clusterUrl'));
    return Object.assign(url, { username: `${prefix}_${role}`, password, pathname: `/${prefix}` }).href;
  };
  const dataDirectory = mkdtempSync(join(tmpdir(), 'keyturn-roles-'));
  try {
    await run(inject('clusterUrl'), ...statements);
    const opened = await openDatabaseForServer({
      databaseUrl: urlOf('server', passwords.KEYTURN_SERVER_PASSWORD),
      databaseOwnerUrl: urlOf('owner', passwords.KEYTURN_OWNER_PASSWORD),
      dataDirectory,
    });
    await opened.close();
    expect(await run(opened.url, 'select current_user as role, holds from installation')).toMatchObject([
      { role: `${prefix}_server` },
    ]);
    await expect(run(opened.url, 'create table another (id int)')).rejects.toThrow('permission denied');
    const roles = `select rolname from pg_roles where rolname like '${prefix}%' and (rolsuper or rolcreaterole or rolcreatedb)`;
    expect(await run(inject('clusterUrl'), roles)).toEqual([]);
  } finally {
    await run(
      inject('clusterUrl'),
      `drop database if exists ${prefix} with (force)`,
      `drop role if exists ${prefix}_owner, ${prefix}_server`,
    );
    rmSync(dataDirectory, { recursive: true, force: true });
  }
});
