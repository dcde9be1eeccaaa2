import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ChannelRegistry,
  errorFrame,
  findConnectError,
  hasCapacityFor,
  isAllowedOrigin,
} from '@keyturn/pusher-protocol';
import { type WebSocket, WebSocketServer } from 'ws';
import { findClientAddress } from './client-address.ts';
import { closeOrTerminate } from './open-sockets.ts';

export interface UpgradeOptions {
  registry: ChannelRegistry;
  /** Before `/app/…`. */
  path: string;
  /** Origins from which browsers may connect, besides that of the page that this server serves. */
  allowedOrigins: readonly string[];
  trustedProxies: number;
  /** Milliseconds for a refused client to close in turn. */
  closeTimeout: number;
  /** Nobody is let in while this says no. */
  acceptsConnections(): boolean;
  onConnection(socket: WebSocket, address: string): void;
}

/** Lets WebSocket connections in on an HTTP server. What is refused by HTTP, a browser cannot tell from an outage. */
export function acceptUpgrades(server: Server, options: UpgradeOptions): void {
  const { registry, path, trustedProxies, closeTimeout, onConnection } = options;
  const wss = new WebSocketServer({
    noServer: true,
    // Costs 300 KB for a connection, and gains nothing with events that are ids.
    perMessageDeflate: false,
    maxPayload: registry.limits.frameBytes,
    clientTracking: false,
  });
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => {});
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      handleWithoutUpgrade(server, request, stream, head);
      return;
    }
    const address = findClientAddress(request, trustedProxies);
    const status = findRejectionStatus(request, address, options);
    if (status) {
      rejectUpgrade(stream, status);
      return;
    }
    wss.handleUpgrade(request, stream, head, (socket) => {
      const fault = findConnectError(registry.app, (request.url ?? '').slice(path.length));
      if (!fault) {
        onConnection(socket, address);
        return;
      }
      // Only a close code keeps a client away that has no business here.
      socket.on('error', () => {});
      socket.send(errorFrame(fault.code, fault.message));
      closeOrTerminate(socket, closeTimeout, fault.code, fault.message);
    });
  });
}

/**
 * Who offers another protocol (`h2c`, as some clients do with each request) can do without it: the request is read
 * once more as if it had not been offered, and gets its ordinary answer.
 */
function handleWithoutUpgrade(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? '')) lines.push('Connection: close');
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', stream);
}

type RejectionStatus = 403 | 404 | 503;

function findRejectionStatus(
  { url = '', headers }: IncomingMessage,
  address: string,
  { registry, path, allowedOrigins, acceptsConnections }: UpgradeOptions,
): RejectionStatus | undefined {
  if (!url.startsWith(`${path}/app/`)) return 404;
  if (!acceptsConnections() || !hasCapacityFor(registry, address)) return 503;
  const own = [`http://${headers.host}`, `https://${headers.host}`];
  return isAllowedOrigin(headers.origin, [...own, ...allowedOrigins], true) ? undefined : 403;
}

function rejectUpgrade(stream: Duplex, status: RejectionStatus): void {
  stream.on('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
