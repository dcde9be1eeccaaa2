import { recordingConsents } from '@keyturn/contract';
import type { SettingReader } from './setting-reader.ts';

/** Where the dashboard reports its errors to, and how much it records. Rates are from 0 (never) to 1 (always). */
export interface ErrorReportingSettings {
  /** `https://{public key}@{host}/{project}`. */
  dsn: string;
  tracesSampleRate: number;
  replaysSessionSampleRate: number;
  replaysOnErrorSampleRate: number;
  /** Whether clients are asked before anything is recorded. */
  recordingConsent: (typeof recordingConsents)[number];
  maskAll: boolean;
}

/** Where Prometheus can read the metrics. */
export interface MetricsSettings {
  host: string;
  /** 0: any free port. */
  port: number;
}

/**
 * @param isProduction whether recordings mask everything by default
 * @returns null if there is no DSN; the other settings are checked even then
 */
export function readErrorReporting(
  reader: SettingReader,
  isProduction: boolean,
): ErrorReportingSettings | null {
  const dsn = reader.secret('KEYTURN_SENTRY_DSN', {
    expected: 'an address like https://key@errors.example.com/1',
    pattern: /^https?:\/\/\w{1,64}@[\w.-]+(:\d{1,5})?(\/[\w-]+)*\/\d+$/,
  });
  const rates = {
    tracesSampleRate: reader.rate('KEYTURN_SENTRY_TRACES_SAMPLE_RATE'),
    replaysSessionSampleRate: reader.rate('KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE'),
    replaysOnErrorSampleRate: reader.rate('KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE'),
  };
  const maskAll = reader.isOn('KEYTURN_SENTRY_MASK_ALL', isProduction ? 'on' : 'off');
  const recordingConsent = reader.choice('KEYTURN_SENTRY_REPLAYS_CONSENT', recordingConsents, 'asked');
  if (isProduction && recordingConsent === 'assumed')
    reader.report('KEYTURN_SENTRY_REPLAYS_CONSENT must be asked in production: recordings need consent');
  return dsn === null ? null : { dsn, ...rates, recordingConsent, maskAll };
}

/** @returns null if there is no port: the server does not serve metrics */
export function readMetrics(reader: SettingReader): MetricsSettings | null {
  const host = reader.text('KEYTURN_METRICS_HOST', '127.0.0.1', {
    expected: 'a host name or an IP address',
    pattern: /^[A-Za-z0-9.:_-]+$/,
  });
  const port = reader.optionalText('KEYTURN_METRICS_PORT', {
    expected: 'a port from 0 to 65535',
    pattern: /^(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$/,
  });
  return port === null ? null : { host, port: Number(port) };
}
