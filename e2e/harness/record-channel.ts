import type { Page } from 'playwright-core';

export interface RecordedChannel {
  /** The hosts of all sockets opened so far. */
  openedHosts: string[];
  /** The channels that open sockets subscribe to, sorted. */
  subscriptions(): string[];
  /** The names of the events received. */
  events: string[];
  /** The time at which a socket last closed, in milliseconds since 1970; null if none has closed. */
  lastClosedAt(): number | null;
}

/** Records what a page does on the real-time channel from now on, by reading its WebSocket frames. */
export function recordChannel(page: Page): RecordedChannel {
  const sockets = new Map<object, Set<string>>();
  let lastClosedAt: number | null = null;
  const channel: RecordedChannel = {
    openedHosts: [],
    subscriptions: () => [...sockets.values()].flatMap((names) => [...names]).sort(),
    events: [],
    lastClosedAt: () => lastClosedAt,
  };
  page.on('websocket', (socket) => {
    channel.openedHosts.push(new URL(socket.url()).host);
    const names = new Set<string>();
    sockets.set(socket, names);
    socket.on('close', () => {
      sockets.delete(socket);
      lastClosedAt = Date.now();
    });
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload));
      if (frame.event === 'pusher:unsubscribe') names.delete(frame.data.channel);
    });
    socket.on('framereceived', ({ payload }) => {
      const frame = JSON.parse(String(payload));
      if (frame.event === 'pusher_internal:subscription_succeeded') names.add(frame.channel);
      if (frame.event.startsWith('App\\Events\\'))
        channel.events.push(frame.event.slice('App\\Events\\'.length));
    });
  });
  return channel;
}
