import { createHash } from 'node:crypto';

/**
 * What one server has announced to the others. The announcing server keeps a copy of it, so that it announces only
 * differences, and both sides can compare their copies by a digest.
 */
export interface ServerState {
  /** Number of its connections. */
  connections: number;
  /** By name. */
  readonly channels: Map<string, ServerChannel>;
  /** A digest of the entries that does not depend on the order of announcements. */
  digest: bigint;
}

export interface ServerChannel {
  /** Number of subscriptions on that server. */
  subscriptions: number;
  /** Presence members that are connected to that server: user ids, each with the JSON text of the public details. */
  readonly members: Map<string, string>;
}

export function createServerState(): ServerState {
  return { connections: 0, channels: new Map(), digest: 0n };
}

/**
 * Records whether a member is connected to the server.
 *
 * @param info the JSON text of the member's public details; null if they have left
 * @returns whether that is a change
 */
export function setMember(state: ServerState, channel: string, userId: string, info: string | null): boolean {
  const existing = state.channels.get(channel);
  if ((existing?.members.has(userId) ?? false) === (info !== null)) return false;
  const entry = existing ?? addChannel(state, channel);
  if (info === null) entry.members.delete(userId);
  else entry.members.set(userId, info);
  state.digest ^= hash(`member ${channel} ${userId}`);
  removeIfEmpty(state, channel, entry);
  return true;
}

/** Records the number of subscriptions to a channel on the server. @returns whether that is a change */
export function setSubscriptions(state: ServerState, channel: string, subscriptions: number): boolean {
  const existing = state.channels.get(channel);
  const before = existing?.subscriptions ?? 0;
  if (before === subscriptions) return false;
  const entry = existing ?? addChannel(state, channel);
  entry.subscriptions = subscriptions;
  if (before > 0) state.digest ^= hash(`subscriptions ${channel} ${before}`);
  if (subscriptions > 0) state.digest ^= hash(`subscriptions ${channel} ${subscriptions}`);
  removeIfEmpty(state, channel, entry);
  return true;
}

function addChannel(state: ServerState, name: string): ServerChannel {
  const channel: ServerChannel = { subscriptions: 0, members: new Map() };
  state.channels.set(name, channel);
  return channel;
}

function removeIfEmpty(state: ServerState, name: string, { subscriptions, members }: ServerChannel): void {
  if (subscriptions === 0 && members.size === 0) state.channels.delete(name);
}

/** Channel names have no spaces, so that different entries never have the same text. */
function hash(entry: string): bigint {
  return createHash('sha256').update(entry).digest().readBigUInt64BE();
}
