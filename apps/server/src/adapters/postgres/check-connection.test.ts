import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { withTestDatabase } from '@keyturn/testkit';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { StartFault } from '../../platform/start-fault.ts';
import { fixtureCertificate, fixtureLocalCertificate } from '../../testing/fixture-certificate.ts';
import { throughPort } from '../../testing/through-port.ts';
import { checkConnection } from './check-connection.ts';

const given = withTestDatabase();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await once(server.close(), 'close');
  });
  return throughPort(given.url, (server.address() as AddressInfo).port, 'localhost');
}

const connectUpstream = () => {
  const { hostname, port } = new URL(given.url);
  return createConnection({ host: hostname, port: Number(port) });
};

/** Starts a proxy that offers TLS in front of PostgreSQL. */
const startTlsProxy = (certificate: { cert: string; key: string }) =>
  listen(
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('S');
        const secured = new TLSSocket(socket, { isServer: true, ...certificate });
        const upstream = connectUpstream();
        for (const stream of [secured, upstream]) stream.on('error', () => socket.destroy());
        secured.pipe(upstream).pipe(secured);
      });
    }),
  );

const check = (url: string) => checkConnection(url, 'DATABASE_URL');

describe('a connection to the database with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-ca-'));
  const authority = join(folder, 'ca.pem');
  const other = join(folder, 'other.pem');
  beforeAll(() => {
    writeFileSync(authority, fixtureLocalCertificate.cert);
    writeFileSync(other, fixtureCertificate.cert);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('accepts a database certificate of the named CA for the host of the address', async () => {
    const url = await startTlsProxy(fixtureLocalCertificate);
    await check(`${url}?sslmode=verify-full&sslrootcert=${authority}`);
    await check(`${url}?sslmode=no-verify`);
  });

  test.each([
    ['a certificate of an unknown CA', fixtureLocalCertificate, ''],
    ['a certificate of another CA than the named one', fixtureLocalCertificate, `&sslrootcert=${other}`],
    ['a certificate for another host', fixtureCertificate, `&sslrootcert=${other}`],
  ])('rejects a database connection with %s, and says what to set', async (_case, certificate, query) => {
    const url = await startTlsProxy(certificate);
    await expect(check(`${url}?sslmode=verify-full${query}`)).rejects.toThrow(
      /^The certificate of the database at localhost:\d+ could not be verified \(.+\): in DATABASE_URL, .* sslrootcert=FILE/,
    );
  });
});

describe('a database that cannot be reached', () => {
  const nowhere = join(tmpdir(), 'keyturn-no-socket');

  test.each([
    ['postgres://keyturn:s3cret@127.0.0.1:1/keyturn', '127.0.0.1:1/keyturn'],
    ['postgres://keyturn:s3cret@[::1]:1/keyturn', '[::1]:1/keyturn'],
    ['postgres://127.0.0.1:1/keyturn', '127.0.0.1:1/keyturn'],
    ['postgres://keyturn:s3cret@127.0.0.1:1', '127.0.0.1:1/keyturn'],
    ['postgres://keyturn:s3cret@/keyturn?host=127.0.0.1&port=1', '127.0.0.1:1/keyturn'],
    ['postgres://keyturn:s3cret@ignored/keyturn?host=127.0.0.1&port=1', '127.0.0.1:1/keyturn'],
    [`postgresql:///keyturn?host=${nowhere}`, `${nowhere}/.s.PGSQL.5432`],
    [`postgresql://keyturn:s3cret@/keyturn?host=${nowhere}&port=6`, `${nowhere}/.s.PGSQL.6`],
    [`postgresql://keyturn:s3cret@${encodeURIComponent(nowhere)}:7/keyturn`, `${nowhere}/.s.PGSQL.7`],
  ])('names an unreachable database without its password: %s', async (url, place) => {
    const fault = await check(url).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StartFault);
    const { message } = fault as StartFault;
    expect(message).toContain(`The database at ${place} cannot be reached (`);
    expect(message).toContain('): check DATABASE_URL, and that PostgreSQL is running there.');
    expect(message).not.toContain('s3cret');
  });

  test('an address that the driver rejects is not repeated in the message', async () => {
    const fault = await check('postgres://keyturn:s3cret#1@127.0.0.1/keyturn').catch(
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(StartFault);
    expect((fault as StartFault).message).toBe('DATABASE_URL cannot be used (Invalid URL).');
  });
});

test('a database is reached through a socket of this machine, with or without a user in its address', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-socket-'));
  closers.push(async () => rmSync(folder, { recursive: true, force: true }));
  const { username, password, pathname } = new URL(given.url);
  const server = createServer((socket) => {
    const upstream = connectUpstream();
    for (const stream of [socket, upstream]) stream.on('error', () => socket.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await once(server.listen(join(folder, '.s.PGSQL.5432')), 'listening');
  closers.push(() => once(server.close(), 'close'));
  await check(`postgresql://${username}:${password}@${pathname}?host=${folder}`);
  await check(`postgresql://${pathname}?host=${folder}&user=${username}&password=${password}`);
  await check(`postgresql://${username}:${password}@${encodeURIComponent(folder)}${pathname}`);
});

/** Starts a pooler that lends one of its sessions for each transaction, as PgBouncer does with pool_mode = transaction. */
async function startTransactionPooler(order: 'latest' | 'oldest') {
  const idle: Socket[] = [];
  for (let count = 0; count < 2; count++) {
    const client = new pg.Client({ connectionString: given.url });
    await client.connect();
    closers.push(() => client.end().catch(() => {}));
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    idle.push(stream);
  }
  return listen(
    createServer((socket) => {
      let lent: Socket | undefined;
      const passBack = (data: Buffer) => {
        socket.write(data);
        // The answer to a request ends with ReadyForQuery, whose status is I outside a transaction.
        if (data.subarray(-6).toString('latin1') !== 'Z\0\0\0\x05I') return;
        lent?.off('data', passBack);
        if (lent) idle.push(lent);
        lent = undefined;
      };
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1'));
        socket.on('data', (data) => {
          if (data[0] === 'X'.charCodeAt(0)) return;
          lent ??= (order === 'latest' ? idle.pop() : idle.shift())?.on('data', passBack);
          lent?.write(data);
        });
      });
    }),
  );
}

describe('a connection pooler in front of the database', () => {
  test.each(['latest', 'oldest'] as const)(
    'rejects a connection pooler that lends its %s session for single transactions',
    async (order) => {
      await expect(check(await startTransactionPooler(order))).rejects.toThrow(
        /^DATABASE_URL leads to a connection pooler .* set pool_mode = session/,
      );
    },
  );

  test('accepts a connection pooler if each connection keeps its session', async () => {
    const url = await listen(
      createServer((socket) => {
        const upstream = connectUpstream();
        for (const stream of [socket, upstream]) stream.on('error', () => socket.destroy());
        socket.pipe(upstream).pipe(socket);
      }),
    );
    await check(url);
    await check(given.url);
  });
});
