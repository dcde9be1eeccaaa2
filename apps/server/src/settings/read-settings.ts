import { resolve } from 'node:path';
import { StartFault } from '../platform/start-fault.ts';
import {
  type ErrorReportingSettings,
  findUnknownSettings,
  type MetricsSettings,
  readErrorReporting,
  readMetrics,
} from './operation-settings.ts';
import { type RealtimeSettings, readRealtime } from './realtime-settings.ts';
import { readStripe, type StripeSettings } from './stripe-settings.ts';

/** Everything that the environment decides. Nothing else in the server reads `process.env`. */
export interface Settings {
  host: string;
  /** 0: any free one. */
  port: number;
  dataDirectory: string;
  /** Null: the embedded PostgreSQL, in the data directory. */
  databaseUrl: string | null;
  environment: (typeof environments)[number];
  productName: string;
  apiBaseUrl: string;
  /** Other origins whose dashboards call this API, such as `https://clients.example.com`. */
  allowedOrigins: string[];
  /** Null: the dashboard's build in the project. */
  dashboardDirectory: string | null;
  /** Seconds between two looks for a newer build by an open tab; 0: none. */
  buildCheckSeconds: number;
  persistedState: {
    storage: 'local' | 'session' | 'cookie';
    prefix: string;
    maxAgeDays: number;
    cookieDomain: string | null;
    cookieSameSite: 'strict' | 'lax';
  };
  /** Seconds. */
  session: { expiresIn: number; idleAfter: number };
  payments: {
    provider: 'sandbox' | 'stripe';
    /** With Stripe, and beside the sandbox where its keys are still set: to end what was begun there. */
    stripe: StripeSettings | null;
    /** Pence: of a payment that is for no search, and of all of them for a case in a day. */
    limits: { min: number; max: number; dailyMax: number };
    attempts: PaymentAttemptSettings;
  };
  realtime: RealtimeSettings;
  dataGrid: { edition: 'community' | 'enterprise'; licenceKey: string | null };
  mail: {
    /** Null: mails become files in the data directory's outbox. */
    smtpUrl: string | null;
    from: string;
  };
  /** Where clients open the dashboard, for links in mails; null: this server's own address. */
  publicUrl: string | null;
  /** How many proxies stand in front of us whose X-Forwarded-For we believe. */
  trustedProxies: number;
  logLevel: (typeof logLevels)[number];
  /** How many requests may be under way at once; what comes above that is asked to come again. */
  maxConcurrentRequests: number;
  errorReporting: ErrorReportingSettings | null;
  metrics: MetricsSettings | null;
  /** Whether an empty installation is given the demonstration firm. */
  demonstration: boolean;
}

/** Against card testing: payments begun in an hour, and cards declined in 24 hours, at most. */
export interface PaymentAttemptSettings {
  starts: { client: number; address: number };
  declines: { client: number; address: number };
}

