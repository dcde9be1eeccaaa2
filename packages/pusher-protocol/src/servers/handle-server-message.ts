import { classifyChannel } from '../channels/channel-names.ts';
import { joinRemotely, removeIfAbsent } from '../channels/presence.ts';
import { publishLocally } from '../channels/publish.ts';
import type { Effect } from '../effects.ts';
import { type ChannelRegistry, findOrCreateChannel, removeChannelIfEmpty } from '../registry.ts';
import type { ServerMessage } from './server-messages.ts';
import { terminateUserLocally } from './terminate-user.ts';

/**
 * Applies a message from another server. Messages may be delivered more than once, but those of one server must arrive
 * in the order in which it sent them.
 *
 * @param server the name of the sender; a server must not receive its own messages
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

/** Removes the members of a server that is dead, or whose messages were lost, until it lists them again. */
export function removeServer(registry: ChannelRegistry, server: string): Effect[] {
  const effects: Effect[] = [];
  for (const channel of registry.channels.values()) {
    for (const userId of channel.members?.keys() ?? []) {
      effects.push(...leaveRemotely(registry, server, channel.name, userId));
    }
  }
  return effects;
}

/** Lists the presence members on this server, as messages for a server that is new or has removed this one. */
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
  removeChannelIfEmpty(registry, channel);
  return effects;
}
