import type { App } from './auth/signatures.ts';
import type { ChannelKind } from './channels/channel-names.ts';
import type { Connection } from './connection/connection.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createServerState, type ServerState } from './servers/server-state.ts';
import { createUnannounced, type Unannounced } from './servers/unannounced.ts';

/**
 * The state of one server: its connections, subscriptions and presence members. It is plain data that only the
 * functions of this package change: the same calls with the same times return the same effects.
 */
export interface ChannelRegistry {
  readonly app: App;
  readonly limits: Limits;
  /** Whether members of a private or presence channel may send events to each other. */
  readonly clientEvents: 'none' | 'members';
  /** By socket id. */
  readonly connections: Map<string, Connection>;
  /** By name. A channel exists while it has subscribers here or members on another server. */
  readonly channels: Map<string, Channel>;
  /** Socket ids of each signed-in user. */
  readonly users: Map<string, Set<string>>;
  /** Number of connections from each IP address. */
  readonly addresses: Map<string, number>;
  /** The state that each other server has announced, by the name of the server. */
  readonly servers: Map<string, RemoteServer>;
  /** The state that this server has announced. */
  readonly announced: ServerState;
  readonly unannounced: Unannounced;
}

export interface RemoteServer extends ServerState {
  /** While the server sends its whole state: the entries that it has not sent yet. */
  unconfirmed: { members: Map<string, Set<string>>; sizes: Set<string> } | null;
}

export interface Channel {
  readonly name: string;
  readonly kind: ChannelKind;
  /** Socket ids of this server, each with its user id on a presence channel, otherwise null. */
  readonly subscribers: Map<string, string | null>;
  /** By user id; null unless this is a presence channel. */
  readonly members: Map<string, ChannelMember> | null;
}

export interface ChannelMember {
  /** The user's public details as JSON text; `null` if there are none. */
  readonly info: string;
  /** Number of the user's connections on this server. */
  localConnections: number;
  /** Names of the other servers that the user is connected to. */
  readonly remoteServers: Set<string>;
}

export interface RegistryOptions {
  limits?: Partial<Limits>;
  clientEvents?: 'none' | 'members';
}

/** Creates the empty registry of one server. Limits that are left out have their defaults. */
export function createChannelRegistry(app: App, options: RegistryOptions = {}): ChannelRegistry {
  return {
    app,
    limits: { ...defaultLimits, ...options.limits },
    clientEvents: options.clientEvents ?? 'none',
    connections: new Map(),
    channels: new Map(),
    users: new Map(),
    addresses: new Map(),
    servers: new Map(),
    announced: createServerState(),
    unannounced: createUnannounced(),
  };
}

/** Returns the channel with this name, and creates it if necessary. */
export function findOrCreateChannel(registry: ChannelRegistry, name: string, kind: ChannelKind): Channel {
  const existing = registry.channels.get(name);
  if (existing) return existing;
  const members = kind === 'presence' ? new Map<string, ChannelMember>() : null;
  const channel: Channel = { name, kind, subscribers: new Map(), members };
  registry.channels.set(name, channel);
  return channel;
}

/** Removes a channel that has no subscribers and no members. */
export function removeChannelIfEmpty(registry: ChannelRegistry, channel: Channel): void {
  if (channel.subscribers.size === 0 && (channel.members?.size ?? 0) === 0) {
    registry.channels.delete(channel.name);
  }
}
