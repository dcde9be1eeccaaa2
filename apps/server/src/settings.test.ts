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

  test('say where mails may link to, and from whom they are, where mails are sent', () => {
    const smtp = { KEYTURN_SMTP_URL: 'smtp://me:s3cret@post.example:587' };
    expect(() => read(smtp)).toThrow(/KEYTURN_MAIL_FROM must be set .*KEYTURN_PUBLIC_URL must say/s);
    expect(() => read({ KEYTURN_SMTP_URL: 'post.example:s3cret' })).toThrow(/KEYTURN_SMTP_URL must be/);
    expect(() => read({ KEYTURN_SMTP_URL: 'post.example:s3cret' })).not.toThrow(/s3cret/);
    const whole = {
      ...smtp,
      KEYTURN_MAIL_FROM: 'no-reply@alder.example',
      KEYTURN_PUBLIC_URL: 'https://clients.alder.example/',
    };
    expect(read(whole)).toMatchObject({ publicUrl: 'https://clients.alder.example' });
    const plain = { KEYTURN_PUBLIC_URL: 'http://clients.alder.example', KEYTURN_ENVIRONMENT: 'production' };
    expect(() => read(plain)).toThrow(/must begin with https in production/);
  });

  test('never repeat a wrong DATABASE_URL, which may hold a password', () => {
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).toThrow(/DATABASE_URL must be/);
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).not.toThrow(/s3cret/);
  });

  test('that are empty count as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 4720, databaseUrl: null });
  });
});
