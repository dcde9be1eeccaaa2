import type { Effect } from '../effects.ts';
import { type ChannelRegistry, removeChannelIfEmpty } from '../registry.ts';
import { noteMember, noteSize } from '../servers/announce.ts';
import { removeIfAbsent } from './presence.ts';

/** Removes a connection from a channel, and the channel if it was the last subscriber. Idempotent. */
export function unsubscribe(registry: ChannelRegistry, socketId: string, channelName: string): Effect[] {
  const channel = registry.channels.get(channelName);
  const userId = channel?.subscribers.get(socketId);
  if (!channel || userId === undefined) return [];
  channel.subscribers.delete(socketId);
  registry.connections.get(socketId)?.channels.delete(channelName);
  const effects: Effect[] = [];
  const member = userId === null ? undefined : channel.members?.get(userId);
  if (member && userId !== null) {
    member.localConnections--;
    effects.push(...removeIfAbsent(channel, userId, member));
    if (member.localConnections === 0) noteMember(registry, channelName, userId);
  }
  noteSize(registry, channelName);
  removeChannelIfEmpty(registry, channel);
  if (channel.subscribers.size === 0)
    effects.push({ kind: 'occupancy', channel: channelName, isOccupied: false });
  return effects;
}
