import { existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withServer } from '../harness/product-and-browser.ts';

const server = withServer();
const file = () => join(server.dataDirectory, 'commands.log');
const lines = () =>
  existsSync(file())
    ? readFileSync(file(), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

describe('the log of keyturn commands', () => {
  test('records each keyturn command in the data directory with time, user, arguments and result', async () => {
    const started = Date.now();
    await server.keyturn('maintenance', 'on', '--area', 'case-history', '--message', 'Back soon.');
    await server.keyturn('import', '/nowhere.json');
    await server.keyturn('client', 'invite', 'nobody@example.test');
    await server.keyturn('verify-signature', '9c1185a5-c5e9-4b0b-8e61-424242424242');

    const by = userInfo().username;
    expect(lines()).toEqual([
      expect.objectContaining({
        event: 'command',
        command: ['maintenance', 'on', '--area', 'case-history', '--message', 'Back soon.'],
        by,
        outcome: 'ok',
      }),
      expect.objectContaining({ command: ['import', '/nowhere.json'], by, outcome: 2 }),
      expect.objectContaining({ command: ['client', 'invite', '[email]'], by, outcome: 1 }),
      expect.objectContaining({ command: ['verify-signature', expect.any(String)], by, outcome: 2 }),
    ]);
    for (const { time } of lines()) {
      expect(time).toBe(new Date(time).toISOString());
      expect(Date.parse(time)).toBeGreaterThanOrEqual(started);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
    // Other users of the machine must not be able to read it.
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  test('records keyturn commands without secrets, one line each', async () => {
    const before = lines().length;
    const words = `for amelia@example.test, Bearer kt_${'canary'.repeat(6)},\nrk_live_canary, pi_1_secret_canary, 4539 1488 0343 6467`;
    await server.keyturn('maintenance', 'on', '--message', words);
    await server.keyturn('maintenance', 'off');
    expect(lines().length).toBe(before + 2);
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain(
      'for [email], Bearer [hidden],\\nrk_live_[hidden], pi_1_secret_[hidden], [card number]',
    );
    expect(text).not.toMatch(/canary|amelia|4539/);
  });

  test('does not record unknown keyturn commands', async () => {
    const before = lines().length;
    await server.keyturn('maintenance', 'on', '--until', 'yesterday');
    await server.keyturn('dance');
    expect(lines().length).toBe(before);
  });
});
