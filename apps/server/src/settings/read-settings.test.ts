import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSettings } from './read-settings.ts';

const read = (env: NodeJS.ProcessEnv) => readSettings(env, '/srv/keyturn');

/** Production settings in which everything that production requires is switched off. */
const production = {
  KEYTURN_ENVIRONMENT: 'production',
  KEYTURN_PAYMENT_PROVIDER: 'off',
  KEYTURN_SMTP_URL: 'off',
  KEYTURN_PUBLIC_URL: 'off',
};

describe('readSettings', () => {
  test('every setting has a default', () => {
    expect(read({})).toMatchObject({
      port: 4720,
      dataDirectory: '/srv/keyturn/.keyturn',
      databaseUrl: null,
      environment: 'development',
      session: { expiresIn: 43_200, idleAfter: 1_800 },
      demonstration: true,
    });
  });

  test('lists every part that production lacks, each unless it is switched off by name', () => {
    const off = { KEYTURN_PAYMENT_PROVIDER: 'off', KEYTURN_SMTP_URL: 'off', KEYTURN_PUBLIC_URL: 'off' };
    const problemsOf = (env: NodeJS.ProcessEnv) => {
      try {
        read({ KEYTURN_ENVIRONMENT: 'production', ...env });
        return [];
      } catch (error) {
        return [...(error as Error).message.matchAll(/(KEYTURN_\w+) must/g)].map(([, name]) => name);
      }
    };
    const all = ['KEYTURN_PAYMENT_PROVIDER', 'KEYTURN_SMTP_URL', 'KEYTURN_PUBLIC_URL'];
    expect(problemsOf({}).sort()).toEqual(all.toSorted());
    for (const name of all) expect(problemsOf({ ...off, [name]: '' }), name).toEqual([name]);
    expect(problemsOf({ ...off, KEYTURN_PAYMENT_PROVIDER: 'sandbox' })).toEqual([all[0]]);
    expect(problemsOf({ ...off, KEYTURN_PUBLIC_URL: 'http://clients.example.com' })).toEqual([all[2]]);
    expect(read({ KEYTURN_ENVIRONMENT: 'production', ...off })).toMatchObject({
      payments: { provider: 'sandbox', isOff: true },
      mail: { smtpUrl: null },
      publicUrl: null,
    });
    // Sending emails requires an address for links.
    const smtp = { KEYTURN_SMTP_URL: 'smtp://post.example', KEYTURN_MAIL_FROM: 'a@alder.example' };
    expect(() => read({ ...production, ...smtp })).toThrow(/KEYTURN_PUBLIC_URL must be set/);
  });

  test('serves only the hosts that the settings name in production, and any elsewhere', () => {
    const hostsOf = (env: NodeJS.ProcessEnv) => read(env).security.allowedHosts;
    const publicUrl = { KEYTURN_PUBLIC_URL: 'https://Clients.alder.example:8443/portal/' };
    expect(hostsOf(publicUrl)).toEqual([]);
    expect(hostsOf(production)).toEqual([]);
    expect(hostsOf({ ...production, ...publicUrl })).toEqual(['clients.alder.example:8443']);
    const elsewhere = {
      KEYTURN_API_BASE_URL: 'https://api.alder.example/api',
      KEYTURN_REALTIME_HOST: 'live.alder.example',
    };
    expect(hostsOf({ ...production, ...publicUrl, ...elsewhere })).toEqual([
      'clients.alder.example:8443',
      'api.alder.example',
      'live.alder.example',
    ]);
    const listed = { KEYTURN_ALLOWED_HOSTS: 'clients.alder.example, Desk.alder.example' };
    expect(hostsOf({ ...production, ...publicUrl, ...listed })).toEqual([
      'clients.alder.example',
      'desk.alder.example',
    ]);
  });

  test('requires the hosts of an API in production whose dashboard is on another origin', () => {
    const api = {
      ...production,
      KEYTURN_PUBLIC_URL: 'https://clients.alder.example',
      KEYTURN_ALLOWED_ORIGINS: 'https://clients.alder.example',
    };
    expect(() => read(api)).toThrow(/KEYTURN_ALLOWED_HOSTS must be set in production if KEYTURN_ALLOWED_/);
    const hosts = { KEYTURN_ALLOWED_HOSTS: 'api.alder.example' };
    expect(read({ ...api, ...hosts }).security.allowedHosts).toEqual(['api.alder.example']);
  });

  test('hides the descriptions of the APIs in production, unless they are switched on', () => {
    const on = { KEYTURN_API_DESCRIPTIONS: 'on' };
    const served = [{}, production, { ...production, ...on }].map(
      (env) => read(env).security.servesDescriptions,
    );
    expect(served).toEqual([true, false, true]);
  });

  test('warns of a missing key for authenticator apps in production, and reads the former one while it is changed', () => {
    const key = { KEYTURN_STAFF_KEY: 'n'.repeat(32) };
    const former = { KEYTURN_FORMER_STAFF_KEY: 'f'.repeat(32) };
    expect(read(production).warnings).toEqual([expect.stringMatching(/^KEYTURN_STAFF_KEY is not set/)]);
    expect(read({})).toMatchObject({ staffKey: null, formerStaffKey: null, warnings: [] });
    expect(read({ ...production, ...key })).toMatchObject({ formerStaffKey: null, warnings: [] });
    expect(read({ ...key, ...former })).toMatchObject({ formerStaffKey: 'f'.repeat(32) });
    expect(read({ ...key, KEYTURN_FORMER_STAFF_KEY: 'none' })).toMatchObject({ formerStaffKey: '' });
    for (const env of [former, { ...key, KEYTURN_FORMER_STAFF_KEY: key.KEYTURN_STAFF_KEY }])
      expect(() => read(env)).toThrow(
        'KEYTURN_FORMER_STAFF_KEY is set, so KEYTURN_STAFF_KEY must be set to a different key',
      );
  });

  test('turns the demonstration firm off in production, and rejects turning it on there', () => {
    expect(read(production).demonstration).toBe(false);
    expect(() => read({ ...production, KEYTURN_DEMONSTRATION: 'on' })).toThrow(
      /KEYTURN_DEMONSTRATION must be off in production/,
    );
  });

  test('allows webhooks to private addresses and over http in development, but not in staging and production', () => {
    const open = { allowsPrivate: true, allowsHttp: true };
    expect(read({}).webhooks).toEqual(open);
    for (const env of [production, { KEYTURN_ENVIRONMENT: 'staging' }]) {
      expect(read(env).webhooks).toEqual({ allowsPrivate: false, allowsHttp: false });
      expect(read({ ...env, KEYTURN_WEBHOOK_PRIVATE_TARGETS: 'on' }).webhooks).toEqual({
        allowsPrivate: true,
        allowsHttp: false,
      });
    }
  });

  test('stores documents in a folder, or in S3 with a bucket', () => {
    expect(read({}).documents).toEqual({ s3: null, virusScanner: null, auditArchive: null });
    const s3 = { KEYTURN_DOCUMENT_STORE: 's3', KEYTURN_S3_BUCKET: 'alder-documents' };
    expect(read(s3).documents.s3).toEqual({
      bucket: 'alder-documents',
      region: 'eu-west-2',
      endpoint: null,
      prefix: '',
      credentials: null,
      usesPathStyle: false,
      encryption: null,
    });
    const keys = { KEYTURN_S3_ACCESS_KEY_ID: 'key', KEYTURN_S3_SECRET_ACCESS_KEY: 'secret' };
    const compatible = { ...s3, ...keys, KEYTURN_S3_ENDPOINT: 'http://storage.example.com:9000' };
    expect(read(compatible)).toMatchObject({
      documents: {
        s3: { usesPathStyle: true, credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } },
      },
      warnings: [expect.stringMatching(/^KEYTURN_S3_ENDPOINT .* unencrypted/)],
    });
    expect(read({ ...compatible, KEYTURN_S3_ENDPOINT: 'http://127.0.0.1:9000' }).warnings).toEqual([]);
    const more = {
      KEYTURN_S3_ENDPOINT: 'https://example.com/storage/v1',
      KEYTURN_S3_SERVER_SIDE_ENCRYPTION: 'aws:kms',
      KEYTURN_S3_KMS_KEY_ID: 'alias/keyturn',
    };
    expect(read({ ...s3, ...more }).documents.s3).toMatchObject({
      endpoint: 'https://example.com/storage/v1',
      encryption: { algorithm: 'aws:kms', keyId: 'alias/keyturn' },
    });
  });

  test.each([
    ['clamd.internal:3310', { host: 'clamd.internal', port: 3310 }],
    ['[::1]:3310', { host: '::1', port: 3310 }],
    ['/run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ])('finds the virus scanner at %s', (address, virusScanner) => {
    expect(read({ KEYTURN_VIRUS_SCANNER: address }).documents).toMatchObject({ virusScanner });
  });

  test('archives the audit log in a folder, or in another bucket with the settings of S3', () => {
    const archive = (place: string, more = {}) =>
      read({ KEYTURN_AUDIT_ARCHIVE: place, ...more }).documents.auditArchive;
    expect(archive('/mnt/archive')).toEqual({ folder: '/mnt/archive' });
    expect(archive('s3://firm-archive/keyturn/', { KEYTURN_S3_REGION: 'eu-west-1' })).toMatchObject({
      s3: { bucket: 'firm-archive', prefix: 'keyturn/', region: 'eu-west-1' },
    });
  });

  test.each([
    [{ KEYTURN_AUDIT_ARCHIVE: 's3://firm-archive' }, 'KEYTURN_AUDIT_ARCHIVE must be an absolute path'],
    [{ KEYTURN_VIRUS_SCANNER: 'clamd' }, 'KEYTURN_VIRUS_SCANNER must be the address of clamd'],
    [{ KEYTURN_DOCUMENT_STORE: 's3' }, 'KEYTURN_S3_BUCKET must be set if'],
    [
      { KEYTURN_S3_BUCKET: 'documents' },
      'KEYTURN_S3_BUCKET has no effect unless KEYTURN_DOCUMENT_STORE is s3',
    ],
    [
      { KEYTURN_DOCUMENT_STORE: 's3', KEYTURN_S3_BUCKET: 'A' },
      'KEYTURN_S3_BUCKET must be the name of a bucket',
    ],
    [{ KEYTURN_S3_SECRET_ACCESS_KEY: 'canary' }, 'must be set together'],
    [{ KEYTURN_S3_KMS_KEY_ID: 'alias/keyturn' }, 'KEYTURN_S3_KMS_KEY_ID has no effect unless'],
    [{ KEYTURN_S3_PREFIX: 'documents' }, 'must be a path that ends with a slash'],
    [{ KEYTURN_S3_ENDPOINT: 'storage:9000' }, 'KEYTURN_S3_ENDPOINT must be an address'],
  ])('rejects the incomplete document store settings %j', (env, reason) => {
    expect(() => read(env)).toThrow(reason);
    expect(() => read(env)).not.toThrow(/canary/);
  });

  const onOtherMachine = 'postgres://keyturn:secret@db.example.com/keyturn';
  test.each([
    ['', /^DATABASE_URL does not encrypt the connection to db.example.com: add sslmode=verify-full/],
    ['?sslmode=disable', /^DATABASE_URL does not encrypt/],
    ['?sslmode=no-verify', /^DATABASE_URL does not verify that the server is really db.example.com/],
    ['?uselibpqcompat=true&sslmode=require', /^DATABASE_URL does not verify/],
  ])('warns of a connection to another machine that is not protected: %s', (query, warning) => {
    expect(read({ DATABASE_URL: onOtherMachine + query }).warnings).toEqual([expect.stringMatching(warning)]);
  });

  test.each([
    `${onOtherMachine}?sslmode=verify-full`,
    'postgres://keyturn@localhost/keyturn',
    'postgres://keyturn@127.0.0.1:6432/keyturn',
    'postgres://keyturn@/keyturn?host=/var/run/postgresql',
    'postgres://keyturn:secret@/keyturn',
    'postgresql:///keyturn?host=/var/run/postgresql',
    'postgres://keyturn@%2Fvar%2Frun%2Fpostgresql/keyturn',
  ])('does not warn of the database at %s', (url) => {
    expect(read({ DATABASE_URL: url })).toMatchObject({ databaseUrl: url, warnings: [] });
  });

  test('warns of a connection to another machine that only the query of its address names', () => {
    const settings = read({ DATABASE_URL: 'postgres://keyturn:secret@/keyturn?host=db.example.com' });
    expect(settings.warnings).toEqual([
      expect.stringMatching(/does not encrypt the connection to db.example/),
    ]);
  });

  test('verifies the database’s certificate with each mode that the driver treats as verify-full', () => {
    for (const mode of ['prefer', 'require', 'verify-ca']) {
      expect(read({ DATABASE_URL: `${onOtherMachine}?sslmode=${mode}` })).toMatchObject({
        databaseUrl: `${onOtherMachine}?sslmode=verify-full`,
        warnings: [],
      });
    }
  });

  test('rejects an unknown mode and a missing file of a database’s certificate', () => {
    expect(() => read({ DATABASE_URL: `${onOtherMachine}?sslmode=full` })).toThrow(
      /DATABASE_URL: sslmode must be one of disable, prefer, .*verify-full/,
    );
    expect(() => read({ DATABASE_URL: `${onOtherMachine}?sslmode=verify-full&sslrootcert=/no.pem` })).toThrow(
      /DATABASE_URL: sslrootcert must name a file that can be read/,
    );
  });

  test.each([
    'redis.example.com:6379',
    'http://:canary@redis.example.com',
    'rediss://:canary@',
    'rediss://:canary@redis.example.com/keyturn',
    'rediss://:canary@redis.example.com?db=1',
    'rediss://:canary%@redis.example.com',
  ])('rejects the invalid address of Redis %s without repeating it', (url) => {
    const readInvalid = () => read({ KEYTURN_REALTIME_REDIS_URL: url });
    expect(readInvalid).toThrow('KEYTURN_REALTIME_REDIS_URL must be an address like rediss://');
    expect(readInvalid).not.toThrow(/canary/);
  });

  test('accepts addresses of Redis, and warns of one on another machine without encryption', () => {
    for (const url of ['rediss://user:pass%20word@redis.example.com:6380/1', 'redis://127.0.0.1'])
      expect(read({ KEYTURN_REALTIME_REDIS_URL: url })).toMatchObject({
        realtime: { redisUrl: url },
        warnings: [],
      });
    expect(read({ KEYTURN_REALTIME_REDIS_URL: 'redis://:canary@redis.example.com' }).warnings).toEqual([
      'KEYTURN_REALTIME_REDIS_URL does not encrypt the connection to redis.example.com: use rediss://',
    ]);
    expect(() => read({ KEYTURN_REALTIME_REDIS_URL: 'redis://127.0.0.1', KEYTURN_REALTIME_KEY: '' })).toThrow(
      'KEYTURN_REALTIME_REDIS_URL needs KEYTURN_REALTIME_SERVER=embedded',
    );
  });

  test('reports every invalid setting with the expected value, on one line', () => {
    const invalid = {
      PORT: '80a',
      KEYTURN_ENVIRONMENT: 'prod',
      KEYTURN_IDLE_SECONDS: '-1',
      LOG_LEVEL: 'loud',
    };
    expect(() => read(invalid)).toThrow(
      /^Invalid settings: .*KEYTURN_ENVIRONMENT must be one of .*KEYTURN_IDLE_SECONDS must be .*PORT must be .*LOG_LEVEL must be one of .*$/,
    );
  });

  test('requires a sender and a public address when email is sent by SMTP', () => {
    const smtp = { KEYTURN_SMTP_URL: 'smtp://me:s3cret@post.example:587' };
    expect(() => read(smtp)).toThrow(/KEYTURN_MAIL_FROM must be set .*KEYTURN_PUBLIC_URL must be set/s);
    expect(() => read({ KEYTURN_SMTP_URL: 'post.example:s3cret' })).toThrow(/KEYTURN_SMTP_URL must be/);
    expect(() => read({ KEYTURN_SMTP_URL: 'post.example:s3cret' })).not.toThrow(/s3cret/);
    const complete = {
      ...smtp,
      KEYTURN_MAIL_FROM: 'no-reply@alder.example',
      KEYTURN_PUBLIC_URL: 'https://clients.alder.example/',
    };
    expect(read(complete)).toMatchObject({ publicUrl: 'https://clients.alder.example' });
  });

  test('rejects payment attempt limits that are lower per address than per client, or below four declines', () => {
    expect(read({}).payments.attempts).toEqual({
      starts: { client: 10, address: 30 },
      declines: { client: 8, address: 20 },
    });
    expect(() =>
      read({ KEYTURN_PAYMENT_STARTS_PER_CLIENT: '40', KEYTURN_CARD_DECLINES_PER_ADDRESS: '5' }),
    ).toThrow(/KEYTURN_PAYMENT_STARTS_PER_ADDRESS must not.*KEYTURN_CARD_DECLINES_PER_ADDRESS must not/);
    expect(() => read({ KEYTURN_CARD_DECLINES_PER_CLIENT: '3' })).toThrow(/whole number from 4/);
  });

  test('reports unknown settings, so that a misspelt name is not silently ignored', () => {
    expect(() => read({ KEYTURN_SENTRY_DNS: 'x', KEYTURN_IDLE_SECOND: '60' })).toThrow(
      /KEYTURN_SENTRY_DNS is not a known setting; KEYTURN_IDLE_SECOND is not a known setting/,
    );
    // Stripe's other settings may be present without Stripe.
    expect(read({ KEYTURN_STRIPE_WEBHOOK_SECRETS: '' }).payments.stripe).toBeNull();
  });

  test('reads error reporting when a DSN is set, with sample rates from 0 to 1', () => {
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
      recordingConsent: 'asked',
      maskAll: true,
    });
    for (const rate of ['1.5', '-0.1', 'half', '1e-3', '1.0000001']) {
      expect(() => read({ KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE: rate })).toThrow(
        /KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE must be a number from 0 to 1/,
      );
    }
    expect(() => read({ KEYTURN_SENTRY_DSN: 'errors.example.com' })).toThrow(/KEYTURN_SENTRY_DSN must be/);
    expect(() => read({ ...production, KEYTURN_SENTRY_REPLAYS_CONSENT: 'assumed' })).toThrow(
      /KEYTURN_SENTRY_REPLAYS_CONSENT must be asked in production/,
    );
  });

  test('recordings mask everything in production unless the firm switches it off', () => {
    const dsn = { KEYTURN_SENTRY_DSN: 'https://0a1b2c@errors.example.com/7' };
    expect(read(dsn).errorReporting?.maskAll).toBe(false);
    expect(read({ ...production, ...dsn }).errorReporting?.maskAll).toBe(true);
    const off = { ...production, ...dsn, KEYTURN_SENTRY_MASK_ALL: 'off' };
    expect(read(off).errorReporting?.maskAll).toBe(false);
  });

  test('serves metrics when a port is set, on the loopback address by default', () => {
    expect(read({}).metrics).toBeNull();
    expect(read({ KEYTURN_METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(() => read({ KEYTURN_METRICS_PORT: '70000' })).toThrow(/KEYTURN_METRICS_PORT must be a port/);
  });

  test('never prints an invalid DATABASE_URL, which may contain a password', () => {
    for (const url of [
      'mysql://me:s3cret@host/db',
      'postgres://me:s3cret#@host/db',
      'postgres://me:s3cret/@host/db',
      'postgres://me:s3cret@host:99999/db',
      'postgres://me:s3cret@first:5432,second:5432/db',
      'postgres://me:s3cret@%zz/db',
    ]) {
      expect(() => read({ DATABASE_URL: url }), url).toThrow(/DATABASE_URL must be/);
      expect(() => read({ DATABASE_URL: url }), url).not.toThrow(/s3cret/);
    }
  });

  const stripe = {
    KEYTURN_PAYMENT_PROVIDER: 'stripe',
    KEYTURN_STRIPE_SECRET_KEY: 'rk_test_s3cret',
    KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  };
  const live = {
    ...stripe,
    ...production,
    KEYTURN_PAYMENT_PROVIDER: 'stripe',
    KEYTURN_STRIPE_SECRET_KEY: 'rk_live_s3cret',
    KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  };
  const fullKey = { KEYTURN_STRIPE_SECRET_KEY: 'sk_live_s3cret' };

  test('reads the file for Apple Pay, and rejects one with other characters', () => {
    const name = 'KEYTURN_APPLE_PAY_DOMAIN_ASSOCIATION';
    const text = '7B227073704964223A'.repeat(500);
    expect(read({ ...stripe, [name]: text }).payments.stripe?.applePayDomainAssociation).toBe(text);
    expect(() => read({ ...stripe, [name]: '<script>alert(1)</script>' })).toThrow(name);
  });

  test('reads Stripe keys that match the environment, and uses the sandbox without them', () => {
    expect(read({}).payments).toMatchObject({ provider: 'sandbox', stripe: null });
    expect(read({ ...stripe, KEYTURN_STRIPE_API_BASE: 'http://127.0.0.1:12111' }).payments).toMatchObject({
      provider: 'stripe',
      stripe: {
        client: {
          secretKey: 'rk_test_s3cret',
          publishableKey: 'pk_test_1',
          webhookSecrets: ['whsec_new', 'whsec_old'],
        },
        business: null,
        apiBase: 'http://127.0.0.1:12111',
      },
    });
    expect(read(live).payments.stripe).toMatchObject({
      client: { secretKey: 'rk_live_s3cret' },
      apiBase: null,
    });
  });

  test('warns of a full key of Stripe that is accepted in production, and not of full test keys', () => {
    const warning = 'KEYTURN_STRIPE_SECRET_KEY is a full key: replace it with a restricted key';
    expect(read({ ...live, ...fullKey, KEYTURN_STRIPE_FULL_KEYS: 'on' }).warnings).toContain(warning);
    expect(read(live).warnings).not.toContain(warning);
    expect(read({ ...stripe, KEYTURN_STRIPE_SECRET_KEY: 'sk_test_1' }).warnings).toEqual([]);
  });

  test.each([
    [
      'a live key outside production',
      { ...live, KEYTURN_ENVIRONMENT: 'staging' },
      /_SECRET_KEY .*_PUBLISHABLE_KEY /,
    ],
    ['a test key in production', { ...production, ...stripe }, /_SECRET_KEY .*_PUBLISHABLE_KEY /],
    [
      'a full key in production',
      { ...live, ...fullKey },
      /KEYTURN_STRIPE_SECRET_KEY must be a restricted key .*may write payment intents and refunds, and read .*KEYTURN_STRIPE_FULL_KEYS=on/,
    ],
    ['no keys', { KEYTURN_PAYMENT_PROVIDER: 'stripe' }, /_SECRET_KEY .*_PUBLISHABLE_KEY .*_WEBHOOK_SECRETS /],
    [
      'a secret key in place of the publishable key',
      { ...stripe, KEYTURN_STRIPE_PUBLISHABLE_KEY: 'rk_test_s3cret' },
      /_PUBLISHABLE_KEY /,
    ],
    [
      'an invalid webhook secret',
      { ...stripe, KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_a,rk_s3cret' },
      /_WEBHOOK_/,
    ],
    [
      'a simulator in production',
      { ...live, KEYTURN_STRIPE_API_BASE: 'http://127.0.0.1:1' },
      /_API_BASE must not/,
    ],
    [
      'an invalid simulator address',
      { ...stripe, KEYTURN_STRIPE_API_BASE: 'http://s3cret@a/b' },
      /_API_BASE must be/,
    ],
  ])('rejects %s for Stripe without printing any key', (_case, env, problem) => {
    expect(() => read(env)).toThrow(problem);
    expect(() => read(env)).not.toThrow(/s3cret/);
  });

  const business = {
    ...stripe,
    KEYTURN_STRIPE_BUSINESS_SECRET_KEY: 'rk_test_s3cretB',
    KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY: 'pk_test_2',
    KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS: 'whsec_business',
  };

  test('reads which payments are accepted by card, and the account that each goes to', () => {
    expect(new Set(Object.values(read(stripe).payments.purposes.card))).toEqual(new Set(['client']));
    expect(new Set(Object.values(read(stripe).payments.purposes.bank))).toEqual(new Set([null]));
    const { stripe: keys, purposes } = read(business).payments;
    expect(keys?.business).toEqual({
      secretKey: 'rk_test_s3cretB',
      publishableKey: 'pk_test_2',
      webhookSecrets: ['whsec_business'],
      accountId: null,
    });
    expect(purposes.card).toMatchObject({ legal_fees: 'business', search: 'client', other: 'client' });
    expect(
      read({
        ...business,
        KEYTURN_CARD_PURPOSES: 'search, identity_check',
        KEYTURN_BUSINESS_ACCOUNT_PURPOSES: 'identity_check',
      }).payments.purposes.card,
    ).toMatchObject({ search: 'client', identity_check: 'business', legal_fees: null, other: null });
    expect(
      read({ ...business, KEYTURN_BANK_PURPOSES: 'search, legal_fees' }).payments.purposes.bank,
    ).toMatchObject({ search: 'client', legal_fees: 'business', other: null });
  });

  test('reads limits for payments by bank that Stripe accepts by default', () => {
    expect(read({ KEYTURN_OTHER_PAYMENT_MIN_PENCE: '30' }).payments.limits).toEqual({
      card: { min: 30, max: 500_000, dailyMax: 1_000_000 },
      bank: { min: 50, max: 1_000_000, dailyMax: 5_000_000 },
    });
    expect(() => read({ KEYTURN_BANK_PAYMENT_DAILY_MAX_PENCE: '900000' })).toThrow(
      /KEYTURN_BANK_PAYMENT_DAILY_MAX_PENCE must not be less than KEYTURN_BANK_PAYMENT_MAX_PENCE/,
    );
  });

  test('warns that payments by bank above £10,000 need an agreement with Stripe', () => {
    const warning =
      'KEYTURN_BANK_PAYMENT_MAX_PENCE is above £10,000: ask Stripe’s support to raise the limit of the account, because Stripe offers no payment by bank above it';
    expect(read({ ...stripe, KEYTURN_BANK_PAYMENT_MAX_PENCE: '1000001' }).warnings).toContain(warning);
    expect(read({ ...stripe, KEYTURN_BANK_PAYMENT_MAX_PENCE: '1000000' }).warnings).not.toContain(warning);
    expect(read({ KEYTURN_BANK_PAYMENT_MAX_PENCE: '1000001' }).warnings).not.toContain(warning);
  });

  test.each([
    [
      'an unknown purpose',
      { KEYTURN_CARD_PURPOSES: 'search,bills' },
      /KEYTURN_CARD_PURPOSES must be some of search,/,
    ],
    [
      'a purpose for the business account that is not accepted by any method',
      { KEYTURN_CARD_PURPOSES: 'search', KEYTURN_BUSINESS_ACCOUNT_PURPOSES: 'legal_fees' },
      /KEYTURN_BUSINESS_ACCOUNT_PURPOSES has legal_fees, which KEYTURN_CARD_PURPOSES and KEYTURN_BANK_PURPOSES have not/,
    ],
    [
      'the secret key of the other account',
      { KEYTURN_STRIPE_BUSINESS_SECRET_KEY: stripe.KEYTURN_STRIPE_SECRET_KEY },
      /KEYTURN_STRIPE_BUSINESS_SECRET_KEY must differ from KEYTURN_STRIPE_SECRET_KEY/,
    ],
    [
      'the publishable key of the other account',
      { KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY: stripe.KEYTURN_STRIPE_PUBLISHABLE_KEY },
      /KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY must differ/,
    ],
    [
      'a webhook secret of the other account',
      { KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS: 'whsec_business,whsec_old' },
      /KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS must differ/,
    ],
    [
      'a key in place of the account’s id',
      { KEYTURN_STRIPE_ACCOUNT_ID: 'rk_test_s3cret' },
      /KEYTURN_STRIPE_ACCOUNT_ID must be the id of the account/,
    ],
    [
      'half of the keys, and a live one',
      {
        KEYTURN_STRIPE_BUSINESS_SECRET_KEY: 'sk_live_s3cret',
        KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY: '',
        KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS: '',
      },
      /BUSINESS_SECRET_KEY must be .*BUSINESS_PUBLISHABLE_KEY must be .*BUSINESS_WEBHOOK_SECRETS must be /,
    ],
  ])('rejects %s without printing any key', (_case, env, problem) => {
    expect(() => read({ ...business, ...env })).toThrow(problem);
    expect(() => read({ ...business, ...env })).not.toThrow(/s3cret/);
  });

  test('rejects purposes for a business account, and its keys, where Stripe has none', () => {
    expect(() => read({ ...stripe, KEYTURN_BUSINESS_ACCOUNT_PURPOSES: 'legal_fees' })).toThrow(
      /KEYTURN_BUSINESS_ACCOUNT_PURPOSES needs the keys of a business account/,
    );
    expect(() => read({ KEYTURN_STRIPE_BUSINESS_SECRET_KEY: 'rk_test_s3cret' })).toThrow(
      /KEYTURN_STRIPE_BUSINESS_… needs KEYTURN_STRIPE_SECRET_KEY/,
    );
  });

  test('turns the real-time channel off if its key is set and empty, and creates a key if it is not set', () => {
    expect(read({}).realtime).toMatchObject({ server: 'embedded', key: null });
    expect(read({ KEYTURN_REALTIME_KEY: '' }).realtime).toMatchObject({ server: 'off', key: null });
  });

  test('uses the enterprise data grid without a key outside production, and in production only with a key or on request', () => {
    const edition = (env: NodeJS.ProcessEnv) => read(env).dataGrid.edition;
    expect(edition({})).toBe('enterprise');
    expect(edition({ KEYTURN_ENVIRONMENT: 'staging' })).toBe('enterprise');
    expect(edition(production)).toBe('community');
    expect(edition({ ...production, KEYTURN_DATA_GRID_LICENCE_KEY: 'key' })).toBe('enterprise');
    expect(edition({ ...production, KEYTURN_DATA_GRID_EDITION: 'enterprise' })).toBe('enterprise');
    expect(edition({ KEYTURN_DATA_GRID_EDITION: 'community' })).toBe('community');
  });

  test('requires the host and the credentials of an external real-time server', () => {
    const external = {
      KEYTURN_REALTIME_SERVER: 'external',
      KEYTURN_REALTIME_KEY: 'key',
      KEYTURN_REALTIME_SECRET: 'a-secret-that-is-long',
      KEYTURN_REALTIME_APP_ID: '42',
    };
    expect(read({ ...external, KEYTURN_REALTIME_HOST: 'reverb.example.com' }).realtime).toMatchObject({
      server: 'external',
      host: 'reverb.example.com',
      port: null,
    });
    expect(read({ ...external, KEYTURN_REALTIME_CLUSTER: 'eu' }).realtime.host).toBeNull();
    expect(() => read(external)).toThrow(/KEYTURN_REALTIME_HOST must be set/);
    for (const name of ['KEY', 'SECRET', 'APP_ID']) {
      expect(() => read({ ...external, [`KEYTURN_REALTIME_${name}`]: '' })).toThrow(
        `KEYTURN_REALTIME_${name} must be set`,
      );
    }
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['a short secret', { SECRET: 'secret' }, 'KEYTURN_REALTIME_SECRET must be'],
    ['an origin with a path', { ALLOWED_ORIGINS: 'https://a.example/x' }, 'ALLOWED_ORIGINS must be'],
    ['any origin', { ALLOWED_ORIGINS: '*' }, 'ALLOWED_ORIGINS must be'],
    [
      'the same path for both authorisation endpoints',
      { AUTH_ENDPOINT: '/a', USER_AUTH_ENDPOINT: '/a' },
      'must be different paths',
    ],
    [
      'the client of socket.io for the embedded server',
      { BROADCASTER: 'socket.io' },
      'which speaks the Pusher protocol and not that of socket.io',
    ],
    [
      'a custom broadcaster without a module',
      { BROADCASTER: 'custom' },
      'KEYTURN_REALTIME_MODULE must be set',
    ],
    ['a timeout of zero', { ACTIVITY_TIMEOUT: '0' }, 'KEYTURN_REALTIME_ACTIVITY_TIMEOUT must be'],
  ])('rejects %s for the real-time channel without printing a secret', (_case, env, problem) => {
    const named = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [`KEYTURN_REALTIME_${name}`, value]),
    );
    expect(() => read(named)).toThrow(problem);
    if (env.SECRET) expect(() => read(named)).not.toThrow(/"secret"/);
  });

  test('requires TLS for the real-time channel in production', () => {
    const plain = {
      ...production,
      KEYTURN_REALTIME_HOST: 'ws.example.com',
      KEYTURN_REALTIME_SCHEME: 'http',
    };
    expect(() => read(plain)).toThrow('KEYTURN_REALTIME_SCHEME must be https in production');
  });

  test('treats an empty setting as not set', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 4720, databaseUrl: null });
  });
});