const environments = ['development', 'local', 'staging', 'production', 'test'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * @param projectDirectory where the data directory stands unless `KEYTURN_DATA_DIR` says otherwise
 * @throws StartFault naming every wrong setting and what is expected, on one line
 */
export function readSettings(given: NodeJS.ProcessEnv, projectDirectory: string): Settings {
  const faults: string[] = [];
  const asked = new Set<string>();
  const env = new Proxy(given, {
    get: (target, name) => {
      asked.add(String(name));
      return target[String(name)];
    },
  });
  const text = (name: string, fallback: string, expected?: string, pattern?: RegExp) => {
    const value = env[name]?.trim() || fallback;
    if (pattern && !pattern.test(value))
      faults.push(`${name} must be ${expected}, not "${shortened(value)}"`);
    return value;
  };
  const whole = (name: string, fallback: number, min: number, max: number) => {
    const value = env[name]?.trim() || String(fallback);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      faults.push(`${name} must be a whole number from ${min} to ${max}, not "${shortened(value)}"`);
    }
    return number;
  };
  const rate = (name: string) => {
    const value = env[name]?.trim() || '0';
    if (!/^(0|1|[01]?\.\d{1,6})$/.test(value) || Number(value) > 1)
      faults.push(`${name} must be a number from 0 to 1, not "${shortened(value)}"`);
    return Number(value);
  };
  const oneOf = <const Words extends readonly string[]>(
    name: string,
    words: Words,
    fallback: Words[number],
  ) => {
    const value = env[name]?.trim() || fallback;
    if (!words.includes(value))
      faults.push(`${name} must be one of ${words.join(', ')}, not "${shortened(value)}"`);
    return value as Words[number];
  };
  const origins = (name: string) => {
    const found = (env[name] ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== '');
    if (!found.every((origin) => /^https?:\/\/[\w.-]+(:\d+)?$/.test(origin))) {
      faults.push(`${name} must be origins like https://clients.example.com, with commas`);
    }
    return found;
  };
  const readers: SettingReaders = { text, whole, rate, oneOf, origins };

  const environment = oneOf('KEYTURN_ENVIRONMENT', environments, 'development');
  const expiresIn = whole('KEYTURN_SESSION_SECONDS', 43_200, 60, 604_800);
  const idleAfter = whole('KEYTURN_IDLE_SECONDS', 1_800, 60, 604_800);
  const limits = {
    min: whole('KEYTURN_OTHER_PAYMENT_MIN_PENCE', 100, 30, 99_999_999),
    max: whole('KEYTURN_OTHER_PAYMENT_MAX_PENCE', 500_000, 30, 99_999_999),
    dailyMax: whole('KEYTURN_OTHER_PAYMENT_DAILY_MAX_PENCE', 1_000_000, 30, 99_999_999),
  };
  if (limits.min > limits.max || limits.max > limits.dailyMax) {
    faults.push(
      'KEYTURN_OTHER_PAYMENT_MIN_PENCE, _MAX_PENCE and _DAILY_MAX_PENCE must not grow smaller in this order',
    );
  }
  const attempts = {
    starts: {
      client: whole('KEYTURN_PAYMENT_STARTS_PER_CLIENT', 10, 3, 1_000_000),
      address: whole('KEYTURN_PAYMENT_STARTS_PER_ADDRESS', 30, 3, 1_000_000),
    },
    // Whoever mistypes three times is no card tester.
    declines: {
      client: whole('KEYTURN_CARD_DECLINES_PER_CLIENT', 8, 4, 1_000_000),
      address: whole('KEYTURN_CARD_DECLINES_PER_ADDRESS', 20, 4, 1_000_000),
    },
  };
  if (attempts.starts.client > attempts.starts.address) {
    faults.push('KEYTURN_PAYMENT_STARTS_PER_ADDRESS must not be less than KEYTURN_PAYMENT_STARTS_PER_CLIENT');
  }
  if (attempts.declines.client > attempts.declines.address) {
    faults.push('KEYTURN_CARD_DECLINES_PER_ADDRESS must not be less than KEYTURN_CARD_DECLINES_PER_CLIENT');
  }
  const provider = oneOf('KEYTURN_PAYMENT_PROVIDER', ['sandbox', 'stripe'], 'sandbox');
  const hasStripe = provider === 'stripe' || Boolean(env.KEYTURN_STRIPE_SECRET_KEY?.trim());
  const stripe = readStripe(env, environment, hasStripe ? faults : []);
  const settings: Settings = {
    host: text('HOST', '127.0.0.1', 'a host name or address', /^[A-Za-z0-9.:_-]+$/),
    port: whole('PORT', 4720, 0, 65_535),
    dataDirectory: resolve(projectDirectory, env.KEYTURN_DATA_DIR?.trim() || '.keyturn'),
    databaseUrl: env.DATABASE_URL?.trim() || null,
    environment,
    productName: text('KEYTURN_PRODUCT_NAME', 'Keyturn', 'at most 60 characters', /^.{1,60}$/u),
    apiBaseUrl: text(
      'KEYTURN_API_BASE_URL',
      '/api',
      'a path such as /api or an https address',
      /^(\/[\w/-]*|https?:\/\/[^\s"'<>]+)$/,
    ).replace(/\/$/, ''),
    allowedOrigins: origins('KEYTURN_ALLOWED_ORIGINS'),
    dashboardDirectory: env.KEYTURN_DASHBOARD_DIR?.trim()
      ? resolve(projectDirectory, env.KEYTURN_DASHBOARD_DIR.trim())
      : null,
    buildCheckSeconds: whole('KEYTURN_BUILD_CHECK_SECONDS', 3_600, 0, 604_800),
    persistedState: {
      storage: oneOf('KEYTURN_PERSISTED_STATE_STORAGE', ['local', 'session', 'cookie'], 'local'),
      prefix: text(
        'KEYTURN_PERSISTED_STATE_PREFIX',
        'keyturn.',
        '1 to 40 letters, digits, dots and hyphens',
        /^[\w.-]{1,40}$/,
      ),
      maxAgeDays: whole('KEYTURN_PERSISTED_STATE_MAX_AGE_DAYS', 30, 1, 400),
      cookieDomain:
        text(
          'KEYTURN_PERSISTED_STATE_COOKIE_DOMAIN',
          '',
          'a host name such as example.com',
          /^([a-z0-9-]+\.)*[a-z0-9-]+$|^$/i,
        ) || null,
      cookieSameSite: oneOf('KEYTURN_PERSISTED_STATE_COOKIE_SAME_SITE', ['strict', 'lax'], 'strict'),
    },
    session: { expiresIn, idleAfter },
    payments: { provider, stripe: hasStripe ? stripe : null, limits, attempts },
    realtime: readRealtime(env, readers, environment, faults),
    dataGrid: {
      edition: oneOf('KEYTURN_DATA_GRID_EDITION', ['community', 'enterprise'], 'community'),
      licenceKey: env.KEYTURN_DATA_GRID_LICENCE_KEY?.trim() || null,
    },
    mail: {
      smtpUrl: env.KEYTURN_SMTP_URL?.trim() || null,
      from: text(
        'KEYTURN_MAIL_FROM',
        'no-reply@keyturn.invalid',
        'an email address',
        /^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/,
      ),
    },
    publicUrl:
      text(
        'KEYTURN_PUBLIC_URL',
        '',
        'an address such as https://clients.example.com',
        /^https?:\/\/[^\s"'<>?#]+$|^$/,
      ).replace(/\/+$/, '') || null,
    trustedProxies: whole('KEYTURN_TRUSTED_PROXIES', 0, 0, 10),
    logLevel: oneOf('LOG_LEVEL', logLevels, environment === 'production' ? 'info' : 'warn'),
    maxConcurrentRequests: whole('KEYTURN_MAX_CONCURRENT_REQUESTS', 500, 10, 100_000),
    errorReporting: readErrorReporting(readers),
    metrics: readMetrics(readers),
    demonstration:
      oneOf('KEYTURN_DEMONSTRATION', ['on', 'off'], environment === 'production' ? 'off' : 'on') === 'on',
  };
  if (settings.databaseUrl !== null && !/^postgres(ql)?:\/\/[^\s]+$/.test(settings.databaseUrl)) {
    // The value is not repeated: it may hold a password.
    faults.push('DATABASE_URL must be an address like postgres://user:password@host:5432/database');
  }
  if (settings.mail.smtpUrl !== null && !/^smtps?:\/\/\S+$/.test(settings.mail.smtpUrl)) {
    faults.push('KEYTURN_SMTP_URL must be an address like smtp://user:password@host:587');
  }
  if (settings.mail.smtpUrl !== null && !env.KEYTURN_MAIL_FROM?.trim()) {
    faults.push('KEYTURN_MAIL_FROM must be set where mails are sent by SMTP');
  }
  if (settings.publicUrl === null && settings.mail.smtpUrl !== null) {
    faults.push('KEYTURN_PUBLIC_URL must say where clients open the dashboard: mails link to it');
  }
  if (environment === 'production' && settings.publicUrl?.startsWith('http:')) {
    faults.push('KEYTURN_PUBLIC_URL must begin with https in production');
  }
  if (environment === 'production' && settings.demonstration) {
    faults.push('KEYTURN_DEMONSTRATION must be off in production');
  }
  for (const name of findUnknownSettings(given, asked)) faults.push(`${name} is not a setting`);
  if (faults.length > 0) throw new StartFault(`Wrong settings: ${faults.join('; ')}.`);
  return settings;
}

export interface SettingReaders {
  text(name: string, fallback: string, expected?: string, pattern?: RegExp): string;
  whole(name: string, fallback: number, min: number, max: number): number;
  /** From 0 to 1; 0 unless told. */
  rate(name: string): number;
  oneOf<const Words extends readonly string[]>(
    name: string,
    words: Words,
    fallback: Words[number],
  ): Words[number];
  origins(name: string): string[];
}

const shortened = (value: string) => (value.length > 40 ? `${value.slice(0, 40)}…` : value);
