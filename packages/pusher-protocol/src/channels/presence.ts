import type { Effect, NotifyServersEffect, SendEffect } from '../effects.ts';
import { parseJson, readField } from '../messages/parse-json.ts';
import { memberAdded, memberRemoved } from '../messages/server-frames.ts';
import type { Channel, ChannelMember, ChannelRegistry } from '../registry.ts';

/** A user as a presence channel shows them. `info` is JSON text. */
export interface PresentUser {
  id: string;
  info: string;
}

/**
 * Reads `channel_data`. An id may be a number (Laravel signs what the database has); 7 and "7" are one user.
 *
 * @returns undefined when it names nobody, or is longer than allowed
 */
export function readChannelData(text: string, limits: ChannelRegistry['limits']): PresentUser | undefined {
  if (Buffer.byteLength(text) > limits.userBytes) return undefined;
  const parsed = parseJson(text, limits.jsonDepth);
  const given = readField(parsed?.value, 'user_id');
  const id = Number.isSafeInteger(given) ? String(given) : given;
  if (typeof id !== 'string' || id === '' || id.length > limits.userIdLength || !id.isWellFormed()) {
    return undefined;
  }
  return { id, info: JSON.stringify(readField(parsed?.value, 'user_info') ?? null) };
}

/** One more connection of a user on this server. The others hear of it when it is the user's first anywhere. */
export function joinLocally(channel: Channel, user: PresentUser, socketId: string): Effect[] {
  const effects: Effect[] = [];
  const member = findOrCreateMember(channel, user);
  if (isAbsent(member))
    effects.push(...sendToOthers(channel, memberAdded(channel.name, user.id, member.info), socketId));
  if (++member.localConnections === 1) effects.push(memberJoinedEffect(channel, user.id, member));
  return effects;
}

/** A user is on another server. To hear it again changes nothing. */
export function joinRemotely(channel: Channel, user: PresentUser, server: string): Effect[] {
  const member = findOrCreateMember(channel, user);
  const wasAway = isAbsent(member);
  member.remoteServers.add(server);
  return wasAway ? sendToOthers(channel, memberAdded(channel.name, user.id, member.info)) : [];
}

/** After a connection or a server of theirs went: whoever is nowhere any more has left, and the others hear it. */
export function removeIfAbsent(channel: Channel, userId: string, member: ChannelMember): Effect[] {
  if (!isAbsent(member)) return [];
  channel.members?.delete(userId);
  return sendToOthers(channel, memberRemoved(channel.name, userId));
}

export function memberJoinedEffect(
  channel: Channel,
  userId: string,
  member: ChannelMember,
): NotifyServersEffect {
  return {
    kind: 'notify-servers',
    message: { kind: 'member-joined', channel: channel.name, userId, info: member.info },
  };
}

export function memberLeftEffect(channel: Channel, userId: string): NotifyServersEffect {
  return { kind: 'notify-servers', message: { kind: 'member-left', channel: channel.name, userId } };
}

/** Every user on a channel, on any server, with the JSON text of what is known of them. */
export function* listMembers(channel: Channel): Iterable<[string, string]> {
  for (const [id, member] of channel.members ?? []) yield [id, member.info];
}

function findOrCreateMember(channel: Channel, user: PresentUser): ChannelMember {
  const found = channel.members?.get(user.id);
  if (found) return found;
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
