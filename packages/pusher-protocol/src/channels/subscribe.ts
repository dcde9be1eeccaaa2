import { isValidChannelAuth } from '../auth/signatures.ts';
import type { Connection } from '../connection/connection.ts';
import type { Effect } from '../effects.ts';
import type { ClientFrame } from '../messages/client-frames.ts';
import {
  type SubscriptionError,
  subscriptionError,
  subscriptionSucceeded,
} from '../messages/server-frames.ts';
import { type Channel, type ChannelRegistry, findOrCreateChannel, sendTo } from '../registry.ts';
import { type ChannelKind, classifyChannel, userChannel } from './channel-names.ts';
import { joinLocally, listMembers, type PresentUser, readChannelData } from './presence.ts';

type SubscribeFrame = Extract<ClientFrame, { kind: 'subscribe' }>;

/**
 * A client asks to listen. Asking again gets the same answer again. A refusal is a `pusher:subscription_error` of the
 * channel: pusher-js then waits for a reconnection before it asks anew.
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
  if ('fault' in decision) return [sendTo(socketId, subscriptionError(request.channel, decision.fault))];

  const channel = findOrCreateChannel(registry, request.channel, kind as ChannelKind);
  channel.subscribers.set(socketId, decision.user?.id ?? null);
  connection.channels.add(request.channel);
  const joined = decision.user ? joinLocally(channel, decision.user, socketId) : [];
  return [sendTo(socketId, succeeded(channel)), ...joined];
}

function authorise(
  registry: ChannelRegistry,
  connection: Connection,
  request: SubscribeFrame,
  kind: ReturnType<typeof classifyChannel>,
): { fault: SubscriptionError } | { user: PresentUser | null } {
  if (kind === 'invalid') return refuse('InvalidChannel', 400, 'Not a name for a channel.');
  if (kind === 'unsupported') {
    return refuse('InvalidChannel', 400, 'Cache and encrypted channels are not supported here.');
  }
  if (kind === 'user') {
    const own = connection.user !== null && request.channel === userChannel(connection.user.id);
    if (!own) return refuse('AuthError', 403, 'This channel is for another user.');
  } else if (kind !== 'public') {
    const { auth, channel, channelData } = request;
    if (!isValidChannelAuth(registry.app, auth, connection.socketId, channel, channelData)) {
      return refuse('AuthError', 401, 'The signature is not valid for this connection and channel.');
    }
  }
  if (connection.channels.size >= registry.limits.channelsPerConnection) {
    return refuse('LimitReached', 429, 'This connection listens to too many channels.');
  }
  return kind === 'presence' ? authorisePresence(registry, connection, request) : { user: null };
}

function authorisePresence(
  registry: ChannelRegistry,
  connection: Connection,
  request: SubscribeFrame,
): { fault: SubscriptionError } | { user: PresentUser } {
  const user =
    request.channelData === null ? connection.user : readChannelData(request.channelData, registry.limits);
  if (!user)
    return refuse('InvalidChannel', 400, 'The channel_data must name the user, and not be too long.');
  const members = registry.channels.get(request.channel)?.members;
  if (members && !members.has(user.id) && members.size >= registry.limits.membersPerChannel) {
    return refuse('LimitReached', 403, 'The channel has as many members as it may.');
  }
  return { user };
}

function succeeded(channel: Channel): string {
  return subscriptionSucceeded(channel.name, channel.members ? listMembers(channel) : undefined);
}

function refuse(
  type: SubscriptionError['type'],
  status: number,
  error: string,
): { fault: SubscriptionError } {
  return { fault: { type, error, status } };
}
