import { unsubscribe } from '../channels/unsubscribe.ts';
import { type CloseEffect, type Effect, sendTo } from '../effects.ts';
import { connectionEstablished } from '../messages/server-frames.ts';
import type { ChannelRegistry } from '../registry.ts';
import { type Connection, createConnection } from './connection.ts';

/**
 * Tells whether the server has room for another connection. Call it before the WebSocket upgrade and respond with 503
 * if it has not: pusher-js then waits 15 to 60 seconds. After any close code it would reconnect in a second or never.
 *
 * @param address the client's IP address; null if connections are not counted by address
 */
export function hasCapacityFor(registry: ChannelRegistry, address: string | null): boolean {
  if (registry.connections.size >= registry.limits.connections) return false;
  return address === null || (registry.addresses.get(address) ?? 0) < registry.limits.connectionsPerAddress;
}

/**
 * Adds a connection whose socket has just opened, and sends it the handshake.
 *
 * @param socketId from `createSocketId`
 * @throws Error if the socket id is in use
 */
export function openConnection(
  registry: ChannelRegistry,
  socketId: string,
  now: number,
  address: string | null = null,
): Effect[] {
  if (registry.connections.has(socketId)) throw new Error('a socket id is in use');
  registry.connections.set(socketId, createConnection(socketId, address, now));
  if (address !== null) registry.addresses.set(address, (registry.addresses.get(address) ?? 0) + 1);
  return [sendTo(socketId, connectionEstablished(socketId, registry.limits.activityTimeout))];
}

/** Removes a connection whose socket has closed, on either side. Idempotent. */
export function removeConnection(registry: ChannelRegistry, socketId: string): Effect[] {
  const connection = registry.connections.get(socketId);
  if (!connection) return [];
  const effects: Effect[] = [];
  registry.connections.delete(socketId);
  for (const name of connection.channels) effects.push(...unsubscribe(registry, socketId, name));
  connection.channels.clear();
  removeUserConnection(registry, connection);
  removeAddressConnection(registry, connection);
  return effects;
}

/** Closes a connection. The registry forgets it immediately, however long its socket takes to close. */
export function closeConnection(
  registry: ChannelRegistry,
  socketId: string,
  code: number,
  reason: string,
): Effect[] {
  if (!registry.connections.has(socketId)) return [];
  const close: CloseEffect = { kind: 'close', socketId, code, reason };
  return [close, ...removeConnection(registry, socketId)];
}

function removeUserConnection(registry: ChannelRegistry, connection: Connection): void {
  if (!connection.user) return;
  const sockets = registry.users.get(connection.user.id);
  sockets?.delete(connection.socketId);
  if (sockets?.size === 0) registry.users.delete(connection.user.id);
}

function removeAddressConnection(registry: ChannelRegistry, connection: Connection): void {
  if (connection.address === null) return;
  const remaining = (registry.addresses.get(connection.address) ?? 1) - 1;
  if (remaining > 0) registry.addresses.set(connection.address, remaining);
  else registry.addresses.delete(connection.address);
}
