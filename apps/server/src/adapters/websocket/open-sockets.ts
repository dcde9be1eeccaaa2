import type { WebSocket } from 'ws';
import type { ChannelIntervals } from './intervals.ts';

/** The sockets of this server by their socket ids. */
export interface OpenSockets {
  add(socketId: string, socket: WebSocket): void;
  has(socketId: string): boolean;
  /** Those that are open for longer than this, the oldest first; milliseconds. */
  olderThan(age: number): string[];
  count(): number;
  /** The same text to each of them. */
  send(to: readonly string[], text: string): void;
  /** Says goodbye, and does not wait for long. */
  close(socketId: string, code: number, reason: string): void;
  remove(socketId: string): void;
}

export interface OpenSocketsOptions extends Pick<ChannelIntervals, 'closeTimeout' | 'maxBufferedBytes'> {
  /** A socket was cut off here; told when whatever is being done is done. */
  onTerminated(socketId: string): void;
}

export function createOpenSockets(options: OpenSocketsOptions): OpenSockets {
  const sockets = new Map<string, { socket: WebSocket; since: number }>();

  /** A client that takes nothing holds up nobody, and no memory: it comes back and catches up. */
  const terminateSlowReader = (socketId: string, socket: WebSocket) => {
    socket.terminate();
    queueMicrotask(() => options.onTerminated(socketId));
  };

  return {
    add: (socketId, socket) => {
      sockets.set(socketId, { socket, since: performance.now() });
    },
    has: (socketId) => sockets.has(socketId),
    olderThan: (age) => {
      const before = performance.now() - age;
      return [...sockets].filter(([, { since }]) => since <= before).map(([socketId]) => socketId);
    },
    count: () => sockets.size,
    send: (to, text) => {
      // Encoded once, however many get it.
      const frame = Buffer.from(text);
      for (const socketId of to) {
        const socket = sockets.get(socketId)?.socket;
        if (!socket) continue;
        if (socket.bufferedAmount > options.maxBufferedBytes) terminateSlowReader(socketId, socket);
        else socket.send(frame, asText);
      }
    },
    close: (socketId, code, reason) => {
      const socket = sockets.get(socketId)?.socket;
      sockets.delete(socketId);
      if (socket) closeOrTerminate(socket, options.closeTimeout, code, reason);
    },
    remove: (socketId) => {
      sockets.delete(socketId);
    },
  };
}

/** Closes, and breaks off where the other end does not close in turn. Without a code: it is closing already. */
export function closeOrTerminate(socket: WebSocket, within: number, code?: number, reason?: string): void {
  if (code !== undefined) socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), within);
  socket.once('close', () => clearTimeout(timer));
}

const asText = { binary: false };
