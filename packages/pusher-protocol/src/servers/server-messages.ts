import { kindOfChannel } from '../channels/channel-names.ts';
import { joinElsewhere, settleDeparture } from '../channels/presence.ts';
import { type Publication, publishHere } from '../channels/publish.ts';
import { closeCodes } from '../connection/close-codes.ts';
import type { Effect } from '../effects.ts';
import { fieldOf, parseJson } from '../messages/parse-json.ts';
import { type ChannelRegistry, closeConnection, ensureChannel, removeIfEmpty } from '../registry.ts';

/** What servers tell each other: plain data, to be carried as JSON by whatever joins them. */
export type ServerMessage =
  | ({ kind: 'event' } & Publication)
  /** The user's first connection on the telling server. `info` is JSON text. */
  | { kind: 'member-joined'; channel: string; userId: string; info: string }
  /** The user's last connection on the telling server has gone. */
  | { kind: 'member-left'; channel: string; userId: string }
  | { kind: 'terminate-user'; userId: string; code: number };

/**
 * Another server has told something. Everything may come twice; what one server tells must come in its order.
 *
 * @param server the name of the telling server; its own words are not to be given back to a server
 */
export function hearServer(registry: ChannelRegistry, server: string, message: ServerMessage): Effect[] {
  switch (message.kind) {
    case 'event':
      return publishHere(registry, message);
    case 'member-joined': {
      if (kindOfChannel(message.channel, registry.limits) !== 'presence') return [];
      const channel = ensureChannel(registry, message.channel, 'presence');
      return joinElsewhere(channel, { id: message.userId, info: message.info }, server);
    }
    case 'member-left':
      return leaveElsewhere(registry, server, message.channel, message.userId);
    case 'terminate-user':
      return terminateUserHere(registry, message.userId, message.code);
  }
}

/** A server is dead, or its words were lost: its members are gone until it says them again. */
export function forgetServer(registry: ChannelRegistry, server: string): Effect[] {
  const effects: Effect[] = [];
  for (const channel of registry.channels.values()) {
    for (const userId of channel.members?.keys() ?? []) {
      effects.push(...leaveElsewhere(registry, server, channel.name, userId));
    }
  }
  return effects;
}

/** Who is present on this server: what to tell a server that is new, or that has forgotten us. */
export function membersHere(registry: ChannelRegistry): ServerMessage[] {
  const messages: ServerMessage[] = [];
  for (const channel of registry.channels.values()) {
    for (const [userId, member] of channel.members ?? []) {
      if (member.here === 0) continue;
      messages.push({ kind: 'member-joined', channel: channel.name, userId, info: member.info });
    }
  }
  return messages;
}

/**
 * Closes every connection that is signed in as this user, on every server.
 *
 * @param code 4009 keeps pusher-js away for good; with 1001 it comes back in a second and asks anew what it may
 */
export function terminateUser(
  registry: ChannelRegistry,
  userId: string,
  code: number = closeCodes.unauthorised,
): Effect[] {
  const message: ServerMessage = { kind: 'terminate-user', userId, code };
  return [...terminateUserHere(registry, userId, code), { kind: 'tell', message }];
}

/** Reads a message that came as JSON text. @returns undefined for anything else. Never throws. */
export function readServerMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text, 3)?.value;
  const one = (name: string) => {
    const field = fieldOf(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const kind = one('kind');
  const userId = one('userId');
  const channel = one('channel');
  if (kind === 'event') {
    const channels = fieldOf(value, 'channels');
    const event = one('event');
    const data = one('data');
    if (!isTexts(channels) || event === undefined || data === undefined) return undefined;
    return { kind, channels, event, data, except: one('except') ?? null, userId: userId ?? null };
  }
  if (userId === undefined) return undefined;
  if (kind === 'terminate-user') {
    const code = fieldOf(value, 'code');
    return isCloseCode(code) ? { kind, userId, code } : undefined;
  }
  if (channel === undefined) return undefined;
  if (kind === 'member-left') return { kind, channel, userId };
  const info = one('info');
  if (kind !== 'member-joined' || info === undefined || !parseJson(info, 100)) return undefined;
  return { kind, channel, userId, info };
}

function leaveElsewhere(
  registry: ChannelRegistry,
  server: string,
  channelName: string,
  userId: string,
): Effect[] {
  const channel = registry.channels.get(channelName);
  const member = channel?.members?.get(userId);
  if (!channel || !member?.elsewhere.delete(server)) return [];
  const effects = settleDeparture(channel, userId, member);
  removeIfEmpty(registry, channel);
  return effects;
}

function terminateUserHere(registry: ChannelRegistry, userId: string, code: number): Effect[] {
  const effects: Effect[] = [];
  for (const socketId of [...(registry.users.get(userId) ?? [])]) {
    effects.push(...closeConnection(registry, socketId, code, 'This user was signed out.'));
  }
  return effects;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** A code that may be sent at all, and does not bring clients back at once. */
function isCloseCode(value: unknown): value is number {
  const code = Number.isInteger(value) ? (value as number) : 0;
  return code === 1000 || code === 1001 || (code >= 3000 && code <= 4999 && !(code >= 4200 && code < 4300));
}
