import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { fixtureLocalCertificate } from '../../testing/fixture-certificate.ts';
import { createTestRedis, redisProgram } from '../../testing/real-time/start-redis.ts';
import { createRedisConnection } from './redis-connection.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function connect(url: string) {
  const errors: string[] = [];
  let connections = 0;
  const connection = createRedisConnection({
    url,
    prepare: async () => {},
    onConnected: () => {
      connections++;
    },
    onLost: () => {},
    onError: (error) => errors.push(String(error)),
    retryAfter: 20,
  });
  connection.start();
  closers.push(connection.stop);
  return { connection, errors, connections: () => connections };
}

test.each([
  ['redis://canary:canary-password@127.0.0.1:1', 'Redis at 127.0.0.1:1 is unavailable: connect ECONNREFUSED'],
  ['redis://:canary@redis.invalid', 'Redis at redis.invalid:6379 is unavailable: '],
])('the report of an unreachable Redis at %s names its host and port, and no password', async (url, text) => {
  const { errors } = connect(url);
  await expect.poll(() => errors).toEqual([expect.stringContaining(text)]);
  expect(errors.join()).not.toContain('canary');
});

describe.skipIf(redisProgram === null)('connection to Redis', () => {
  test('connects once Redis is available, and reports only the first of several failed attempts', async () => {
    const redis = await createTestRedis();
    closers.push(redis.kill);
    const { connection, errors, connections } = connect(redis.url);
    await expect
      .poll(() => errors)
      .toEqual([expect.stringMatching(/Redis at 127\.0\.0\.1:\d+ is unavailable: /)]);
    await redis.start();
    await expect.poll(connections).toBe(1);
    await redis.kill();
    await expect.poll(() => connection.client()).toBeUndefined();
    await redis.start();
    await expect.poll(connections).toBe(2);
    expect(errors).toHaveLength(2);
  });

  test('reports that Redis rejected the password, without showing it', async () => {
    const redis = await createTestRedis();
    closers.push(redis.kill);
    await redis.start();
    await redis.run('CONFIG', 'SET', 'requirepass', 'right');
    const { errors, connections } = connect(redis.url.replace('//', '//:canary@'));
    await expect.poll(() => errors).toEqual([expect.stringContaining('WRONGPASS')]);
    expect(errors.join()).not.toContain('canary');
    expect(connections()).toBe(0);
  });

  test('rejects a Redis server whose certificate is not trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyturn-redis-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(cert, fixtureLocalCertificate.cert);
    writeFileSync(key, fixtureLocalCertificate.key);
    const other = await createTestRedis();
    const tls = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'];
    const redis = await createTestRedis(['--tls-port', String(other.port), ...tls]);
    closers.push(redis.kill);
    await redis.start();
    const { errors, connections } = connect(`rediss://localhost:${other.port}`);
    await expect.poll(() => errors).toEqual([expect.stringMatching(/certificate/)]);
    expect(connections()).toBe(0);
  });
});
