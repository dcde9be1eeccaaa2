import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { describeError, hostAndPort } from './describe-error.ts';
import { describeStartFailure } from './start-fault.ts';

const stored = withTestDatabase();

const canary = 'canary-5f1c@example.test';

describe('describeError', () => {
  test('describes a failed statement without its values', async () => {
    const error = await stored.database
      .execute(sql`select ${canary}::text from nowhere`)
      .then(() => undefined)
      .catch((failure: unknown) => failure);
    // The error itself contains the value.
    expect(String((error as Error).stack)).toContain(canary);
    const description = describeError(error);
    expect(description).toMatchObject({
      code: '42P01',
      message: 'relation "nowhere" does not exist',
      statement: 'select $1::text from nowhere',
    });
    expect(description.stack).toMatch(/describe-error\.test\.ts/);
    expect(JSON.stringify(description)).not.toContain(canary);
    expect(describeStartFailure(error)).not.toContain(canary);
  });

  test('describes any other error by its message and stack frames', () => {
    const description = describeError(new TypeError('x is not a function'));
    expect(description).toMatchObject({
      type: 'TypeError',
      message: 'x is not a function',
      statement: undefined,
    });
    expect(description.stack).toMatch(/^\s+at /);
    expect(describeError('thrown as text').message).toBe('thrown as text');
  });

  test('describes a failed connection to several addresses of a host by the reason of each', () => {
    const failures = ['connect ECONNREFUSED ::1:6379', 'connect ECONNREFUSED 127.0.0.1:6379'];
    const { message } = describeError(new AggregateError(failures.map((text) => new Error(text))));
    expect(message).toBe('connect ECONNREFUSED ::1:6379, connect ECONNREFUSED 127.0.0.1:6379');
  });
});

test.each([
  ['rediss://user:canary@redis.internal', 'redis.internal:6379'],
  ['smtp://user:canary@[2001:db8::1]:2525?ignoreTLS=true', '[2001:db8::1]:2525'],
  ['https://collector.example/v1/traces', 'collector.example:443'],
])('hostAndPort names %s without its password', (url, expected) => {
  expect(hostAndPort(url)).toBe(expected);
});
