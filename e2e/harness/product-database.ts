import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Looks into the embedded database of a started product, as its owner. */
export async function connectToProductDatabase(dataDirectory: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: productDatabaseUrl(dataDirectory) });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Where a started product's embedded database is, for another server beside it. */
export function productDatabaseUrl(dataDirectory: string): string {
  const password = readFileSync(join(dataDirectory, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://keyturn:${password}@127.0.0.1:${port}/keyturn`;
}
