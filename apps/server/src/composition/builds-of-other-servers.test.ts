import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { createTestDatabase, createTestServer, type TestDatabase, type TestServer } from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* During a rolling upgrade: two servers with different builds, which share the database and nothing else. */

const folder = mkdtempSync(join(tmpdir(), 'keyturn-builds-'));
let database: TestDatabase;
let older: TestServer;
let newer: TestServer;
beforeAll(async () => {
  database = await createTestDatabase();
  older = await serve('older');
  newer = await serve('newer');
});
afterAll(async () => {
  await newer?.stop();
  await older?.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const extensions = ['js', 'mjs', 'css', 'json', 'woff2', 'ttf', 'svg', 'png', 'webp', 'wasm', 'bcmap', 'pfb'];

/** Starts a server with a build of the dashboard and one of the desk, each with a file of every kind. */
function serve(name: string): Promise<TestServer> {
  const directories = ['dashboard', 'desk'].map((app) => {
    const directory = join(folder, name, app);
    const write = (path: string, content: string | Buffer) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    };
    write('index.html', '<!--keyturn-config-->');
    for (const extension of extensions) {
      const content = `${extension} of ${name}`;
      write(`assets/${name}.${extension}`, content);
      write(`assets/${name}-compressed.${extension}`, content);
      write(`assets/${name}-compressed.${extension}.br`, brotliCompressSync(content));
    }
    return directory;
  });
  return createTestServer({
    database,
    env: { KEYTURN_DASHBOARD_DIR: directories[0], KEYTURN_DESK_DIR: directories[1] },
  });
}

const read = async (
  server: TestServer,
  path: string,
  encoding = 'br, gzip',
  method: 'GET' | 'HEAD' = 'GET',
) => {
  const { statusCode, headers, body } = await server.app.inject({
    method,
    url: path,
    headers: { 'accept-encoding': encoding },
  });
  const names = ['content-type', 'content-encoding', 'cache-control', 'vary', 'x-content-type-options'];
  return { statusCode, headers: names.map((name) => headers[name]), body };
};

describe.each(['', '/desk'])('assets below "%s" during a rolling upgrade', (prefix) => {
  test.each(extensions)(
    'fault 56: both servers send each other’s .%s files as they send their own',
    async (extension) => {
      for (const [own, other, name] of [
        [newer, older, 'newer'],
        [older, newer, 'older'],
      ] as const) {
        for (const file of [`${name}.${extension}`, `${name}-compressed.${extension}`]) {
          const path = `${prefix}/assets/${file}`;
          const expected = await read(own, path);
          expect(expected.statusCode).toBe(200);
          expect(await read(other, path), path).toEqual(expected);
          expect((await read(other, path, 'br', 'HEAD')).headers, path).toEqual(expected.headers);
        }
      }
    },
  );

  test('a browser that does not accept Brotli gets the file of another server’s build uncompressed', async () => {
    const { statusCode, headers, body } = await read(older, `${prefix}/assets/newer-compressed.js`, 'gzip');
    expect([statusCode, headers[1], body]).toEqual([200, undefined, 'js of newer']);
  });

  test.each(['GET', 'HEAD', 'POST', 'DELETE'] as const)(
    'a file that no server has is a plain 404 for %s',
    async (method) => {
      const answer = await older.app.inject({ method, url: `${prefix}/assets/neither.js` });
      expect(answer.statusCode).toBe(404);
      if (method === 'GET') expect(answer.body).toBe('Not found\n');
    },
  );
});

test('only the addresses of the desk have its headers, also for files of another server’s build', async () => {
  const { headers } = await older.app.inject({ url: '/desk/assets/newer.js' });
  expect(headers['x-robots-tag']).toBe('noindex');
  expect((await older.app.inject({ url: '/assets/newer.js' })).headers['x-robots-tag']).toBeUndefined();
});
