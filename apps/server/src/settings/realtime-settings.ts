import { type Broadcaster, broadcasters, eventNamespace } from '@keyturn/contract';
import { decodePercent } from '../platform/requests/decode-percent.ts';
import { isOnThisMachine } from './is-on-this-machine.ts';
import type { Environment, SettingReader } from './setting-reader.ts';

export interface RealtimeSettings {
  /** The delivery of events: by this server, by an external server with Pusher's HTTP API, or not at all. */
  server: (typeof realtimeServers)[number] | 'off';
  broadcaster: Broadcaster;
  /** Carries events and messages between servers; null: PostgreSQL does. May contain a password. */
  redisUrl: string | null;
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

const realtimeServers = ['embedded', 'external'] as const;

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
    server: readServer(reader),
    broadcaster: reader.choice('KEYTURN_REALTIME_BROADCASTER', broadcasters, 'reverb'),
    redisUrl: readRedisUrl(reader),
    key: optionalText('KEY', 'letters, digits and hyphens', /^[\w-]{1,100}$/),
    secret: reader.secret('KEYTURN_REALTIME_SECRET', {
      expected: '16 to 200 characters without spaces',
      pattern: /^[\x21-\x7e]{16,200}$/,
    }),
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

/** An empty key turns the channel off; without the setting, the embedded server derives a key. */
function readServer(reader: SettingReader): RealtimeSettings['server'] {
  const server = reader.choice('KEYTURN_REALTIME_SERVER', realtimeServers, 'embedded');
  return server === 'embedded' && reader.isEmpty('KEYTURN_REALTIME_KEY') ? 'off' : server;
}

function readRedisUrl(reader: SettingReader): string | null {
  const name = 'KEYTURN_REALTIME_REDIS_URL';
  const text = reader.secret(name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  // The driver decodes these.
  const isDecodable =
    url !== null && [url.username, url.password].every((text) => decodePercent(text) !== null);
  const isRedis = url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
  if (!isRedis || !isDecodable || !/^\/?\d{0,4}$/.test(url.pathname) || url.search + url.hash !== '') {
    // The message leaves out the value, which may contain a password.
    reader.report(`${name} must be an address like rediss://user:password@host:6379, without parameters`);
    return text;
  }
  if (url.protocol === 'redis:' && !isOnThisMachine(url.hostname))
    reader.warn(`${name} does not encrypt the connection to ${url.hostname}: use rediss://`);
  return text;
}

function checkRealtime(
  realtime: RealtimeSettings,
  environment: Environment,
  { report }: SettingReader,
): void {
  if (realtime.authEndpoint === realtime.userAuthEndpoint) {
    report('KEYTURN_REALTIME_AUTH_ENDPOINT and KEYTURN_REALTIME_USER_AUTH_ENDPOINT must be different paths');
  }
  if (environment === 'production' && realtime.host !== null && realtime.scheme === 'http') {
    report('KEYTURN_REALTIME_SCHEME must be https in production');
  }
  if (realtime.redisUrl !== null && realtime.server !== 'embedded')
    report(
      'KEYTURN_REALTIME_REDIS_URL needs KEYTURN_REALTIME_SERVER=embedded, and a KEYTURN_REALTIME_KEY that is not empty',
    );
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
