import { describe, expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';

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

  test('limit payment attempts, for an address no less than for a client, and stop nobody who mistypes thrice', () => {
    expect(read({}).payments.attempts).toEqual({
      starts: { client: 10, address: 30 },
      declines: { client: 8, address: 20 },
    });
    expect(() =>
      read({ KEYTURN_PAYMENT_STARTS_PER_CLIENT: '40', KEYTURN_CARD_DECLINES_PER_ADDRESS: '5' }),
    ).toThrow(/KEYTURN_PAYMENT_STARTS_PER_ADDRESS must not.*KEYTURN_CARD_DECLINES_PER_ADDRESS must not/);
    expect(() => read({ KEYTURN_CARD_DECLINES_PER_CLIENT: '3' })).toThrow(/whole number from 4/);
  });

  test('that nobody knows are named, so that a slip in a name is not a setting that silently does not hold', () => {
    expect(() => read({ KEYTURN_SENTRY_DNS: 'x', KEYTURN_IDLE_SECOND: '60' })).toThrow(
      /KEYTURN_SENTRY_DNS is not a setting; KEYTURN_IDLE_SECOND is not a setting/,
    );
    // What goes with Stripe may stand there without it.
    expect(read({ KEYTURN_STRIPE_WEBHOOK_SECRETS: '' }).payments.stripe).toBeNull();
  });

  test('report errors where a DSN is, with rates from 0 to 1', () => {
    expect(read({}).errorReporting).toBeNull();
    expect(
      read({
        KEYTURN_SENTRY_DSN: 'https://0a1b2c@errors.example.com/sentry/7',
        KEYTURN_SENTRY_TRACES_SAMPLE_RATE: '0.25',
        KEYTURN_SENTRY_MASK_ALL: 'on',
      }).errorReporting,
    ).toEqual({
      dsn: 'https://0a1b2c@errors.example.com/sentry/7',
      tracesSampleRate: 0.25,
      replaysSessionSampleRate: 0,
      replaysOnErrorSampleRate: 0,
      maskAll: true,
    });
    for (const rate of ['1.5', '-0.1', 'half', '1e-3', '1.0000001']) {
      expect(() => read({ KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE: rate })).toThrow(
        /KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE must be a number from 0 to 1/,
      );
    }
    expect(() => read({ KEYTURN_SENTRY_DSN: 'errors.example.com' })).toThrow(/KEYTURN_SENTRY_DSN must be/);
  });

  test('serve figures where a port is, on this machine alone unless told', () => {
    expect(read({}).metrics).toBeNull();
    expect(read({ KEYTURN_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(() => read({ KEYTURN_METRICS_PORT: '70000' })).toThrow(/KEYTURN_METRICS_PORT must be a port/);
  });

  test('never repeat a wrong DATABASE_URL, which may hold a password', () => {
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).toThrow(/DATABASE_URL must be/);
    expect(() => read({ DATABASE_URL: 'mysql://me:s3cret@host/db' })).not.toThrow(/s3cret/);
  });

  const stripe = {
    KEYTURN_PAYMENT_PROVIDER: 'stripe',
    KEYTURN_STRIPE_SECRET_KEY: 'rk_test_s3cret',
    KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  };
  const live = {
    ...stripe,
    KEYTURN_ENVIRONMENT: 'production',
    KEYTURN_STRIPE_SECRET_KEY: 'sk_live_s3cret',
    KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  };

  test('take payments at Stripe with keys of the mode that fits, and with the sandbox otherwise', () => {
    expect(read({}).payments).toMatchObject({ provider: 'sandbox', stripe: null });
    expect(read({ ...stripe, KEYTURN_STRIPE_API_BASE: 'http://127.0.0.1:12111' }).payments).toMatchObject({
      provider: 'stripe',
      stripe: {
        secretKey: 'rk_test_s3cret',
        publishableKey: 'pk_test_1',
        webhookSecrets: ['whsec_new', 'whsec_old'],
        apiBase: 'http://127.0.0.1:12111',
      },
    });
    expect(read(live).payments.stripe).toMatchObject({ secretKey: 'sk_live_s3cret', apiBase: null });
  });

  test.each([
    [
      'a live key outside of production',
      { ...live, KEYTURN_ENVIRONMENT: 'staging' },
      /_SECRET_KEY .*_PUBLISHABLE_KEY /,
    ],
    [
      'a test key in production',
      { ...stripe, KEYTURN_ENVIRONMENT: 'production' },
      /_SECRET_KEY .*_PUBLISHABLE_KEY /,
    ],
    ['no keys', { KEYTURN_PAYMENT_PROVIDER: 'stripe' }, /_SECRET_KEY .*_PUBLISHABLE_KEY .*_WEBHOOK_SECRETS /],
    [
      'keys in each other’s place',
      { ...stripe, KEYTURN_STRIPE_PUBLISHABLE_KEY: 'rk_test_s3cret' },
      /_PUBLISHABLE_KEY /,
    ],
    [
      'a webhook secret that is none',
      { ...stripe, KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_a,rk_s3cret' },
      /_WEBHOOK_/,
    ],
    [
      'another address in production',
      { ...live, KEYTURN_STRIPE_API_BASE: 'http://127.0.0.1:1' },
      /_API_BASE must not/,
    ],
    [
      'an address that is none',
      { ...stripe, KEYTURN_STRIPE_API_BASE: 'http://s3cret@a/b' },
      /_API_BASE must be/,
    ],
  ])('refuse %s for Stripe, and repeat none of it', (_what, env, fault) => {
    expect(() => read(env)).toThrow(fault);
    expect(() => read(env)).not.toThrow(/s3cret/);
  });

  test('of an outside real-time server say where it is and how it knows us', () => {
    const outside = {
      KEYTURN_REALTIME_SERVER: 'outside',
      KEYTURN_REALTIME_KEY: 'key',
      KEYTURN_REALTIME_SECRET: 'a-secret-that-is-long',
      KEYTURN_REALTIME_APP_ID: '42',
    };
    expect(read({ ...outside, KEYTURN_REALTIME_HOST: 'reverb.example.com' }).realtime).toMatchObject({
      server: 'outside',
      host: 'reverb.example.com',
      port: null,
    });
    expect(read({ ...outside, KEYTURN_REALTIME_CLUSTER: 'eu' }).realtime.host).toBeNull();
    expect(() => read(outside)).toThrow(/KEYTURN_REALTIME_HOST must be set/);
    for (const name of ['KEY', 'SECRET', 'APP_ID']) {
      expect(() => read({ ...outside, [`KEYTURN_REALTIME_${name}`]: '' })).toThrow(
        `KEYTURN_REALTIME_${name} must be set`,
      );
    }
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['a short secret', { SECRET: 'secret' }, 'KEYTURN_REALTIME_SECRET must be'],
    ['an origin with a path', { ALLOWED_ORIGINS: 'https://a.example/x' }, 'ALLOWED_ORIGINS must be'],
    ['any origin', { ALLOWED_ORIGINS: '*' }, 'ALLOWED_ORIGINS must be'],
    ['one path for two', { AUTH_ENDPOINT: '/a', USER_AUTH_ENDPOINT: '/a' }, 'must be two paths'],
    ['no module for a broadcaster of one', { BROADCASTER: 'custom' }, 'KEYTURN_REALTIME_MODULE must be set'],
    ['a timeout of nothing', { ACTIVITY_TIMEOUT: '0' }, 'KEYTURN_REALTIME_ACTIVITY_TIMEOUT must be'],
  ])('of the real-time channel refuse %s, and never repeat a secret', (_, env, said) => {
    const named = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [`KEYTURN_REALTIME_${name}`, value]),
    );
    expect(() => read(named)).toThrow(said);
    if (env.SECRET) expect(() => read(named)).not.toThrow(/"secret"/);
  });

  test('of the real-time channel want TLS in production', () => {
    const production = {
      KEYTURN_ENVIRONMENT: 'production',
      KEYTURN_REALTIME_HOST: 'ws.example.com',
      KEYTURN_REALTIME_SCHEME: 'http',
    };
    expect(() => read(production)).toThrow('KEYTURN_REALTIME_SCHEME must be https in production');
  });

  test('that are empty count as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 4720, databaseUrl: null });
  });
});
