import type { Effect, SendEffect, TellEffect } from '../effects.ts';
import { fieldOf, parseJson } from '../messages/parse-json.ts';
import { memberAdded, memberRemoved } from '../messages/server-frames.ts';
import type { Channel, ChannelRegistry, Member } from '../registry.ts';

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
  const given = fieldOf(parsed?.value, 'user_id');
  const id = Number.isSafeInteger(given) ? String(given) : given;
  if (typeof id !== 'string' || id === '' || id.length > limits.userIdLength || !id.isWellFormed()) {
    return undefined;
  }
  return { id, info: JSON.stringify(fieldOf(parsed?.value, 'user_info') ?? null) };
}

/** One more connection of a user on this server. The others hear of it when it is the user's first anywhere. */
export function joinHere(channel: Channel, user: PresentUser, socketId: string): Effect[] {
  const effects: Effect[] = [];
  const member = memberOf(channel, user);
  if (isAway(member))
    effects.push(...tellOthers(channel, memberAdded(channel.name, user.id, member.info), socketId));
  if (++member.here === 1) effects.push(announceJoined(channel, user.id, member));
  return effects;
}

/** A user is on another server. To hear it again changes nothing. */
export function joinElsewhere(channel: Channel, user: PresentUser, server: string): Effect[] {
  const member = memberOf(channel, user);
  const wasAway = isAway(member);
  member.elsewhere.add(server);
  return wasAway ? tellOthers(channel, memberAdded(channel.name, user.id, member.info)) : [];
}

/** After a connection or a server of theirs went: whoever is nowhere any more has left, and the others hear it. */
export function settleDeparture(channel: Channel, userId: string, member: Member): Effect[] {
  if (!isAway(member)) return [];
  channel.members?.delete(userId);
  return tellOthers(channel, memberRemoved(channel.name, userId));
}

export function announceJoined(channel: Channel, userId: string, member: Member): TellEffect {
  return {
    kind: 'tell',
    message: { kind: 'member-joined', channel: channel.name, userId, info: member.info },
  };
}

export function announceLeft(channel: Channel, userId: string): TellEffect {
  return { kind: 'tell', message: { kind: 'member-left', channel: channel.name, userId } };
}

/** Every user on a channel, on any server, with the JSON text of what is known of them. */
export function* listMembers(channel: Channel): Iterable<[string, string]> {
  for (const [id, member] of channel.members ?? []) yield [id, member.info];
}

function memberOf(channel: Channel, user: PresentUser): Member {
  const found = channel.members?.get(user.id);
  if (found) return found;
  const member: Member = { info: user.info, here: 0, elsewhere: new Set() };
  channel.members?.set(user.id, member);
  return member;
}

function isAway(member: Member): boolean {
  return member.here === 0 && member.elsewhere.size === 0;
}

function tellOthers(channel: Channel, frame: string, except?: string): SendEffect[] {
  const to = [...channel.subscribers.keys()].filter((socketId) => socketId !== except);
  return to.length > 0 ? [{ kind: 'send', to, frame }] : [];
}
