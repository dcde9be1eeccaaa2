import { classifyChannel } from '../channels/channel-names.ts';
import { joinRemotely, removeIfAbsent } from '../channels/presence.ts';
import { publishLocally } from '../channels/publish.ts';
import type { Effect } from '../effects.ts';
import {
  type ChannelRegistry,
  findOrCreateChannel,
  type RemoteServer,
  removeChannelIfEmpty,
} from '../registry.ts';
import type { ServerMessage } from './server-messages.ts';
import { createServerState, setMember, setSubscriptions } from './server-state.ts';
import { terminateUserLocally } from './terminate-user.ts';

/**
 * Applies a message from another server. Messages may be delivered more than once, but those of one server must arrive
 * in the order in which it sent them. If messages were lost, the next heartbeat shows it: the effect `request-state`
 * then asks the sender for its whole state.
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
    case 'terminate-user':
      return terminateUserLocally(registry, message.userId, message.code);
    case 'members':
      return applyMembers(registry, server, message);
    case 'sizes':
      return applySizes(registry, server, message);
    case 'state-start':
      findOrAddServer(registry, server).unconfirmed = listEntries(findOrAddServer(registry, server));
      return [];
    case 'state-end':
      return removeUnconfirmed(registry, server);
    case 'heartbeat':
      return compareDigests(registry, server, message);
  }
}

/**
 * Removes the state that a server has announced, because it is dead, or because messages were lost and it will send
 * its whole state.
 */
export function removeServer(registry: ChannelRegistry, server: string): Effect[] {
  const effects: Effect[] = [];
  for (const [channel, { members }] of registry.servers.get(server)?.channels ?? []) {
    for (const userId of [...members.keys()])
      effects.push(...leaveRemotely(registry, server, channel, userId));
  }
  registry.servers.delete(server);
  return effects;
}

type MembersMessage = Extract<ServerMessage, { kind: 'members' }>;
type SizesMessage = Extract<ServerMessage, { kind: 'sizes' }>;
type Heartbeat = Extract<ServerMessage, { kind: 'heartbeat' }>;

function applyMembers(
  registry: ChannelRegistry,
  server: string,
  { channel, joined, left }: MembersMessage,
): Effect[] {
  if (classifyChannel(channel, registry.limits) !== 'presence') return [];
  const state = findOrAddServer(registry, server);
  const effects: Effect[] = [];
  for (const [id, info] of joined) {
    state.unconfirmed?.members.get(channel)?.delete(id);
    if (!setMember(state, channel, id, info)) continue;
    const presence = findOrCreateChannel(registry, channel, 'presence');
    effects.push(...joinRemotely(presence, { id, info }, server));
  }
  for (const userId of left) effects.push(...leaveRemotely(registry, server, channel, userId));
  return effects;
}

function applySizes(registry: ChannelRegistry, server: string, { channels }: SizesMessage): Effect[] {
  const state = findOrAddServer(registry, server);
  for (const [channel, subscriptions] of channels) {
    state.unconfirmed?.sizes.delete(channel);
    setSubscriptions(state, channel, subscriptions);
  }
  return [];
}

/** Finishes receiving a whole state, and removes the entries that it did not contain. */
function removeUnconfirmed(registry: ChannelRegistry, server: string): Effect[] {
  const state = findOrAddServer(registry, server);
  const { members = new Map<string, Set<string>>(), sizes = new Set<string>() } = state.unconfirmed ?? {};
  state.unconfirmed = null;
  for (const channel of sizes) setSubscriptions(state, channel, 0);
  return [...members].flatMap(([channel, userIds]) =>
    [...userIds].flatMap((userId) => leaveRemotely(registry, server, channel, userId)),
  );
}

function compareDigests(
  registry: ChannelRegistry,
  server: string,
  { digest, connections }: Heartbeat,
): Effect[] {
  const state = findOrAddServer(registry, server);
  state.connections = connections;
  // While a whole state is on its way, the copies differ.
  if (digest === null) return [];
  state.unconfirmed = null;
  return state.digest.toString(16) === digest ? [] : [{ kind: 'request-state', server }];
}

function findOrAddServer(registry: ChannelRegistry, server: string): RemoteServer {
  const existing = registry.servers.get(server);
  if (existing) return existing;
  const added: RemoteServer = { ...createServerState(), unconfirmed: null };
  registry.servers.set(server, added);
  return added;
}

function listEntries({ channels }: RemoteServer): RemoteServer['unconfirmed'] {
  const members = [...channels].map(([name, channel]) => [name, new Set(channel.members.keys())] as const);
  return { members: new Map(members), sizes: new Set(channels.keys()) };
}

function leaveRemotely(
  registry: ChannelRegistry,
  server: string,
  channelName: string,
  userId: string,
): Effect[] {
  const state = registry.servers.get(server);
  state?.unconfirmed?.members.get(channelName)?.delete(userId);
  if (!state || !setMember(state, channelName, userId, null)) return [];
  const channel = registry.channels.get(channelName);
  const member = channel?.members?.get(userId);
  if (!channel || !member) return [];
  member.remoteServers.delete(server);
  const effects = removeIfAbsent(channel, userId, member);
  removeChannelIfEmpty(registry, channel);
  return effects;
}
