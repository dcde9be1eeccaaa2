import { type WebSocket, WebSocketServer } from 'ws';

/** For tests: a server that speaks the few frames of the Pusher protocol that the dashboard needs. */
export interface ScratchChannel {
  port: number;
  /** Connects so far, also those that were turned away. */
  connects(): number;
  /** Connections at this moment. */
  open(): number;
  /** Of the connections at this moment, sorted. */
  subscriptions(): string[];
  /** Every signature that came with a subscription so far. */
  signatures: string[];
  /** Closes each new connection at once with this code, before it is greeted. */
  turnAwayWith: number | null;
  /** Channels that are refused by a frame. */
  refused: Set<string>;
  send(channel: string, event: string, data: unknown): void;
  closeAll(code: number): void;
  stop(): Promise<void>;
}

export async function startScratchChannel(): Promise<ScratchChannel> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  const subscribed = new Map<WebSocket, Set<string>>();
  let connects = 0;
  await new Promise((listening) => server.once('listening', listening));
  const channel: ScratchChannel = {
    port: (server.address() as { port: number }).port,
    connects: () => connects,
    open: () => subscribed.size,
    subscriptions: () => [...subscribed.values()].flatMap((names) => [...names]).sort(),
    signatures: [],
    turnAwayWith: null,
    refused: new Set(),
    send: (name, event, data) => {
      for (const [socket, names] of subscribed) if (names.has(name)) tell(socket, event, data, name);
    },
    closeAll: (code) => {
      for (const socket of subscribed.keys()) socket.close(code);
    },
    stop: () =>
      new Promise((stopped) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => stopped());
      }),
  };
  server.on('connection', (socket) => {
    connects += 1;
    if (channel.turnAwayWith !== null) return socket.close(channel.turnAwayWith);
    const names = new Set<string>();
    subscribed.set(socket, names);
    socket.on('close', () => subscribed.delete(socket));
    socket.on('message', (text) => {
      const { event, data } = JSON.parse(String(text)) as Frame;
      if (event === 'pusher:unsubscribe') names.delete(data.channel);
      if (event !== 'pusher:subscribe') return;
      channel.signatures.push(data.auth);
      if (channel.refused.has(data.channel)) {
        tell(
          socket,
          'pusher:subscription_error',
          { type: 'AuthError', error: 'no', status: 403 },
          data.channel,
        );
        return;
      }
      names.add(data.channel);
      const presence = {
        count: 2,
        ids: ['amelia', 'tom'],
        hash: { amelia: { first_name: 'Amelia' }, tom: { first_name: 'Tom' } },
      };
      const content = data.channel.startsWith('presence-') ? { presence } : {};
      tell(socket, 'pusher_internal:subscription_succeeded', content, data.channel);
    });
    tell(socket, 'pusher:connection_established', { socket_id: `${connects}.1`, activity_timeout: 30 });
  });
  return channel;
}

interface Frame {
  event: string;
  data: { channel: string; auth: string };
}

function tell(socket: WebSocket, event: string, data: unknown, channel?: string): void {
  socket.send(JSON.stringify({ event, data: JSON.stringify(data), ...(channel ? { channel } : {}) }));
}
