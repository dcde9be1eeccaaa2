import type { Effect, SendEffect } from '../effects.ts';
import { parseJson, readField } from '../messages/parse-json.ts';
import { memberAdded, memberRemoved } from '../messages/server-frames.ts';
import type { Channel, ChannelMember, ChannelRegistry } from '../registry.ts';

/** A user as the members of a presence channel see them. `info` is JSON text. */
export interface PresentUser {
  id: string;
  info: string;
}

/**
 * Reads the signed details of a user: `channel_data` with a `user_id`, or `user_data` with an `id`. The id may be a
 * number, because Laravel signs the id of the database; 7 and "7" are one user.
 *
 * @returns undefined if it has no id or exceeds a limit
 */
export function readSignedUser(
  text: string,
  idField: 'user_id' | 'id',
  limits: ChannelRegistry['limits'],
): PresentUser | undefined {
  if (Buffer.byteLength(text) > limits.userBytes) return undefined;
  const parsed = parseJson(text, limits.jsonDepth);
  const rawId = readField(parsed?.value, idField);
  const id = Number.isSafeInteger(rawId) ? String(rawId) : rawId;
  if (typeof id !== 'string' || id === '' || id.length > limits.userIdLength || !id.isWellFormed()) {
    return undefined;
  }
  return { id, info: JSON.stringify(readField(parsed?.value, 'user_info') ?? null) };
}

/** Adds a connection of a user on this server. Other members are notified about the user's first one anywhere. */
export function joinLocally(channel: Channel, user: PresentUser, socketId: string): Effect[] {
  const effects: Effect[] = [];
  const member = findOrCreateMember(channel, user);
  if (isAbsent(member)) {
    effects.push(...sendToOthers(channel, memberAdded(channel.name, user.id, member.info), socketId));
  }
  member.localConnections++;
  return effects;
}

/** Records that a user is connected to another server. Idempotent. */
export function joinRemotely(channel: Channel, user: PresentUser, server: string): Effect[] {
  const member = findOrCreateMember(channel, user);
  const wasAbsent = isAbsent(member);
  member.remoteServers.add(server);
  return wasAbsent ? sendToOthers(channel, memberAdded(channel.name, user.id, member.info)) : [];
}

/** Removes a member who has no connection left on any server, and notifies the others. */
export function removeIfAbsent(channel: Channel, userId: string, member: ChannelMember): Effect[] {
  if (!isAbsent(member)) return [];
  channel.members?.delete(userId);
  return sendToOthers(channel, memberRemoved(channel.name, userId));
}

/** Lists the members of a channel on all servers: their ids, each with the JSON text of their public details. */
export function* listMembers(channel: Channel): Iterable<[string, string]> {
  for (const [id, member] of channel.members ?? []) yield [id, member.info];
}

function findOrCreateMember(channel: Channel, user: PresentUser): ChannelMember {
  const existing = channel.members?.get(user.id);
  if (existing) return existing;
  const member: ChannelMember = { info: user.info, localConnections: 0, remoteServers: new Set() };
  channel.members?.set(user.id, member);
  return member;
}

function isAbsent(member: ChannelMember): boolean {
  return member.localConnections === 0 && member.remoteServers.size === 0;
}

function sendToOthers(channel: Channel, frame: string, except?: string): SendEffect[] {
  const to = [...channel.subscribers.keys()].filter((socketId) => socketId !== except);
  return to.length > 0 ? [{ kind: 'send', to, frame }] : [];
}
