import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createPasswords, hashPassword, isTooLong } from './passwords.ts';

describe('passwords', () => {
  test('passwords are stored as salted argon2id with OWASP’s parameters', async () => {
    const [one, other] = await Promise.all([
      hashPassword('turn-the-key-2026'),
      hashPassword('turn-the-key-2026'),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  test('passwords match only their own hash', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('turn-the-key-2026');
    expect(await passwords.matches('turn-the-key-2026', hash)).toBe(true);
    expect(await passwords.matches('turn-the-key-2027', hash)).toBe(false);
    expect(await passwords.matches('Turn-the-key-2026', hash)).toBe(false);
    expect(await passwords.matches('', hash)).toBe(false);
  });

  test('passwords of any 128 characters are hashed in full', async () => {
    const passwords = createPasswords();
    const long = '🔑'.repeat(127);
    const hash = await passwords.hash(`${long}a`);
    expect(await passwords.matches(`${long}a`, hash)).toBe(true);
    expect(await passwords.matches(`${long}b`, hash)).toBe(false);
  });

  test('passwords match regardless of how the keyboard encodes an accent', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('une clé à moi'.normalize('NFD'));
    expect(await passwords.matches('une clé à moi'.normalize('NFC'), hash)).toBe(true);
  });

  test('no password matches without a hash, not even that of the placeholder', async () => {
    const passwords = createPasswords();
    expect(await passwords.matches('the password of no client', null)).toBe(false);
  });

  test('passwords longer than 128 characters never match', async () => {
    const passwords = createPasswords();
    const tooLong = 'k'.repeat(129);
    expect(await passwords.matches(tooLong, await hashPassword(tooLong))).toBe(false);
    expect(await passwords.matches(tooLong, await hashPassword(''))).toBe(false);
  });

  test('checking a password takes about the same time with a hash, without one, and when far too long', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('turn-the-key-2026');
    const ways = [
      () => passwords.matches('wrong wrong wrong', hash),
      () => passwords.matches('wrong wrong wrong', null),
      () => passwords.matches('k'.repeat(5_000_000), hash),
    ];
    const times: number[][] = ways.map(() => []);
    for (let round = 0; round < 9; round++) {
      for (const [index, way] of ways.entries()) {
        const begun = performance.now();
        await way();
        times[index]?.push(performance.now() - begun);
      }
    }
    // A path that computes no hash would be a hundred times faster; the margin is for busy machines.
    const medians = times.map((list) => list.toSorted((a, b) => a - b)[4] ?? 0);
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(4);
  });

  test('the length of passwords is measured in code points', () => {
    expect(isTooLong('🔑'.repeat(128))).toBe(false);
    expect(isTooLong('🔑'.repeat(129))).toBe(true);
    expect(isTooLong('a'.repeat(129))).toBe(true);
  });

  test('hashing passwords does not block the event loop', async () => {
    const passwords = createPasswords();
    let turns = 0;
    let hashing = true;
    const count = () => {
      turns++;
      if (hashing) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([passwords.hash('one two three four'), passwords.hash('five six seven eight')]);
    hashing = false;
    expect(turns).toBeGreaterThan(10);
  });

  test('passwords queue for hashing and are rejected when the queue is full', async () => {
    const passwords = createPasswords({ concurrency: 1, maxQueued: 2 });
    await passwords.matches('the stand-in is ready', null);
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((n) => passwords.hash(`password number ${n}`)),
    );
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 2 } });
    await expect(passwords.hash('there is room again')).resolves.toMatch(/^\$argon2id/);
  });

  test('a failed hash frees its slot', async () => {
    const passwords = createPasswords({ concurrency: 1, maxQueued: 0 });
    await expect(passwords.matches('a password', 'not a hash at all')).rejects.toThrow();
    await expect(passwords.hash('there is room again')).resolves.toMatch(/^\$argon2id/);
  });
});

test('new passwords are examined in a separate thread, which starts again after a failure', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-weakness-'));
  const script = join(folder, 'worker.mjs');
  writeFileSync(
    script,
    `import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', ({ password, personal }) => {
      if (password === 'fail') throw new Error('out of memory');
      parentPort.postMessage([threadId, password, ...personal].join(' '));
    });`,
  );
  try {
    const { findWeakness } = createPasswords({ weaknessWorker: pathToFileURL(script) });
    const [first, second] = await Promise.all([findWeakness('one', ['Hart']), findWeakness('two', [])]);
    expect([first, second]).toEqual([
      `${Number.parseInt(first ?? '', 10)} one Hart`,
      expect.stringMatching(/^[1-9]\d* two$/),
    ]);
    await expect(findWeakness('fail', [])).rejects.toThrow('out of memory');
    expect(await findWeakness('three', [])).toMatch(/^[1-9]\d* three$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
