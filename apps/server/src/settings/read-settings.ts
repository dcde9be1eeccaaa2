import { resolve } from 'node:path';
import { StartFault } from '../platform/start-fault.ts';
import type { WebhookTargetRules } from '../platform/webhook-target-rules.ts';
import { type DashboardSettings, readDashboardSettings } from './dashboard-settings.ts';
import { type DatabaseSettings, readDatabaseSettings } from './database-settings.ts';
import { type DocumentSettings, readDocumentSettings } from './document-settings.ts';
import { type MailSettings, readMailSettings } from './mail-settings.ts';
import {
  type ErrorReportingSettings,
  type MetricsSettings,
  readErrorReporting,
  readMetrics,
} from './operation-settings.ts';
import { type PaymentSettings, readPaymentSettings } from './payment-settings.ts';
import { type RealtimeSettings, readRealtime } from './realtime-settings.ts';
import { readSecurity, type SecuritySettings } from './security-settings.ts';
import { createSettingReader, type Environment, environments, type SettingReader } from './setting-reader.ts';
import { readTracing, type TracingSettings } from './tracing-settings.ts';
import { readWebhookSettings } from './webhook-settings.ts';

/** All settings from the environment. No other code in the server reads `process.env`. */
export interface Settings extends DashboardSettings, DatabaseSettings {
  host: string;
  /** 0: any free port. */
  port: number;
  dataDirectory: string;
  documents: DocumentSettings;
  environment: Environment;
  /** Origins of dashboards on other servers that may call this API, such as `https://clients.example.com`. */
  allowedOrigins: string[];
  /** Seconds. */
  session: { expiresIn: number; idleAfter: number };
  /** Part of the key that encrypts the secrets of authenticator apps; null: only the installation's secret is. */
  staffKey: string | null;
  /** The same before it was changed, to decrypt what is still encrypted with it; empty: it was not set. Null: unchanged. */
  formerStaffKey: string | null;
  payments: PaymentSettings;
  realtime: RealtimeSettings;
  mail: MailSettings;
  webhooks: WebhookTargetRules;
  /** The address at which clients open the dashboard, for links in emails; null: this server's own address. */
  publicUrl: string | null;
  /** The number of reverse proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: number;
  logLevel: (typeof logLevels)[number];
  /** Requests in progress at the same time; the server rejects more with 503. */
  maxConcurrentRequests: number;
  /** Requests in ten seconds. */
  requestLimits: { perAddress: number; readsPerClient: number; changesPerClient: number };
  errorReporting: ErrorReportingSettings | null;
  metrics: MetricsSettings | null;
  tracing: TracingSettings | null;
  security: SecuritySettings;
  /** Whether to load the demonstration firm into an empty installation. */
  demonstration: boolean;
  /** The day that the demonstration's dates are relative to; null: the day it is loaded. */
  demonstrationDate: string | null;
  /** Seconds for which a stopping server is not ready but still answers. */
  drainSeconds: number;
  /** Seconds after draining for which a stopping server lets requests in progress finish. */
  stopSeconds: number;
  /** For the log: settings that work, but less securely than they could. */
  warnings: string[];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * Reads and checks all settings.
 * @param projectDirectory the base of relative paths, and of the data directory if `KEYTURN_DATA_DIR` is not set
 * @throws StartFault with every invalid setting and what is expected, on one line
 */
export function readSettings(env: NodeJS.ProcessEnv, projectDirectory: string): Settings {
  const reader = createSettingReader(env, projectDirectory);
  const environment = reader.choice('KEYTURN_ENVIRONMENT', environments, 'development');
  const isProduction = environment === 'production';
  const session = readSession(reader);
  const payments = readPaymentSettings(reader, environment);
  const server = readServer(reader, projectDirectory);
  const dashboard = readDashboardSettings(reader, projectDirectory, isProduction);
  const realtime = readRealtime(reader, environment);
  const publicUrl = readPublicUrl(reader, environment);
  const settings: Settings = {
    ...server,
    ...dashboard,
    ...readDatabaseSettings(reader),
    documents: readDocumentSettings(reader),
    environment,
    session,
    ...readStaffKeys(reader, isProduction),
    payments,
    realtime,
    mail: readMailSettings(reader, environment),
    webhooks: readWebhookSettings(reader, environment),
    publicUrl,
    logLevel: reader.choice('LOG_LEVEL', logLevels, isProduction ? 'info' : 'warn'),
    errorReporting: readErrorReporting(reader, isProduction),
    metrics: readMetrics(reader),
    tracing: readTracing(reader),
    security: readSecurity(reader, { ...server, ...dashboard, realtime, publicUrl, isProduction }),
    demonstration: reader.isOn('KEYTURN_DEMONSTRATION', isProduction ? 'off' : 'on'),
    demonstrationDate: readDemonstrationDate(reader),
    drainSeconds: reader.wholeNumber('KEYTURN_DRAIN_SECONDS', 0, { min: 0, max: 600 }),
    stopSeconds: reader.wholeNumber('KEYTURN_STOP_SECONDS', 20, { min: 1, max: 3_600 }),
    warnings: reader.warnings(),
  };
  if (settings.mail.smtpUrl !== null && settings.publicUrl === null) {
    reader.report('KEYTURN_PUBLIC_URL must be set if KEYTURN_SMTP_URL is set: mails link to the dashboard');
  }
  if (isProduction && settings.demonstration)
    reader.report('KEYTURN_DEMONSTRATION must be off in production');
  const problems = reader.problems();
  if (problems.length > 0) throw new StartFault(`Invalid settings: ${problems.join('; ')}.`);
  return settings;
}

const requestRange = { min: 3, max: 1_000_000 };

function readServer(reader: SettingReader, projectDirectory: string) {
  return {
    host: reader.text('HOST', '127.0.0.1', {
      expected: 'a host name or an IP address',
      pattern: /^[A-Za-z0-9.:_-]+$/,
    }),
    port: reader.wholeNumber('PORT', 4720, { min: 0, max: 65_535 }),
    dataDirectory: resolve(projectDirectory, reader.text('KEYTURN_DATA_DIR', '.keyturn')),
    allowedOrigins: reader.origins('KEYTURN_ALLOWED_ORIGINS'),
    trustedProxies: reader.wholeNumber('KEYTURN_TRUSTED_PROXIES', 0, { min: 0, max: 10 }),
    requestLimits: {
      perAddress: reader.wholeNumber('KEYTURN_REQUESTS_PER_ADDRESS', 2_000, requestRange),
      readsPerClient: reader.wholeNumber('KEYTURN_READS_PER_CLIENT', 300, requestRange),
      changesPerClient: reader.wholeNumber('KEYTURN_CHANGES_PER_CLIENT', 60, requestRange),
    },
    maxConcurrentRequests: reader.wholeNumber('KEYTURN_MAX_CONCURRENT_REQUESTS', 500, {
      min: 10,
      max: 100_000,
    }),
  };
}

function readDemonstrationDate(reader: SettingReader): string | null {
  const day = reader.optionalText('KEYTURN_DEMONSTRATION_DATE', {
    expected: 'a day such as 2026-11-20',
    pattern: /^20\d\d-\d\d-\d\d$/,
  });
  // A day that does not exist, such as 30 February, would become another one.
  if (day !== null && new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) !== day) {
    reader.report('KEYTURN_DEMONSTRATION_DATE must be a day that exists');
  }
  return day;
}

