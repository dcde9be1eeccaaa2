import { closeCodes } from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { ChannelIntervals } from './intervals.ts';

/** The open sockets of this server by socket id. */
export interface OpenSockets {
  add(socketId: string, socket: WebSocket): void;
  has(socketId: string): boolean;
  /** Returns when a socket was opened, on the clock of `performance.now()`; undefined if it is not open. */
  openedAt(socketId: string): number | undefined;
  /** Lists the sockets that have been open for at least `age` milliseconds, oldest first. */
  olderThan(age: number): string[];
  count(): number;
  /** Sends the same text to each of these sockets. */
  send(to: readonly string[], text: string): void;
  /** Closes a socket, and terminates it if the client does not complete the close in time. */
  close(socketId: string, code: number, reason: string): void;
  remove(socketId: string): void;
}

export interface OpenSocketsOptions extends Pick<ChannelIntervals, 'closeTimeout' | 'maxBufferedBytes'> {
  /** A slow client's socket was terminated. Called after the current task. */
  onTerminated(socketId: string): void;
}

export function createOpenSockets(options: OpenSocketsOptions): OpenSockets {
  const sockets = new Map<string, { socket: WebSocket; openedAt: number }>();

  /** Buffering for a client that does not read would fill the memory. It reconnects and fetches what it missed. */
  const terminateSlowReader = (socketId: string, socket: WebSocket) => {
    socket.terminate();
    queueMicrotask(() => options.onTerminated(socketId));
  };

  return {
    add: (socketId, socket) => {
      sockets.set(socketId, { socket, openedAt: performance.now() });
    },
    has: (socketId) => sockets.has(socketId),
    openedAt: (socketId) => sockets.get(socketId)?.openedAt,
    olderThan: (age) => {
      const latest = performance.now() - age;
      return [...sockets].filter(([, { openedAt }]) => openedAt <= latest).map(([socketId]) => socketId);
    },
    count: () => sockets.size,
    send: (to, text) => {
      // Encode once for all receivers.
      const frame = Buffer.from(text);
      for (const socketId of to) {
        const socket = sockets.get(socketId)?.socket;
        if (!socket) continue;
        if (socket.bufferedAmount > options.maxBufferedBytes) terminateSlowReader(socketId, socket);
        else socket.send(frame, textFrame);
      }
    },
    close: (socketId, code, reason) => {
      const socket = sockets.get(socketId)?.socket;
      sockets.delete(socketId);
      if (!socket) return;
      closeOrTerminate(socket, options.closeTimeout, code, reason);
      // A client that floods the server must not occupy it until its socket is terminated.
      if (code === closeCodes.refused || code === closeCodes.malformed) socket.pause();
    },
    remove: (socketId) => {
      sockets.delete(socketId);
    },
  };
}

/**
 * Closes a socket, and terminates it if the client does not complete the close in time.
 *
 * @param timeout milliseconds
 * @param code omit it if `ws` has already started to close the socket
 */
export function closeOrTerminate(socket: WebSocket, timeout: number, code?: number, reason?: string): void {
  if (code !== undefined) socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), timeout);
  socket.once('close', () => clearTimeout(timer));
}

const textFrame = { binary: false };
