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
import { createHostCheck } from '../../platform/requests/host-check.ts';
import { throttledAddress } from '../../platform/requests/throttled-address.ts';
import { findClientAddress } from './client-address.ts';
import { closeOrTerminate } from './open-sockets.ts';
import type { ConnectionPacer } from './pace-connections.ts';

export interface UpgradeOptions {
  registry: ChannelRegistry;
  pacer: ConnectionPacer;
  /** The path prefix before `/app/…`. */
  path: string;
  /** Origins that browsers may connect from, in addition to the origin of the page that this server serves. */
  allowedOrigins: readonly string[];
  /** Host names that upgrades may be sent to; empty: any. */
  allowedHosts: readonly string[];
  trustedProxies: number;
  /** Milliseconds for a rejected client to complete the close. */
  closeTimeout: number;
  /** While this returns false, all upgrades are rejected. */
  acceptsConnections(): boolean;
  onError(error: unknown): void;
  onConnection(socket: WebSocket, stream: Duplex, address: string): void;
}

/** Accepts WebSocket connections on an HTTP server. Browsers cannot tell a rejection by HTTP status from an outage. */
export function acceptUpgrades(server: Server, options: UpgradeOptions): void {
  const { pacer, trustedProxies } = options;
  const servesHost = createHostCheck(options.allowedHosts, (message) => options.onError(new Error(message)));
  const open = createOpening(options);
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => {});
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      handleWithoutUpgrade(server, request, stream, head);
      return;
    }
    const address = throttledAddress(findClientAddress(request, trustedProxies));
    const status = servesHost(request.headers.host) ? findRejectionStatus(request, address, options) : 421;
    if (status) rejectUpgrade(stream, status);
    else pacer.add(address, () => open({ request, stream, head, address }));
  });
}

interface Upgrade {
  request: IncomingMessage;
  stream: Duplex;
  head: Buffer;
  address: string;
}

/** Creates the function that opens a connection, unless its client has gone or the server has no capacity left. */
function createOpening(options: UpgradeOptions): (upgrade: Upgrade) => void {
  const { registry, path, closeTimeout, acceptsConnections, onConnection } = options;
  const wss = new WebSocketServer({
    noServer: true,
    // Compression costs 300 KB per connection and saves nothing, because events contain only ids.
    perMessageDeflate: false,
    maxPayload: registry.limits.frameBytes,
    // Empty fragments have no size and no event, so only this limits them. Browsers do not fragment such short
    // messages.
    maxFragments: 64,
    // The channel answers pings itself, within their rate limit.
    autoPong: false,
    clientTracking: false,
  });
  return ({ request, stream, head, address }) => {
    if (stream.destroyed) return;
    if (!acceptsConnections() || !hasCapacityFor(registry, address)) {
      rejectUpgrade(stream, 503);
      return;
    }
    wss.handleUpgrade(request, stream, head, (socket) => {
      const error = findConnectError(registry.app, (request.url ?? '').slice(path.length));
      if (!error) {
        onConnection(socket, stream, address);
        return;
      }
      // Only a close code prevents an unwanted client from reconnecting.
      socket.on('error', () => {});
      socket.send(errorFrame(error.code, error.message));
      closeOrTerminate(socket, closeTimeout, error.code, error.message);
    });
  };
}

/**
 * Handles a request that offers another protocol, such as `h2c`, as an ordinary request: it is parsed again without
 * the upgrade headers. Its response ends the connection, which would otherwise get another set of listeners each time.
 */
function handleWithoutUpgrade(server: Server, request: IncomingMessage, stream: Duplex, head: Buffer): void {
  const { method, url, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/1.1`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!/^(upgrade|http2-settings|connection)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  lines.push('Connection: close');
  stream.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', stream);
}

/** As many as can be opened in 8 to 13 seconds: browsers stop waiting after 15. Further clients return later. */
const maxWaiting = 3_200;

type RejectionStatus = 403 | 404 | 421 | 503;

function findRejectionStatus(
  { url = '', headers }: IncomingMessage,
  address: string,
  { registry, pacer, path, allowedOrigins, acceptsConnections }: UpgradeOptions,
): RejectionStatus | undefined {
  if (!url.startsWith(`${path}/app/`)) return 404;
  if (!acceptsConnections() || !hasCapacityFor(registry, address)) return 503;
  if (pacer.waiting() >= maxWaiting || pacer.waiting(address) >= registry.limits.connectionsPerAddress)
    return 503;
  const ownOrigins = [`http://${headers.host}`, `https://${headers.host}`];
  return isAllowedOrigin(headers.origin, [...ownOrigins, ...allowedOrigins], true) ? undefined : 403;
}

function rejectUpgrade(stream: Duplex, status: RejectionStatus): void {
  stream.on('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
