import { accessSync, constants } from 'node:fs';
import { isOnThisMachine } from './is-on-this-machine.ts';
import type { SettingReader } from './setting-reader.ts';

export interface DatabaseSettings {
  /** Null: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null;
  /** The same external database for the owner of its tables, who migrates it; null: `databaseUrl` is the owner's. */
  databaseOwnerUrl: string | null;
  /** The maximum number of this server's connections to the database, without the two that listen. */
  databaseConnections: number;
  /** Whether a start migrates the database; otherwise only `keyturn migrate` does. */
  migratesAtStart: boolean;
}

export function readDatabaseSettings(reader: SettingReader): DatabaseSettings {
  const databaseUrl = readDatabaseUrl(reader, 'DATABASE_URL');
  const databaseOwnerUrl = readDatabaseUrl(reader, 'KEYTURN_DATABASE_OWNER_URL');
  if (databaseOwnerUrl !== null && databaseUrl === null) {
    reader.report('KEYTURN_DATABASE_OWNER_URL needs DATABASE_URL, which names the server’s own role');
  }
  return {
    databaseUrl,
    databaseOwnerUrl,
    databaseConnections: reader.wholeNumber('KEYTURN_DATABASE_CONNECTIONS', 20, { min: 5, max: 1_000 }),
    migratesAtStart: reader.isOn('KEYTURN_MIGRATE_AT_START', 'on'),
  };
}

function readDatabaseUrl(reader: SettingReader, name: string): string | null {
  const text = reader.secret(name);
  if (text === null) return null;
  const address = /^postgres(ql)?:\/\/[^\s]+$/.test(text) ? parseAddress(text) : null;
  if (address === null) {
    // The message leaves out the value, which may contain a password.
    reader.report(
      `${name} must be an address like postgres://user:password@host:5432/database, or postgres://user@/database?host=/var/run/postgresql for a socket; it names one host, and a password has %23 for #, %2F for / and %3F for ?`,
    );
    return text;
  }
  checkEncryption(reader, name, address);
  // The driver treats these as verify-full, and prints a warning that its next version will not.
  if (address.query.get('uselibpqcompat') === 'true') return text;
  return text.replace(/(?<=[?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, 'verify-full');
}

interface DatabaseAddress {
  /** Empty: a socket or server on this machine. Starts with a slash: the folder of a socket. */
  host: string;
  query: URLSearchParams;
}

/** Reads an address as the driver does, which also accepts a user without a host. @returns null if it is invalid */
function parseAddress(text: string): DatabaseAddress | null {
  try {
    const { hostname, searchParams } = new URL(text.replace('@/', '@localhost/'));
    return { host: searchParams.get('host') ?? decodeURIComponent(hostname), query: searchParams };
  } catch {
    return null;
  }
}

/** The modes that the driver knows. With `uselibpqcompat=true` it treats them as PostgreSQL’s own programs do. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

function checkEncryption(reader: SettingReader, name: string, { host, query }: DatabaseAddress): void {
  const mode = query.get('sslmode');
  if (mode !== null && !sslModes.includes(mode))
    reader.report(`${name}: sslmode must be one of ${sslModes.join(', ')}`);
  for (const file of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = query.get(file);
    if (path !== null && !isReadable(path))
      reader.report(`${name}: ${file} must name a file that can be read`);
  }
  if (host === '' || host.startsWith('/') || isOnThisMachine(host)) return;
  const advice = 'add sslmode=verify-full, and sslrootcert=FILE unless its certificate is from a public CA';
  const protection = protectionOf(query);
  if (protection === 'none') reader.warn(`${name} does not encrypt the connection to ${host}: ${advice}`);
  if (protection === 'unverified')
    reader.warn(`${name} does not verify that the server is really ${host}: ${advice}`);
}

function protectionOf(query: URLSearchParams): 'none' | 'unverified' | 'verified' {
  const mode = query.get('sslmode');
  const ssl = query.get('ssl');
  if (mode === 'no-verify' || ssl === 'no-verify') return 'unverified';
  if (query.get('uselibpqcompat') === 'true' && mode !== null && mode !== 'disable')
    return mode === 'verify-full' ? 'verified' : 'unverified';
  if (mode === 'disable') return 'none';
  const isOn =
    mode !== null || query.has('sslrootcert') || query.has('sslcert') || ssl === 'true' || ssl === '1';
  return isOn ? 'verified' : 'none';
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
