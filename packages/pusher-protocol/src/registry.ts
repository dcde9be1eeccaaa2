import type { App } from './auth/signatures.ts';
import type { ChannelKind } from './channels/channel-names.ts';
import { memberLeftEffect, removeIfAbsent } from './channels/presence.ts';
import { type Connection, createConnection } from './connection/connection.ts';
import type { CloseEffect, Effect, SendEffect } from './effects.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { connectionEstablished } from './messages/server-frames.ts';

/**
 * Who is connected to this server, and who listens to what. It is plain data, changed only by the functions of this
 * package: the same calls with the same times give the same effects.
 */
export interface ChannelRegistry {
  readonly app: App;
  readonly limits: Limits;
  /** Whether members of a private or presence channel may send events to each other. */
  readonly clientEvents: 'none' | 'members';
  /** By socket id. */
  readonly connections: Map<string, Connection>;
  /** By name. A channel is here as long as anybody listens to it, or is a member of it on another server. */
  readonly channels: Map<string, Channel>;
  /** Socket ids of each signed-in user. */
  readonly users: Map<string, Set<string>>;
  /** Connections of each address. */
  readonly addresses: Map<string, number>;
}

export interface Channel {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Socket ids of this server, each with the user that it is on a presence channel. */
  readonly subscribers: Map<string, string | null>;
  /** By user id; null where the channel has no presence. */
  readonly members: Map<string, ChannelMember> | null;
}

export interface ChannelMember {
  /** What is known of the user, as JSON text: `null` when nothing is. */
  readonly info: string;
  /** Connections of the user on this server. */
  localConnections: number;
  /** Other servers on which the user is. */
  readonly remoteServers: Set<string>;
}

export interface RegistryOptions {
  limits?: Partial<Limits>;
  clientEvents?: 'none' | 'members';
}

export function createChannelRegistry(app: App, options: RegistryOptions = {}): ChannelRegistry {
  return {
    app,
    limits: { ...defaultLimits, ...options.limits },
    clientEvents: options.clientEvents ?? 'none',
    connections: new Map(),
    channels: new Map(),
    users: new Map(),
    addresses: new Map(),
  };
}

/**
 * Whether one more connection fits. Ask before the upgrade and answer 503 when not: pusher-js then waits 15 to 60
 * seconds, where any close code would bring it back in a second or never.
 */
export function hasCapacityFor(registry: ChannelRegistry, address: string | null): boolean {
  if (registry.connections.size >= registry.limits.connections) return false;
  return address === null || (registry.addresses.get(address) ?? 0) < registry.limits.connectionsPerAddress;
}

/**
 * A socket is open.
 *
 * @param socketId of `createSocketId`
 * @throws Error when the socket id is in use
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

/** A socket has gone, whoever closed it. To say so again changes nothing. */
export function removeConnection(registry: ChannelRegistry, socketId: string): Effect[] {
  const connection = registry.connections.get(socketId);
  if (!connection) return [];
  const effects: Effect[] = [];
  registry.connections.delete(socketId);
  for (const name of connection.channels) effects.push(...leaveChannel(registry, socketId, name));
  connection.channels.clear();
  removeUserConnection(registry, connection);
  removeAddressConnection(registry, connection);
  return effects;
}

/** Closes a connection: for the registry it is gone at once, however long the socket takes. */
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

/** Takes a connection out of a channel, and the channel out of the table when it was the last. */
export function leaveChannel(registry: ChannelRegistry, socketId: string, name: string): Effect[] {
  const channel = registry.channels.get(name);
  const userId = channel?.subscribers.get(socketId);
  if (!channel || userId === undefined) return [];
  channel.subscribers.delete(socketId);
  registry.connections.get(socketId)?.channels.delete(name);
  const effects: Effect[] = [];
  const member = userId === null ? undefined : channel.members?.get(userId);
  if (member && userId !== null) {
    member.localConnections--;
    effects.push(...removeIfAbsent(channel, userId, member));
    if (member.localConnections === 0) effects.push(memberLeftEffect(channel, userId));
  }
  removeIfEmpty(registry, channel);
  return effects;
}

export function removeIfEmpty(registry: ChannelRegistry, channel: Channel): void {
  if (channel.subscribers.size === 0 && (channel.members?.size ?? 0) === 0) {
    registry.channels.delete(channel.name);
  }
}

/** The channel of this name, made when there is none. */
export function findOrCreateChannel(registry: ChannelRegistry, name: string, kind: ChannelKind): Channel {
  const found = registry.channels.get(name);
  if (found) return found;
  const members = kind === 'presence' ? new Map<string, ChannelMember>() : null;
  const channel: Channel = { name, kind, subscribers: new Map(), members };
  registry.channels.set(name, channel);
  return channel;
}

export function sendTo(socketId: string, frame: string): SendEffect {
  return { kind: 'send', to: [socketId], frame };
}

function removeUserConnection(registry: ChannelRegistry, connection: Connection): void {
  if (!connection.user) return;
  const sockets = registry.users.get(connection.user.id);
  sockets?.delete(connection.socketId);
  if (sockets?.size === 0) registry.users.delete(connection.user.id);
}

function removeAddressConnection(registry: ChannelRegistry, connection: Connection): void {
  if (connection.address === null) return;
  const left = (registry.addresses.get(connection.address) ?? 1) - 1;
  if (left > 0) registry.addresses.set(connection.address, left);
  else registry.addresses.delete(connection.address);
}
