import type { RealtimeConfig } from '@keyturn/contract';
import type Echo from 'laravel-echo';
import type Pusher from 'pusher-js';
import type { AuthoriseChannel, ChannelAnswer } from '../api/client/authorise-channel.ts';

/** A client of the channel; whatever broadcaster is behind it, it has the face of Reverb's. */
export type LiveEcho = Echo<'reverb'>;

export interface EchoOptions {
  config: RealtimeConfig;
  /** Where the page comes from. */
  page: Pick<Location, 'protocol' | 'hostname' | 'port'>;
  /** As in the public configuration: the channel speaks on the console in development, local and staging alone. */
  environment: string;
  authorise: AuthoriseChannel;
  /** For servers that authorise by the headers of the client: laravel-echo-server. */
  authorization(): string | null;
  importModule?: (address: string) => Promise<unknown>;
}

/**
 * Builds laravel-echo as configured; it begins to connect at once. The libraries are loaded here and nowhere else.
 * @throws Error for a broadcaster that there is not, or a module without a connector
 */
export async function createEcho(parts: EchoOptions): Promise<LiveEcho> {
  const [{ default: EchoClient }, own] = await Promise.all([import('laravel-echo'), ownOptions(parts)]);
  const { config } = parts;
  const options = {
    broadcaster: config.broadcaster,
    key: config.key,
    namespace: config.namespace,
    authEndpoint: config.auth_endpoint,
    csrfToken: null,
    bearerToken: null,
    // Calls carry X-Socket-Id by themselves.
    withoutInterceptors: true,
    ...freshHeaders(config),
    ...own,
  };
  return new EchoClient(options as never) as LiveEcho;
}

/**
 * Its own objects each time: laravel-echo 2 keeps its defaults in a static object and writes headers into it, so that
 * the next client would send the token of the one before.
 */
const freshHeaders = ({ user_auth_endpoint }: RealtimeConfig) => ({
  auth: { headers: {} as Record<string, string> },
  userAuthentication: { endpoint: user_auth_endpoint, headers: {} as Record<string, string> },
});

function ownOptions(parts: EchoOptions): Promise<object> {
  switch (parts.config.broadcaster) {
    case 'reverb':
    case 'pusher':
      return pusherOptions(parts);
    case 'socket.io':
      return socketIoOptions(parts);
    case 'custom':
      return customOptions(parts);
    default:
      return Promise.resolve({});
  }
}

async function pusherOptions({ config, page, environment, authorise }: EchoOptions): Promise<object> {
  const { default: PusherClient } = await import('pusher-js');
  speak(PusherClient, environment);
  // It would keep there which transport worked last: there is one alone, and what is kept is for the configuration to say.
  PusherClient.Runtime.getLocalStorage = () => undefined;
  const isPushersOwn = config.broadcaster === 'pusher' && config.host === null && config.cluster !== null;
  const { host, port, isSecure } = addressOf(config, page);
  return {
    Pusher: PusherClient,
    cluster: config.cluster ?? '',
    ...(isPushersOwn ? {} : { wsHost: host, wsPort: port, wssPort: port, wsPath: config.path }),
    forceTLS: isPushersOwn || isSecure,
    // Without these a browser turns to Pusher's own servers when it cannot connect.
    enabledTransports: ['ws', 'wss'],
    activityTimeout: config.activity_timeout * 1000,
    pongTimeout: config.pong_timeout * 1000,
    unavailableTimeout: config.unavailable_timeout * 1000,
    channelAuthorization: {
      customHandler: (
        { socketId, channelName }: { socketId: string; channelName: string },
        done: Done<ChannelAnswer>,
      ) => tell(authorise(config.auth_endpoint, { socket_id: socketId, channel_name: channelName }), done),
    },
    userAuthentication: {
      ...freshHeaders(config).userAuthentication,
      customHandler: ({ socketId }: { socketId: string }, done: Done<ChannelAnswer>) =>
        tell(authorise(config.user_auth_endpoint, { socket_id: socketId }), done),
    },
  };
}

async function socketIoOptions({ config, page, authorization }: EchoOptions): Promise<object> {
  const { io } = await import('socket.io-client');
  const { host, port, isSecure } = addressOf(config, page);
  const bearer = authorization();
  return {
    client: io,
    host: `${isSecure ? 'https' : 'http'}://${host}:${port}`,
    transports: ['websocket'],
    // Connections are counted, and none outlives its sign-in: never one that another client of it shares.
    forceNew: true,
    ...(config.path === '' ? {} : { path: config.path }),
    auth: { headers: bearer ? { Authorization: bearer } : {} },
  };
}

async function customOptions({ config, importModule = importOf }: EchoOptions): Promise<object> {
  const loaded = (await importModule(config.module ?? '')) as { default?: unknown };
  if (typeof loaded.default !== 'function') throw new Error(`${config.module} has no connector`);
  return { broadcaster: loaded.default };
}

const importOf = (address: string): Promise<unknown> => import(/* @vite-ignore */ address);

/** Without a host it is the page's own, by the page's own scheme and port. */
function addressOf({ host, port, scheme }: RealtimeConfig, page: EchoOptions['page']) {
  const isSecure = (host === null ? page.protocol : `${scheme}:`) === 'https:';
  const usual = isSecure ? 443 : 80;
  return host === null
    ? { host: page.hostname, port: port ?? (Number(page.port) || usual), isSecure }
    : { host, port: port ?? usual, isSecure };
}

type Done<T> = (error: Error | null, answer: T | null) => void;

function tell<T>(asked: Promise<T>, done: Done<T>): void {
  asked.then(
    (answer) => done(null, answer),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
  );
}

/** What is sent and received goes to the console where people develop, without the signatures that open channels. */
function speak(client: typeof Pusher, environment: string): void {
  client.logToConsole = ['development', 'local', 'staging'].includes(environment);
  client.log = client.logToConsole
    ? (message: string) => console.log(message.replaceAll(/\\*"auth\\*":\\*"[^"\\]*/g, '"auth":"…'))
    : (undefined as never);
}
