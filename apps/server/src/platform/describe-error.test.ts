import { withTestDatabase } from '@keyturn/testkit';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { describeError } from './describe-error.ts';
import { describeStartFailure } from './start-fault.ts';

const stored = withTestDatabase();

const canary = 'canary-5f1c@example.test';

describe('what is written down of an error', () => {
  test('names a failed statement and never its values', async () => {
    const error = await stored.database
      .execute(sql`select ${canary}::text from nowhere`)
      .then(() => undefined)
      .catch((failure: unknown) => failure);
    // As it comes it tells everything.
    expect(String((error as Error).stack)).toContain(canary);
    const story = describeError(error);
    expect(story).toMatchObject({
      code: '42P01',
      message: 'relation "nowhere" does not exist',
      statement: 'select $1::text from nowhere',
    });
    expect(story.stack).toMatch(/describe-error\.test\.ts/);
    expect(JSON.stringify(story)).not.toContain(canary);
    expect(describeStartFailure(error)).not.toContain(canary);
  });

  test('is the message and the place of any other', () => {
    const story = describeError(new TypeError('x is not a function'));
    expect(story).toMatchObject({ type: 'TypeError', message: 'x is not a function', statement: undefined });
    expect(story.stack).toMatch(/^\s+at /);
    expect(describeError('thrown as a text').message).toBe('thrown as a text');
  });
});