describe('secrets in files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-secrets-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const store = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const secrets = {
    DATABASE_URL: 'postgres://server:canary@127.0.0.1/keyturn',
    KEYTURN_DATABASE_OWNER_URL: 'postgres://owner:canary@127.0.0.1/keyturn',
    KEYTURN_STAFF_KEY: 'canary'.repeat(8),
    KEYTURN_FORMER_STAFF_KEY: 'canary'.repeat(9),
    KEYTURN_STRIPE_SECRET_KEY: 'rk_test_canary',
    KEYTURN_STRIPE_WEBHOOK_SECRETS: 'whsec_canary, whsec_canary2',
    KEYTURN_STRIPE_BUSINESS_SECRET_KEY: 'rk_test_canaryB',
    KEYTURN_STRIPE_BUSINESS_WEBHOOK_SECRETS: 'whsec_canaryB',
    KEYTURN_SMTP_URL: 'smtp://user:canary@mail.example.com',
    KEYTURN_S3_ACCESS_KEY_ID: 'canary-id',
    KEYTURN_S3_SECRET_ACCESS_KEY: 'canary',
    KEYTURN_REALTIME_SECRET: 'canary'.repeat(4),
    KEYTURN_REALTIME_REDIS_URL: 'redis://:canary@127.0.0.1',
    KEYTURN_DATA_GRID_LICENCE_KEY: 'canary',
    KEYTURN_SENTRY_DSN: 'https://canary@errors.example.com/1',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=canary',
  };
  const others = {
    KEYTURN_PAYMENT_PROVIDER: 'stripe',
    KEYTURN_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    KEYTURN_STRIPE_BUSINESS_PUBLISHABLE_KEY: 'pk_test_2',
    KEYTURN_MAIL_FROM: 'no-reply@example.com',
    KEYTURN_PUBLIC_URL: 'https://clients.example.com',
    KEYTURN_DOCUMENT_STORE: 's3',
    KEYTURN_S3_BUCKET: 'documents',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  };

  test('reads each secret from the file that its setting with _FILE names', () => {
    const inFiles = Object.fromEntries(
      Object.entries(secrets).map(([name, secret]) => [`${name}_FILE`, store(name, `${secret}\n`)]),
    );
    const settings = read({ ...others, ...inFiles });
    expect(settings).toEqual(read({ ...others, ...secrets }));
    expect(settings.staffKey).toBe(secrets.KEYTURN_STAFF_KEY);
  });

  test('finds the file of a secret relative to the project, and removes one newline at its end', () => {
    store('key', `${'k'.repeat(40)}\r\n`);
    expect(readSettings({ KEYTURN_STAFF_KEY_FILE: 'key' }, folder).staffKey).toBe('k'.repeat(40));
    store('key', `${'k'.repeat(40)}\n\n`);
    expect(() => readSettings({ KEYTURN_STAFF_KEY_FILE: 'key' }, folder)).toThrow(
      'KEYTURN_STAFF_KEY must be 32 to 200 characters without spaces',
    );
  });

  test.each<[string, string | Uint8Array | null, string]>([
    ['that does not exist', null, 'does not exist'],
    ['that is empty', ' \n', 'is empty'],
    ['above 64 KB', 'canary'.repeat(11_000), 'has more than 64 KB'],
    ['with a NUL character', 'canary\0', 'contains a NUL character'],
    [
      'that is no text',
      Uint8Array.from([99, 97, 0xff]),
      'cannot be read (ERR_ENCODING_INVALID_ENCODED_DATA)',
    ],
  ])('rejects the file of a secret %s, with its name and without its content', (title, content, fault) => {
    const path = content === null ? join(folder, 'missing') : store(title, content);
    const readIt = () => read({ KEYTURN_STAFF_KEY_FILE: path });
    expect(readIt).toThrow(
      `KEYTURN_STAFF_KEY_FILE must name a readable file with text of up to 64 KB: ${path} ${fault}.`,
    );
    expect(readIt).not.toThrow(/canary/);
  });

  test('rejects a folder as the file of a secret, a path through a file, and a secret that is given twice', () => {
    const file = store('twice', 'canary'.repeat(8));
    expect(() => read({ DATABASE_URL_FILE: folder })).toThrow(`${folder} is not a file`);
    expect(() => read({ DATABASE_URL_FILE: `${file}/x` })).toThrow(`${file}/x cannot be read (ENOTDIR)`);
    const twice = () => read({ KEYTURN_STAFF_KEY: 'canary'.repeat(8), KEYTURN_STAFF_KEY_FILE: file });
    expect(twice).toThrow('KEYTURN_STAFF_KEY and KEYTURN_STAFF_KEY_FILE must not both be set');
    expect(twice).not.toThrow(/canary/);
    expect(() => read({ KEYTURN_PUBLIC_URL_FILE: file })).toThrow('KEYTURN_PUBLIC_URL_FILE is not a known');
  });
});

