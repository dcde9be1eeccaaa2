import { type Broadcaster, broadcasters, eventNamespace } from '@keyturn/contract';
import type { SettingReaders, Settings } from './read-settings.ts';

export interface RealtimeSettings {
  /** Who carries the events: this server, another one that speaks Pusher's HTTP API, or nobody. */
  server: (typeof realtimeServers)[number];
  broadcaster: Broadcaster;
  /** Null with the embedded server: the installation's own. */
  key: string | null;
  secret: string | null;
  appId: string | null;
  /** Null: where the page comes from. */
  host: string | null;
  port: number | null;
  scheme: 'https' | 'http';
  path: string;
  cluster: string | null;
  module: string | null;
  namespace: string;
  authEndpoint: string;
  userAuthEndpoint: string;
  /** Seconds. */
  activityTimeout: number;
  pongTimeout: number;
  unavailableTimeout: number;
  /** Origins besides the server's own from which browsers may connect, such as `https://clients.example.com`. */
  allowedOrigins: string[];
}

const realtimeServers = ['embedded', 'outside', 'off'] as const;

/** @param faults takes what does not go together */
export function readRealtime(
  env: NodeJS.ProcessEnv,
  { text, whole, oneOf, origins }: SettingReaders,
  environment: Settings['environment'],
  faults: string[],
): RealtimeSettings {
  const path = /^\/[\w./-]*$|^$/;
  const plain = (name: string, expected: string, pattern: RegExp) =>
    text(`KEYTURN_REALTIME_${name}`, '', expected, pattern) || null;
  const seconds = (name: string, fallback: number) => whole(`KEYTURN_REALTIME_${name}`, fallback, 1, 3_600);
  const port = whole('KEYTURN_REALTIME_PORT', 0, 0, 65_535);
  const realtime: RealtimeSettings = {
    server: oneOf('KEYTURN_REALTIME_SERVER', realtimeServers, 'embedded'),
    broadcaster: oneOf('KEYTURN_REALTIME_BROADCASTER', broadcasters, 'reverb'),
    key: plain('KEY', 'letters, digits and hyphens', /^[\w-]{1,100}$|^$/),
    secret: env.KEYTURN_REALTIME_SECRET?.trim() || null,
    appId: plain('APP_ID', 'letters, digits and hyphens', /^[\w-]{1,100}$|^$/),
    host: plain('HOST', 'a host name', /^[A-Za-z0-9.-]+$|^$/),
    port: port === 0 ? null : port,
    scheme: oneOf('KEYTURN_REALTIME_SCHEME', ['https', 'http'], 'https'),
    path: text('KEYTURN_REALTIME_PATH', '', 'a path such as /realtime', path).replace(/\/$/, ''),
    cluster: plain('CLUSTER', "one of Pusher's clusters, such as eu", /^[a-z0-9-]+$|^$/),
    module: plain('MODULE', 'a path of this origin such as /connector.js', /^\/[\w./-]+\.m?js$|^$/),
    namespace: text('KEYTURN_REALTIME_NAMESPACE', eventNamespace, 'words with dots between', /^\w+(\.\w+)*$/),
    authEndpoint: text('KEYTURN_REALTIME_AUTH_ENDPOINT', '/broadcasting/auth', 'a path', path),
    userAuthEndpoint: text('KEYTURN_REALTIME_USER_AUTH_ENDPOINT', '/broadcasting/user-auth', 'a path', path),
    activityTimeout: seconds('ACTIVITY_TIMEOUT', 120),
    pongTimeout: seconds('PONG_TIMEOUT', 30),
    unavailableTimeout: seconds('UNAVAILABLE_TIMEOUT', 10),
    allowedOrigins: origins('KEYTURN_REALTIME_ALLOWED_ORIGINS'),
  };
  if (realtime.secret !== null && !/^[\x21-\x7e]{16,200}$/.test(realtime.secret)) {
    // The value is not repeated: whoever knows it may publish.
    faults.push('KEYTURN_REALTIME_SECRET must be 16 to 200 characters without spaces');
  }
  if (realtime.authEndpoint === realtime.userAuthEndpoint) {
    faults.push('KEYTURN_REALTIME_AUTH_ENDPOINT and _USER_AUTH_ENDPOINT must be two paths');
  }
  if (environment === 'production' && realtime.host !== null && realtime.scheme === 'http') {
    faults.push('KEYTURN_REALTIME_SCHEME must be https in production');
  }
  if (realtime.server === 'outside') {
    for (const name of ['key', 'secret', 'appId', 'host'] as const) {
      // Pusher's own service has a cluster for a host.
      if (realtime[name] || (name === 'host' && realtime.cluster)) continue;
      const setting = `KEYTURN_REALTIME_${name === 'appId' ? 'APP_ID' : name.toUpperCase()}`;
      faults.push(`${setting} must be set where KEYTURN_REALTIME_SERVER is outside`);
    }
  }
  if (realtime.broadcaster === 'custom' && realtime.module === null) {
    faults.push('KEYTURN_REALTIME_MODULE must be set where KEYTURN_REALTIME_BROADCASTER is custom');
  }
  return realtime;
}
