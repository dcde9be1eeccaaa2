import type { LiveEcho } from './create-echo.ts';
import { type ChannelState, type ChannelTracker, superviseClient } from './supervise-client.ts';

export interface ConnectionOptions {
  /** Builds a client, which starts connecting at once. */
  createEcho(): Promise<LiveEcho>;
  /** Subscribes a new client to all channels. */
  subscribe(echo: LiveEcho, channels: ChannelTracker): void;
  onChange(state: ChannelState): void;
  /** The server closed the connection because, as it says, the sign-in has ended. */
  onSessionEnded(): void;
  /** Returns a number from 0 to 1. */
  random?(): number;
}

/**
 * Keeps a client connected to the real-time channel until it is stopped. Short interruptions are left to the client's
 * own library. After a rejected subscription, a permanent close or too many connects, the client is discarded and a new
 * one is built after a back-off.
 * @returns a function that stops it: nothing is connected, subscribed or reported afterwards
 */
export function keepConnected(options: ConnectionOptions): () => void {
  let isStopped = false;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let discard = () => {};

  const reconnect = () => {
    discard();
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), backOffMs(failures, options.random ?? Math.random));
    failures += 1;
  };
  const connect = async () => {
    const echo = await options.createEcho().catch(() => null);
    // Stopped while the libraries were loading.
    if (isStopped) echo?.disconnect();
    else if (!echo) reconnect();
    else {
      const client = superviseClient(echo, {
        onChange: (state) => !isStopped && options.onChange(state),
        onSessionEnded: () => options.onSessionEnded(),
        onStable: () => {
          failures = 0;
        },
        onFailed: reconnect,
      });
      discard = client.discard;
      client.start((channels) => options.subscribe(echo, channels));
    }
  };

  void connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    discard();
  };
}

/** Two seconds, doubled with each failure up to two minutes, and reduced by a random share of up to half. */
const backOffMs = (failures: number, random: () => number): number =>
  Math.min(2_000 * 2 ** Math.min(failures, 10), 120_000) * (0.5 + random() / 2);