describe('tracing', () => {
  const read = (env: NodeJS.ProcessEnv) => readSettings(env, '/project').tracing;
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example:4318' };

  test('traces nothing without a collector, or when tracing is disabled', () => {
    expect(read({ OTEL_SERVICE_NAME: 'keyturn', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toBeNull();
    expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeNull();
  });

  test('reads the standard variables of OpenTelemetry', () => {
    expect(read(endpoint)).toEqual({
      url: 'https://collector.example:4318/v1/traces',
      headers: {},
      resource: { 'service.name': 'keyturn' },
      sampler: { name: 'parentbased_always_on', ratio: 1 },
    });
    expect(
      read({
        ...endpoint,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other:4318/own/path',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==, x-tenant = firm',
        OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=clients',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toEqual({
      url: 'http://other:4318/own/path',
      headers: { authorization: 'Basic YQ==', 'x-tenant': 'firm' },
      resource: { 'service.namespace': 'clients', 'service.name': 'keyturn' },
      sampler: { name: 'traceidratio', ratio: 0.25 },
    });
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'canary' }, 'OTEL_EXPORTER_OTLP_HEADERS must be pairs'],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=canary%zz' }, 'OTEL_EXPORTER_OTLP_HEADERS must be pairs'],
    [{ ...endpoint, OTEL_TRACES_SAMPLER: 'sometimes' }, 'OTEL_TRACES_SAMPLER must be one of'],
    [{ ...endpoint, OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1'],
  ])('rejects %j without repeating a header, which may be secret', (env, reason) => {
    expect(() => read(env)).toThrow(reason);
    expect(() => read(env)).not.toThrow(/canary/);
  });
});

test('reads the limits of connections, and rejects too few connections to the database', () => {
  const read = (env: NodeJS.ProcessEnv) => readSettings(env, '/project');
  expect(read({}).databaseConnections).toBe(20);
  expect(read({}).realtime.limits).toEqual({
    connections: 10_000,
    connectionsPerAddress: 100,
    connectionsPerUser: 10,
  });
  const settings = read({
    KEYTURN_DATABASE_CONNECTIONS: '50',
    KEYTURN_REALTIME_MAX_CONNECTIONS: '30000',
    KEYTURN_REALTIME_CONNECTIONS_PER_ADDRESS: '500',
    KEYTURN_REALTIME_CONNECTIONS_PER_CLIENT: '4',
  });
  expect(settings.databaseConnections).toBe(50);
  expect(settings.realtime.limits).toEqual({
    connections: 30_000,
    connectionsPerAddress: 500,
    connectionsPerUser: 4,
  });
  expect(() => read({ KEYTURN_DATABASE_CONNECTIONS: '4' })).toThrow('KEYTURN_DATABASE_CONNECTIONS');
});
