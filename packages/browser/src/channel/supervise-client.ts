import { createConnectLimit } from './connect-limit.ts';
import type { LiveEcho } from './create-echo.ts';

export interface ChannelState {
  /** Connected, and subscribed to every required channel. */
  isLive: boolean;
  /** Known as soon as the client is connected. */
  socketId: string | null;
}

/** Keeps track of which channels are subscribed. */
export interface ChannelTracker {
  /** Adds a channel without which the client does not count as live. */
  require(channel: string): void;
  confirm(channel: string): void;
  reject(channel: string): void;
}

export interface SupervisionOptions {
  onChange(state: ChannelState): void;
  /** The server closed the connection because, as it says, the sign-in has ended. */
  onSessionEnded(): void;
  /** The client has been live for half a minute. */
  onStable(): void;
  /** The client cannot recover without help: discard it and build another. */
  onFailed(): void;
}

export interface SupervisedClient {
  start(subscribe: (channels: ChannelTracker) => void): void;
  /** Disconnects the client for good. */
  discard(): void;
}

/** How long a client has to be live before the back-off starts from the shortest pause again, in milliseconds. */
const stableAfterMs = 30_000;

/** The server's close code for a sign-in that has ended. */
const sessionEndedCode = 4009;

/** Watches one client of the real-time channel, reports its state, and notices when it cannot recover on its own. */
export function superviseClient(echo: LiveEcho, options: SupervisionOptions): SupervisedClient {
  const exceedsConnectLimit = createConnectLimit();
  const required = new Set<string>();
  const confirmed = new Set<string>();
  let lastStatus: string | null = null;
  let lastCloseCode: number | null = null;
  let isDiscarded = false;
  let stableTimer: ReturnType<typeof setTimeout> | undefined;

  const report = () => {
    const isConnected = echo.connectionStatus() === 'connected';
    const isLive = isConnected && [...required].every((channel) => confirmed.has(channel));
    clearTimeout(stableTimer);
    if (isLive) stableTimer = setTimeout(options.onStable, stableAfterMs);
    options.onChange({ isLive, socketId: isConnected ? (echo.socketId() ?? null) : null });
  };
  // Deferred: the library continues after its callbacks, and would reconnect a client discarded inside one.
  const fail = () => queueMicrotask(() => !isDiscarded && options.onFailed());
  const onStatus = () => {
    const status = echo.connectionStatus();
    if (isDiscarded || status === lastStatus) return;
    lastStatus = status;
    if (status !== 'connected') confirmed.clear();
    report();
    if (status === 'connected' && exceedsConnectLimit()) return fail();
    if (status === 'disconnected') {
      if (lastCloseCode === sessionEndedCode) options.onSessionEnded();
      fail();
    }
  };
  const onError = (error: unknown) => {
    if (isDiscarded) return;
    // After an unreadable handshake the library neither recovers nor changes its status.
    if (isHandshakeError(error)) return fail();
    lastCloseCode = closeCodeOf(error);
    // A close before the connection was established changes no status either.
    if (lastCloseCode !== null && echo.connectionStatus() !== 'connected' && exceedsConnectLimit()) fail();
  };
  const stopWatching = watchConnection(echo, onStatus, onError);

  return {
    start: (subscribe) => {
      subscribe({
        require: (channel) => required.add(channel),
        confirm: (channel) => {
          if (isDiscarded) return;
          confirmed.add(channel);
          report();
        },
        reject: (channel) => {
          if (required.has(channel)) fail();
        },
      });
      onStatus();
    },
    discard: () => {
      if (isDiscarded) return;
      isDiscarded = true;
      stopWatching();
      clearTimeout(stableTimer);
      disconnectForGood(echo);
      options.onChange({ isLive: false, socketId: null });
    },
  };
}

function disconnectForGood(echo: LiveEcho): void {
  // Disconnect first: pusher-js would remember a channel that is left before as subscribed.
  echo.disconnect();
  echo.leaveAllChannels();
  // After a close with 42xx or 41xx pusher-js schedules two reconnects, and disconnect() cancels only one of them.
  echo.connector.onConnectionChange?.(
    () => echo.connectionStatus() === 'connecting' && queueMicrotask(() => echo.disconnect()),
  );
}

/** Listens for status changes and, with pusher-js, for errors. @returns a function that stops listening */
function watchConnection(
  echo: LiveEcho,
  onStatus: () => void,
  onError: (error: unknown) => void,
): () => void {
  const stop = echo.connector.onConnectionChange?.(onStatus);
  const connection = echo.connector.pusher?.connection;
  connection?.bind('error', onError);
  return () => {
    stop?.();
    connection?.unbind('error', onError);
  };
}

/** Returns the close code in an error of pusher-js; null for any other error, such as a refused connection. */
function closeCodeOf(error: unknown): number | null {
  const { error: inner } = (error ?? {}) as { error?: { data?: { code?: unknown } } };
  const code = inner?.data?.code;
  return typeof code === 'number' ? code : null;
}

const isHandshakeError = (error: unknown): boolean =>
  (error as { type?: unknown } | null)?.type === 'HandshakeError';
