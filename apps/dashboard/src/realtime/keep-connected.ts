import { createConnectLimit } from './connect-limit.ts';
import type { LiveEcho } from './create-echo.ts';

export interface ConnectionOptions {
  /** Builds a client, which connects by itself. */
  createEcho(): Promise<LiveEcho>;
  /** Subscribes everything anew on a new client. */
  follow(echo: LiveEcho, on: Subscriptions): void;
  /** Live: connected, and every needed channel is listened to. The id is there as soon as it is connected. */
  onChange(state: { isLive: boolean; socketId: string | null }): void;
  /** The server closed the connection because the sign-in has ended, so it says. */
  onSessionEnded(): void;
  /** From 0 to 1. */
  random?(): number;
}

export interface Subscriptions {
  /** A channel without which what is shown would not be live. */
  need(channel: string): void;
  confirmed(channel: string): void;
  refused(channel: string): void;
}

/**
 * Keeps a client of the channel connected until it is told to stop. What the client's own library mends is left to it;
 * after a refusal, after a close for good and after too many connects the client is given up, and another one is built
 * after a pause that grows.
 * @returns the end: nothing is connected, subscribed or told after it
 */
export function keepConnected(parts: ConnectionOptions): () => void {
  let isOver = false;
  let pauses = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp = () => {};

  const later = () => {
    giveUp();
    if (isOver) return;
    clearTimeout(timer);
    timer = setTimeout(() => void start(), pauseOf(pauses, parts.random ?? Math.random));
    pauses += 1;
  };
  const start = async () => {
    const echo = await parts.createEcho().catch(() => null);
    // Told to stop while the libraries were on their way.
    if (isOver) echo?.disconnect();
    else if (!echo) later();
    else watch(echo);
  };
  const watch = (echo: LiveEcho): void => {
    const isOneTooMany = createConnectLimit();
    const needed = new Set<string>();
    const confirmed = new Set<string>();
    let before: string | null = null;
    let lastCode: number | null = null;
    let isGivenUp = false;
    let longLive: ReturnType<typeof setTimeout> | undefined;

    const tell = () => {
      const isConnected = echo.connectionStatus() === 'connected';
      const isLive = isConnected && [...needed].every((channel) => confirmed.has(channel));
      clearTimeout(longLive);
      // Only what lasts proves that all is well again.
      if (isLive) longLive = setTimeout(() => (pauses = 0), 30_000);
      parts.onChange({ isLive, socketId: isConnected ? (echo.socketId() ?? null) : null });
    };
    // Not at once: what the library does after it has told of something would bring a given up client back to life.
    const giveUpSoon = () => queueMicrotask(() => !isGivenUp && later());
    const onStatus = () => {
      const status = echo.connectionStatus();
      if (isGivenUp || status === before) return;
      before = status;
      if (status !== 'connected') confirmed.clear();
      tell();
      if (status === 'connected' && isOneTooMany()) return giveUpSoon();
      if (status === 'disconnected') {
        if (lastCode === sessionEnded) parts.onSessionEnded();
        giveUpSoon();
      }
    };
    const onError = (error: unknown) => {
      if (isGivenUp) return;
      // Of a greeting that it cannot read the library neither recovers nor tells otherwise.
      if (isHandshakeError(error)) return giveUpSoon();
      lastCode = codeOf(error);
      // Closed before it was connected: of that no status tells.
      if (lastCode !== null && echo.connectionStatus() !== 'connected' && isOneTooMany()) giveUpSoon();
    };
    const stopWatching = watchConnection(echo, onStatus, onError);
    const end = () => {
      if (isGivenUp) return;
      isGivenUp = true;
      stopWatching();
      clearTimeout(longLive);
      // In this order: a channel that is left before stays subscribed in the library's memory.
      echo.disconnect();
      echo.leaveAllChannels();
      // After a close with 42xx or 41xx pusher-js has two plans to come back, and calls off one of them.
      echo.connector.onConnectionChange?.(
        () => echo.connectionStatus() === 'connecting' && queueMicrotask(() => echo.disconnect()),
      );
      if (!isOver) parts.onChange({ isLive: false, socketId: null });
    };
    giveUp = end;
    parts.follow(echo, {
      need: (channel) => needed.add(channel),
      confirmed: (channel) => {
        if (isGivenUp) return;
        confirmed.add(channel);
        tell();
      },
      refused: (channel) => {
        if (needed.has(channel)) giveUpSoon();
      },
    });
    onStatus();
  };

  void start();
  return () => {
    isOver = true;
    clearTimeout(timer);
    giveUp();
  };
}

/** The close code for a sign-in that has ended. */
const sessionEnded = 4009;

/** Milliseconds: two seconds, doubled each time up to two minutes, and half of it by chance. */
const pauseOf = (pauses: number, random: () => number): number =>
  Math.min(2_000 * 2 ** Math.min(pauses, 10), 120_000) * (0.5 + random() / 2);

/** Status changes, and where the client is Pusher's also its errors. @returns the end of it */
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

/** The close code inside of what pusher-js tells as an error; null for anything else, such as a refused socket. */
function codeOf(error: unknown): number | null {
  const { error: inner } = (error ?? {}) as { error?: { data?: { code?: unknown } } };
  const code = inner?.data?.code;
  return typeof code === 'number' ? code : null;
}

const isHandshakeError = (error: unknown): boolean =>
  (error as { type?: unknown } | null)?.type === 'HandshakeError';
