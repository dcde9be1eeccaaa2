import type { Duplex } from 'node:stream';
import { closeCodes } from '@keyturn/pusher-protocol';
import type { WebSocket } from 'ws';
import type { ChannelIntervals } from './intervals.ts';

/** The open sockets of this server by socket id. */
export interface OpenSockets {
  /** @param stream what the socket writes to */
  add(socketId: string, socket: WebSocket, stream: Duplex): void;
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
  /** Called after the current task when the socket of a client that reads too slowly was closed. */
  onSlowReader(socketId: string): void;
}

export function createOpenSockets(options: OpenSocketsOptions): OpenSockets {
  const sockets = new Map<string, { socket: WebSocket; stream: Duplex; openedAt: number }>();

  const close = (socketId: string, code: number, reason: string) => {
    const socket = sockets.get(socketId)?.socket;
    sockets.delete(socketId);
    if (!socket) return;
    closeOrTerminate(socket, options.closeTimeout, code, reason);
    // A client that floods the server must not occupy it until its socket is terminated.
    if (code === closeCodes.refused || code === closeCodes.malformed) socket.pause();
  };
  /** Buffering for a client that does not read would fill the memory. It reconnects and fetches what it missed. */
  const closeSlowReader = (socketId: string) => {
    close(socketId, closeCodes.goingAway, 'Messages were read too slowly.');
    queueMicrotask(() => options.onSlowReader(socketId));
  };

  return {
    add: (socketId, socket, stream) => {
      sockets.set(socketId, { socket, stream, openedAt: performance.now() });
    },
    has: (socketId) => sockets.has(socketId),
    openedAt: (socketId) => sockets.get(socketId)?.openedAt,
    olderThan: (age) => {
      const latest = performance.now() - age;
      return [...sockets].filter(([, { openedAt }]) => openedAt <= latest).map(([socketId]) => socketId);
    },
    count: () => sockets.size,
    send: (to, text) => {
      // The frame is encoded once for all receivers, and written in one call for each: `ws` would write the header
      // separately.
      const frame = encodeTextFrame(text);
      for (const socketId of to) {
        const open = sockets.get(socketId);
        if (!open || open.socket.readyState !== open.socket.OPEN) continue;
        if (open.stream.writableLength > options.maxBufferedBytes) closeSlowReader(socketId);
        else open.stream.write(frame);
      }
    },
    close,
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

/** Encodes a whole text message as a WebSocket frame of a server (RFC 6455, section 5.2), which is not masked. */
function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame[0] = finalTextFrame;
  if (headerBytes === 2) frame[1] = length;
  else if (headerBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerBytes);
  return frame;
}

const finalTextFrame = 0x81;
