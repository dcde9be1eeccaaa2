import { isValidChannelAuth } from '../auth/signatures.ts';
import type { Connection } from '../connection/connection.ts';
import { type Effect, sendTo } from '../effects.ts';
import type { ClientFrame } from '../messages/client-frames.ts';
import {
  type SubscriptionError,
  subscriptionError,
  subscriptionSucceeded,
} from '../messages/server-frames.ts';
import { type Channel, type ChannelRegistry, findOrCreateChannel } from '../registry.ts';
import { noteMember, noteSize } from '../servers/announce.ts';
import { type ChannelKind, classifyChannel, userChannel } from './channel-names.ts';
import { joinLocally, listMembers, type PresentUser, readSignedUser } from './presence.ts';

type SubscribeFrame = Extract<ClientFrame, { kind: 'subscribe' }>;

/**
 * Subscribes a connection to a channel. Idempotent: a repeated request receives the same response. A rejection is a
 * `pusher:subscription_error` for the channel, after which pusher-js does not retry before it reconnects.
 */
export function subscribe(
  registry: ChannelRegistry,
  connection: Connection,
  request: SubscribeFrame,
): Effect[] {
  const { socketId } = connection;
  const existing = registry.channels.get(request.channel);
  if (existing?.subscribers.has(socketId)) return [sendTo(socketId, succeeded(existing))];
  const kind = classifyChannel(request.channel, registry.limits);
  const decision = authorise(registry, connection, request, kind);
  if ('error' in decision) return [sendTo(socketId, subscriptionError(request.channel, decision.error))];

  const channel = findOrCreateChannel(registry, request.channel, kind as ChannelKind);
  channel.subscribers.set(socketId, decision.user?.id ?? null);
  connection.channels.add(request.channel);
  const joined = decision.user ? joinLocally(channel, decision.user, socketId) : [];
  if (decision.user) noteMember(registry, channel.name, decision.user.id);
  noteSize(registry, channel.name);
  const occupied: Effect[] =
    channel.subscribers.size === 1 ? [{ kind: 'occupancy', channel: channel.name, isOccupied: true }] : [];
  return [sendTo(socketId, succeeded(channel)), ...joined, ...occupied];
}

function authorise(
  registry: ChannelRegistry,
  connection: Connection,
  request: SubscribeFrame,
  kind: ReturnType<typeof classifyChannel>,
): { error: SubscriptionError } | { user: PresentUser | null } {
  if (kind === 'invalid') return reject('InvalidChannel', 400, 'The channel name is not valid.');
  if (kind === 'unsupported') {
    return reject('InvalidChannel', 400, 'Cache and encrypted channels are not supported.');
  }
  if (kind === 'user') {
    const isOwn = connection.user !== null && request.channel === userChannel(connection.user.id);
    if (!isOwn) return reject('AuthError', 403, 'This channel belongs to another user.');
  } else if (kind !== 'public') {
    const { auth, channel, channelData } = request;
    if (!isValidChannelAuth(registry.app, auth, connection.socketId, channel, channelData)) {
      return reject('AuthError', 401, 'The signature is not valid for this connection and channel.');
    }
  }
  if (connection.channels.size >= registry.limits.channelsPerConnection) {
    return reject('LimitReached', 429, 'This connection has too many subscriptions.');
  }
  return kind === 'presence' ? findPresentUser(registry, connection, request) : { user: null };
}

function findPresentUser(
  registry: ChannelRegistry,
  connection: Connection,
  request: SubscribeFrame,
): { error: SubscriptionError } | { user: PresentUser } {
  const user =
    request.channelData === null
      ? connection.user
      : readSignedUser(request.channelData, 'user_id', registry.limits);
  if (!user) {
    return reject('InvalidChannel', 400, 'The channel_data must have a user_id and must not be too long.');
  }
  const members = registry.channels.get(request.channel)?.members;
  if (members && !members.has(user.id) && members.size >= registry.limits.membersPerChannel) {
    return reject('LimitReached', 403, 'The channel has the maximum number of members.');
  }
  return { user };
}

function succeeded(channel: Channel): string {
  return subscriptionSucceeded(channel.name, channel.members ? listMembers(channel) : undefined);
}

function reject(
  type: SubscriptionError['type'],
  status: number,
  error: string,
): { error: SubscriptionError } {
  return { error: { type, error, status } };
}
