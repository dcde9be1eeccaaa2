import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** Connects to the embedded database of a running product as its owner. */
export async function connectToProductDatabase(dataDirectory: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: productDatabaseUrl(dataDirectory) });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Returns the URL of a running product's embedded database, for example for a second server. */
export function productDatabaseUrl(dataDirectory: string): string {
  const password = readFileSync(join(dataDirectory, 'postgres-password'), 'utf8').trim();
  const port = readFileSync(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3];
  return `postgres://keyturn:${password}@127.0.0.1:${port}/keyturn`;
}
