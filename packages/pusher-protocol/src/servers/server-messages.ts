import { classifyChannel } from '../channels/channel-names.ts';
import { joinRemotely, removeIfAbsent } from '../channels/presence.ts';
import { type Publication, publishLocally } from '../channels/publish.ts';
import { closeCodes } from '../connection/close-codes.ts';
import type { Effect } from '../effects.ts';
import { parseJson, readField } from '../messages/parse-json.ts';
import { type ChannelRegistry, closeConnection, findOrCreateChannel, removeIfEmpty } from '../registry.ts';

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
export function handleServerMessage(
  registry: ChannelRegistry,
  server: string,
  message: ServerMessage,
): Effect[] {
  switch (message.kind) {
    case 'event':
      return publishLocally(registry, message);
    case 'member-joined': {
      if (classifyChannel(message.channel, registry.limits) !== 'presence') return [];
      const channel = findOrCreateChannel(registry, message.channel, 'presence');
      return joinRemotely(channel, { id: message.userId, info: message.info }, server);
    }
    case 'member-left':
      return leaveRemotely(registry, server, message.channel, message.userId);
    case 'terminate-user':
      return terminateUserLocally(registry, message.userId, message.code);
  }
}

/** A server is dead, or its words were lost: its members are gone until it says them again. */
export function removeServer(registry: ChannelRegistry, server: string): Effect[] {
  const effects: Effect[] = [];
  for (const channel of registry.channels.values()) {
    for (const userId of channel.members?.keys() ?? []) {
      effects.push(...leaveRemotely(registry, server, channel.name, userId));
    }
  }
  return effects;
}

/** Who is present on this server: what to tell a server that is new, or that has forgotten us. */
export function listLocalMembers(registry: ChannelRegistry): ServerMessage[] {
  const messages: ServerMessage[] = [];
  for (const channel of registry.channels.values()) {
    for (const [userId, member] of channel.members ?? []) {
      if (member.localConnections === 0) continue;
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
  return [...terminateUserLocally(registry, userId, code), { kind: 'notify-servers', message }];
}

/** Reads a message that came as JSON text. @returns undefined for anything else. Never throws. */
export function readServerMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text, 3)?.value;
  const one = (name: string) => {
    const field = readField(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const kind = one('kind');
  const userId = one('userId');
  const channel = one('channel');
  if (kind === 'event') {
    const channels = readField(value, 'channels');
    const event = one('event');
    const data = one('data');
    if (!isStringArray(channels) || event === undefined || data === undefined) return undefined;
    return { kind, channels, event, data, except: one('except') ?? null, userId: userId ?? null };
  }
  if (userId === undefined) return undefined;
  if (kind === 'terminate-user') {
    const code = readField(value, 'code');
    return isCloseCode(code) ? { kind, userId, code } : undefined;
  }
  if (channel === undefined) return undefined;
  if (kind === 'member-left') return { kind, channel, userId };
  const info = one('info');
  if (kind !== 'member-joined' || info === undefined || !parseJson(info, 100)) return undefined;
  return { kind, channel, userId, info };
}

function leaveRemotely(
  registry: ChannelRegistry,
  server: string,
  channelName: string,
  userId: string,
): Effect[] {
  const channel = registry.channels.get(channelName);
  const member = channel?.members?.get(userId);
  if (!channel || !member?.remoteServers.delete(server)) return [];
  const effects = removeIfAbsent(channel, userId, member);
  removeIfEmpty(registry, channel);
  return effects;
}

function terminateUserLocally(registry: ChannelRegistry, userId: string, code: number): Effect[] {
  const effects: Effect[] = [];
  for (const socketId of [...(registry.users.get(userId) ?? [])]) {
    effects.push(...closeConnection(registry, socketId, code, 'This user was signed out.'));
  }
  return effects;
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** A code that may be sent at all, and does not bring clients back at once. */
function isCloseCode(value: unknown): value is number {
  const code = Number.isInteger(value) ? (value as number) : 0;
  return code === 1000 || code === 1001 || (code >= 3000 && code <= 4999 && !(code >= 4200 && code < 4300));
}
