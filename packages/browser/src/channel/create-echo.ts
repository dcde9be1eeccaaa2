import type { RealtimeConfig } from '@keyturn/contract';
import type Echo from 'laravel-echo';
import type Pusher from 'pusher-js';
import type { AuthoriseChannel, ChannelAnswer } from './authorisation.ts';

/** A client of the real-time channel. Every broadcaster's client has the interface of Reverb's. */
export type LiveEcho = Echo<'reverb'>;

export interface EchoOptions {
  config: RealtimeConfig;
  /** The page's own address, for channels on the same host. */
  page: Pick<Location, 'protocol' | 'hostname' | 'port'>;
  /** From the public configuration. Messages are logged to the console in development, local and staging only. */
  environment: string;
  authorise: AuthoriseChannel;
  /** `Bearer …` for servers that authorise with the client's headers, such as laravel-echo-server; null without a token. */
  authorization(): string | null;
  importModule?: (address: string) => Promise<unknown>;
}

/**
 * Builds laravel-echo as configured. It starts connecting at once.
 * @throws Error for an unknown broadcaster, or a custom module without a connector
 */
export async function createEcho(options: EchoOptions): Promise<LiveEcho> {
  const [{ default: EchoClient }, broadcasterOptions] = await Promise.all([
    import('laravel-echo'),
    optionsOfBroadcaster(options),
  ]);
  const { config } = options;
  const echoOptions = {
    broadcaster: config.broadcaster,
    key: config.key,
    namespace: config.namespace,
    authEndpoint: config.auth_endpoint,
    csrfToken: null,
    bearerToken: null,
    // Our own API client sends X-Socket-Id.
    withoutInterceptors: true,
    ...freshHeaders(config),
    ...broadcasterOptions,
  };
  return new EchoClient(echoOptions as never) as LiveEcho;
}

/**
 * New objects for each client. laravel-echo 2 writes headers into a shared default object, so the next client would
 * otherwise send the previous client's token.
 */
const freshHeaders = ({ user_auth_endpoint }: RealtimeConfig) => ({
  auth: { headers: {} as Record<string, string> },
  userAuthentication: { endpoint: user_auth_endpoint, headers: {} as Record<string, string> },
});

function optionsOfBroadcaster(options: EchoOptions): Promise<object> {
  switch (options.config.broadcaster) {
    case 'reverb':
    case 'pusher':
      return pusherOptions(options);
    case 'socket.io':
      return socketIoOptions(options);
    case 'custom':
      return customOptions(options);
    default:
      return Promise.resolve({});
  }
}

async function pusherOptions({ config, page, environment, authorise }: EchoOptions): Promise<object> {
  const { default: PusherClient } = await import('pusher-js');
  setUpLogging(PusherClient, environment);
  // pusher-js would store which transport worked last. We use one only, and the firm decides what is stored.
  PusherClient.Runtime.getLocalStorage = () => undefined;
  const isPusherService = config.broadcaster === 'pusher' && config.host === null && config.cluster !== null;
  const { host, port, isSecure } = hostAddress(config, page);
  return {
    Pusher: PusherClient,
    cluster: config.cluster ?? '',
    ...(isPusherService ? {} : { wsHost: host, wsPort: port, wssPort: port, wsPath: config.path }),
    forceTLS: isPusherService || isSecure,
    // Without this pusher-js falls back to Pusher's own servers when it cannot connect.
    enabledTransports: ['ws', 'wss'],
    activityTimeout: config.activity_timeout * 1000,
    pongTimeout: config.pong_timeout * 1000,
    unavailableTimeout: config.unavailable_timeout * 1000,
    channelAuthorization: {
      customHandler: (
        { socketId, channelName }: { socketId: string; channelName: string },
        callback: Callback<ChannelAnswer>,
      ) =>
        passToCallback(
          authorise(config.auth_endpoint, { socket_id: socketId, channel_name: channelName }),
          callback,
        ),
    },
    userAuthentication: {
      ...freshHeaders(config).userAuthentication,
      customHandler: ({ socketId }: { socketId: string }, callback: Callback<ChannelAnswer>) =>
        passToCallback(authorise(config.user_auth_endpoint, { socket_id: socketId }), callback),
    },
  };
}

async function socketIoOptions({ config, page, authorization }: EchoOptions): Promise<object> {
  const { io } = await import('socket.io-client');
  const { host, port, isSecure } = hostAddress(config, page);
  const bearer = authorization();
  return {
    client: io,
    host: `${isSecure ? 'https' : 'http'}://${host}:${port}`,
    transports: ['websocket'],
    // Clients must not share a connection: each ends with its own sign-in.
    forceNew: true,
    ...(config.path === '' ? {} : { path: config.path }),
    auth: { headers: bearer ? { Authorization: bearer } : {} },
  };
}

async function customOptions({ config, importModule = importModuleFrom }: EchoOptions): Promise<object> {
  const loaded = (await importModule(config.module ?? '')) as { default?: unknown };
  if (typeof loaded.default !== 'function')
    throw new Error(`${config.module} has no default export that builds a connector`);
  return { broadcaster: loaded.default };
}

const importModuleFrom = (address: string): Promise<unknown> => import(/* @vite-ignore */ address);

/** Returns where to connect: the configured host, or the page's own host, scheme and port. */
function hostAddress({ host, port, scheme }: RealtimeConfig, page: EchoOptions['page']) {
  const isSecure = (host === null ? page.protocol : `${scheme}:`) === 'https:';
  const defaultPort = isSecure ? 443 : 80;
  return host === null
    ? { host: page.hostname, port: port ?? (Number(page.port) || defaultPort), isSecure }
    : { host, port: port ?? defaultPort, isSecure };
}

type Callback<T> = (error: Error | null, answer: T | null) => void;

function passToCallback<T>(response: Promise<T>, callback: Callback<T>): void {
  response.then(
    (answer) => callback(null, answer),
    (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
  );
}

/** Logs all messages to the console outside production, with the signatures of subscriptions removed. */
function setUpLogging(client: typeof Pusher, environment: string): void {
  client.logToConsole = ['development', 'local', 'staging'].includes(environment);
  client.log = client.logToConsole
    ? (message: string) => console.log(message.replaceAll(/\\*"auth\\*":\\*"[^"\\]*/g, '"auth":"…'))
    : (undefined as never);
}
