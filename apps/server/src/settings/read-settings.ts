import { resolve } from 'node:path';
import { StartFault } from '../platform/start-fault.ts';
import { type DashboardSettings, readDashboardSettings } from './dashboard-settings.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import {
  type ErrorReportingSettings,
  type MetricsSettings,
  readErrorReporting,
  readMetrics,
} from './operation-settings.ts';
import { type PaymentSettings, readPaymentSettings } from './payment-settings.ts';
import { type RealtimeSettings, readRealtime } from './realtime-settings.ts';
import { createSettingReader, type Environment, environments, type SettingReader } from './setting-reader.ts';

/** Everything that the environment decides. Nothing else in the server reads `process.env`. */
export interface Settings extends DashboardSettings {
  host: string;
  /** 0: any free port. */
  port: number;
  dataDirectory: string;
  /** Null: the embedded PostgreSQL in the data directory. */
  databaseUrl: string | null;
  environment: Environment;
  /** Origins of dashboards on other servers that may call this API, such as `https://clients.example.com`. */
  allowedOrigins: string[];
  /** Seconds. */
  session: { expiresIn: number; idleAfter: number };
  payments: PaymentSettings;
  realtime: RealtimeSettings;
  mail: MailSettings;
  /** The address at which clients open the dashboard, for links in mails; null: this server's own address. */
  publicUrl: string | null;
  /** The number of reverse proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: number;
  logLevel: (typeof logLevels)[number];
  /** Requests in progress at the same time; the server rejects more with 503. */
  maxConcurrentRequests: number;
  errorReporting: ErrorReportingSettings | null;
  metrics: MetricsSettings | null;
  /** Whether to load the demonstration firm into an empty installation. */
  demonstration: boolean;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads and checks all settings.
 * @param projectDirectory the base of relative paths, and of the data directory if `KEYTURN_DATA_DIR` is not set
 * @throws StartFault with every invalid setting and what is expected, on one line
 */
export function readSettings(env: NodeJS.ProcessEnv, projectDirectory: string): Settings {
  const reader = createSettingReader(env);
  const environment = reader.choice('KEYTURN_ENVIRONMENT', environments, 'development');
  const isProduction = environment === 'production';
  const session = readSession(reader);
  const payments = readPaymentSettings(reader, environment);
  const settings: Settings = {
    ...readServer(reader, projectDirectory),
    ...readDashboardSettings(reader, projectDirectory),
    environment,
    session,
    payments,
    realtime: readRealtime(reader, environment),
    mail: readMailSettings(reader),
    publicUrl: readPublicUrl(reader),
    logLevel: reader.choice('LOG_LEVEL', logLevels, isProduction ? 'info' : 'warn'),
    errorReporting: readErrorReporting(reader),
    metrics: readMetrics(reader),
    demonstration: reader.isOn('KEYTURN_DEMONSTRATION', isProduction ? 'off' : 'on'),
  };
  if (settings.mail.smtpUrl !== null && settings.publicUrl === null) {
    reader.report('KEYTURN_PUBLIC_URL must be set if KEYTURN_SMTP_URL is set: mails link to the dashboard');
  }
  if (isProduction) checkProduction(settings, reader);
  const problems = reader.problems();
  if (problems.length > 0) throw new StartFault(`Invalid settings: ${problems.join('; ')}.`);
  return settings;
}

function readServer(reader: SettingReader, projectDirectory: string) {
  return {
    host: reader.text('HOST', '127.0.0.1', {
      expected: 'a host name or an IP address',
      pattern: /^[A-Za-z0-9.:_-]+$/,
    }),
    port: reader.wholeNumber('PORT', 4720, { min: 0, max: 65_535 }),
    dataDirectory: resolve(projectDirectory, reader.text('KEYTURN_DATA_DIR', '.keyturn')),
    databaseUrl: readDatabaseUrl(reader),
    allowedOrigins: reader.origins('KEYTURN_ALLOWED_ORIGINS'),
    trustedProxies: reader.wholeNumber('KEYTURN_TRUSTED_PROXIES', 0, { min: 0, max: 10 }),
    maxConcurrentRequests: reader.wholeNumber('KEYTURN_MAX_CONCURRENT_REQUESTS', 500, {
      min: 10,
      max: 100_000,
    }),
  };
}

function readDatabaseUrl(reader: SettingReader): string | null {
  const url = reader.optional('DATABASE_URL');
  if (url !== null && !/^postgres(ql)?:\/\/[^\s]+$/.test(url)) {
    // The message leaves out the value, which may contain a password.
    reader.report('DATABASE_URL must be an address like postgres://user:password@host:5432/database');
  }
  return url;
}

function readSession(reader: SettingReader): Settings['session'] {
  const range = { min: 60, max: 604_800 };
  return {
    expiresIn: reader.wholeNumber('KEYTURN_SESSION_SECONDS', 43_200, range),
    idleAfter: reader.wholeNumber('KEYTURN_IDLE_SECONDS', 1_800, range),
  };
}

function readPublicUrl(reader: SettingReader): string | null {
  const url = reader.optionalText('KEYTURN_PUBLIC_URL', {
    expected: 'an address such as https://clients.example.com',
    pattern: /^https?:\/\/[^\s"'<>?#]+$/,
  });
  return url?.replace(/\/+$/, '') ?? null;
}

function checkProduction({ publicUrl, demonstration }: Settings, { report }: SettingReader): void {
  if (publicUrl?.startsWith('http:')) report('KEYTURN_PUBLIC_URL must start with https in production');
  if (demonstration) report('KEYTURN_DEMONSTRATION must be off in production');
}
