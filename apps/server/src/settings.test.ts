import { describe, expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const read = (env: NodeJS.ProcessEnv) => readSettings(env, '/srv/keyturn');

describe('settings', () => {
  test('have defaults for everything', () => {
    expect(read({})).toMatchObject({
      port: 4720,
      dataDirectory: '/srv/keyturn/.keyturn',
      databaseUrl: null,
      environment: 'development',
      session: { expiresIn: 43_200, idleAfter: 1_800 },
      demonstration: true,
    });
  });

  test('load no demonstration in production', () => {
    expect(read({ KEYTURN_ENVIRONMENT: 'production' }).demonstration).toBe(false);
    expect(() => read({ KEYTURN_ENVIRONMENT: 'production', KEYTURN_DEMONSTRATION: 'on' })).toThrow(
      /KEYTURN_DEMONSTRATION must be off in production/,
    );
  });

  test('that are wrong are all named at once, on one line, with what is expected', () => {
    const wrong = { PORT: '80a', KEYTURN_ENVIRONMENT: 'prod', KEYTURN_IDLE_SECONDS: '-1', LOG_LEVEL: 'loud' };
    expect(() => read(wrong)).toThrow(
      /^Wrong settings: .*KEYTURN_ENVIRONMENT must be one of .*KEYTURN_IDLE_SECONDS must be .*PORT must be .*LOG_LEVEL must be one of .*$/,
    );
  });

  test('never repeat a wrong DATABASE_URL, which may hold a password', () => {
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).toThrow(/DATABASE_URL must be/);
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).not.toThrow(/s3cret/);
  });

  test('that are empty count as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 4720, databaseUrl: null });
  });
});