function readSession(reader: SettingReader): Settings['session'] {
  const range = { min: 60, max: 604_800 };
  return {
    expiresIn: reader.wholeNumber('KEYTURN_SESSION_SECONDS', 43_200, range),
    idleAfter: reader.wholeNumber('KEYTURN_IDLE_SECONDS', 1_800, range),
  };
}

function readStaffKeys(reader: SettingReader, isProduction: boolean) {
  const staffKey = reader.secret('KEYTURN_STAFF_KEY', {
    expected: '32 to 200 characters without spaces',
    pattern: /^\S{32,200}$/,
  });
  const former = reader.secret('KEYTURN_FORMER_STAFF_KEY', {
    expected: 'the former KEYTURN_STAFF_KEY, or none if there was none',
    pattern: /^(\S{32,200}|none)$/,
  });
  if (former !== null && (staffKey === null || staffKey === former))
    reader.report('KEYTURN_FORMER_STAFF_KEY is set, so KEYTURN_STAFF_KEY must be set to a different key');
  if (staffKey === null && isProduction)
    reader.warn(
      'KEYTURN_STAFF_KEY is not set, so a copy of the database is enough to compute the codes of authenticator apps',
    );
  return { staffKey, formerStaffKey: former === 'none' ? '' : former };
}

function readPublicUrl(reader: SettingReader, environment: Environment): string | null {
  const url = reader.optionalText('KEYTURN_PUBLIC_URL', {
    expected: 'an address such as https://clients.example.com',
    pattern: /^(https?:\/\/[^\s"'<>?#]+|off)$/,
  });
  if (environment === 'production' && url !== 'off' && !url?.startsWith('https:')) {
    reader.report(
      'KEYTURN_PUBLIC_URL must start with https in production, or be off to use the server’s own address',
    );
  }
  return url === null || url === 'off' ? null : url.replace(/\/+$/, '');
}
