import { type Broadcaster, broadcasters, eventNamespace } from '@keyturn/contract';
import type { Environment, SettingReader } from './setting-reader.ts';

export interface RealtimeSettings {
  /** The delivery of events: by this server, by an external server with Pusher's HTTP API, or not at all. */
  server: (typeof realtimeServers)[number];
  broadcaster: Broadcaster;
  /** Null with the embedded server: a key derived from the installation's secret. */
  key: string | null;
  secret: string | null;
  appId: string | null;
  /** Null: the host of the page. */
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
  /** Further origins from which browsers may connect, such as `https://clients.example.com`. */
  allowedOrigins: string[];
  /** The maximum numbers of connections to this server. */
  limits: { connections: number; connectionsPerAddress: number; connectionsPerUser: number };
}

const realtimeServers = ['embedded', 'external', 'off'] as const;

export function readRealtime(reader: SettingReader, environment: Environment): RealtimeSettings {
  const optionalText = (name: string, expected: string, pattern: RegExp) =>
    reader.optionalText(`KEYTURN_REALTIME_${name}`, { expected, pattern });
  const path = (name: string, fallback: string) =>
    reader.text(`KEYTURN_REALTIME_${name}`, fallback, {
      expected: 'a path such as /realtime',
      pattern: /^\/[\w./-]*$|^$/,
    });
  const seconds = (name: string, fallback: number) =>
    reader.wholeNumber(`KEYTURN_REALTIME_${name}`, fallback, { min: 1, max: 3_600 });
  const connections = (name: string, fallback: number) =>
    reader.wholeNumber(`KEYTURN_REALTIME_${name}`, fallback, { min: 1, max: 1_000_000 });
  const port = reader.wholeNumber('KEYTURN_REALTIME_PORT', 0, { min: 0, max: 65_535 });
  const realtime: RealtimeSettings = {
    server: reader.choice('KEYTURN_REALTIME_SERVER', realtimeServers, 'embedded'),
    broadcaster: reader.choice('KEYTURN_REALTIME_BROADCASTER', broadcasters, 'reverb'),
    key: optionalText('KEY', 'letters, digits and hyphens', /^[\w-]{1,100}$/),
    secret: reader.optional('KEYTURN_REALTIME_SECRET'),
    appId: optionalText('APP_ID', 'letters, digits and hyphens', /^[\w-]{1,100}$/),
    host: optionalText('HOST', 'a host name', /^[A-Za-z0-9.-]+$/),
    port: port === 0 ? null : port,
    scheme: reader.choice('KEYTURN_REALTIME_SCHEME', ['https', 'http'], 'https'),
    path: path('PATH', '').replace(/\/$/, ''),
    cluster: optionalText('CLUSTER', 'one of Pusher’s clusters, such as eu', /^[a-z0-9-]+$/),
    module: optionalText('MODULE', 'a path on this origin such as /connector.js', /^\/[\w./-]+\.m?js$/),
    namespace: reader.text('KEYTURN_REALTIME_NAMESPACE', eventNamespace, {
      expected: 'words separated by dots',
      pattern: /^\w+(\.\w+)*$/,
    }),
    authEndpoint: path('AUTH_ENDPOINT', '/broadcasting/auth'),
    userAuthEndpoint: path('USER_AUTH_ENDPOINT', '/broadcasting/user-auth'),
    activityTimeout: seconds('ACTIVITY_TIMEOUT', 120),
    pongTimeout: seconds('PONG_TIMEOUT', 30),
    unavailableTimeout: seconds('UNAVAILABLE_TIMEOUT', 10),
    allowedOrigins: reader.origins('KEYTURN_REALTIME_ALLOWED_ORIGINS'),
    limits: {
      connections: connections('MAX_CONNECTIONS', 10_000),
      connectionsPerAddress: connections('CONNECTIONS_PER_ADDRESS', 100),
      connectionsPerUser: connections('CONNECTIONS_PER_CLIENT', 10),
    },
  };
  checkRealtime(realtime, environment, reader);
  return realtime;
}

function checkRealtime(
  realtime: RealtimeSettings,
  environment: Environment,
  { report }: SettingReader,
): void {
  if (realtime.secret !== null && !/^[\x21-\x7e]{16,200}$/.test(realtime.secret)) {
    // The message leaves out the value: it is a secret.
    report('KEYTURN_REALTIME_SECRET must be 16 to 200 characters without spaces');
  }
  if (realtime.authEndpoint === realtime.userAuthEndpoint) {
    report('KEYTURN_REALTIME_AUTH_ENDPOINT and KEYTURN_REALTIME_USER_AUTH_ENDPOINT must be different paths');
  }
  if (environment === 'production' && realtime.host !== null && realtime.scheme === 'http') {
    report('KEYTURN_REALTIME_SCHEME must be https in production');
  }
  if (realtime.server === 'external') {
    for (const name of ['key', 'secret', 'appId', 'host'] as const) {
      // Pusher's own service is named by its cluster, not by a host.
      if (realtime[name] || (name === 'host' && realtime.cluster)) continue;
      const setting = `KEYTURN_REALTIME_${name === 'appId' ? 'APP_ID' : name.toUpperCase()}`;
      report(`${setting} must be set if KEYTURN_REALTIME_SERVER is external`);
    }
  }
  if (realtime.broadcaster === 'socket.io' && realtime.server === 'embedded') {
    report(
      'KEYTURN_REALTIME_BROADCASTER must not be socket.io with the embedded server, which speaks the Pusher protocol and not that of socket.io: choose reverb, or set KEYTURN_REALTIME_SERVER to external',
    );
  }
  if (realtime.broadcaster === 'custom' && realtime.module === null) {
    report('KEYTURN_REALTIME_MODULE must be set if KEYTURN_REALTIME_BROADCASTER is custom');
  }
}
