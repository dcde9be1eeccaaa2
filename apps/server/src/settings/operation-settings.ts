import type { SettingReaders } from './read-settings.ts';

/** Where errors of the dashboard are reported to, and how much besides. Rates go from 0, for never, to 1. */
export interface ErrorReportingSettings {
  /** `https://{public key}@{host}/{project}`. */
  dsn: string;
  tracesSampleRate: number;
  replaysSessionSampleRate: number;
  replaysOnErrorSampleRate: number;
  maskAll: boolean;
}

/** Where the figures for Prometheus are. */
export interface MetricsSettings {
  host: string;
  /** 0: any free one. */
  port: number;
}

/** Null: errors are reported nowhere. What goes with it has to be right all the same. */
export function readErrorReporting({ text, rate, oneOf }: SettingReaders): ErrorReportingSettings | null {
  const dsn = text(
    'KEYTURN_SENTRY_DSN',
    '',
    'an address like https://key@errors.example.com/1',
    /^https?:\/\/\w{1,64}@[\w.-]+(:\d{1,5})?(\/[\w-]+)*\/\d+$|^$/,
  );
  const reporting = {
    dsn,
    tracesSampleRate: rate('KEYTURN_SENTRY_TRACES_SAMPLE_RATE'),
    replaysSessionSampleRate: rate('KEYTURN_SENTRY_REPLAYS_SESSION_SAMPLE_RATE'),
    replaysOnErrorSampleRate: rate('KEYTURN_SENTRY_REPLAYS_ON_ERROR_SAMPLE_RATE'),
    maskAll: oneOf('KEYTURN_SENTRY_MASK_ALL', ['on', 'off'], 'off') === 'on',
  };
  return dsn === '' ? null : reporting;
}

/** Null: they are nowhere. */
export function readMetrics({ text }: SettingReaders): MetricsSettings | null {
  const host = text('KEYTURN_METRICS_HOST', '127.0.0.1', 'a host name or address', /^[A-Za-z0-9.:_-]+$/);
  const port = text('KEYTURN_METRICS_PORT', '', 'a port from 0 to 65535', portNumber);
  return port === '' ? null : { host, port: Number(port) };
}

const portNumber = /^(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])$|^$/;

/**
 * A setting of ours that nothing has asked for is a mistake: a name with a slip in it would silently not hold.
 * @param asked every name that was asked for
 */
export function findUnknownSettings(env: NodeJS.ProcessEnv, asked: ReadonlySet<string>): string[] {
  return Object.keys(env).filter(
    (name) => name.startsWith('KEYTURN_') && !asked.has(name) && !ofOthers.has(name),
  );
}

/** Read by the tests, not by the server. */
const ofOthers = new Set(['KEYTURN_TEST_SEED']);
