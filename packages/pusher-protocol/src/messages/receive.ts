import { signIn } from '../auth/sign-in.ts';
import { publish } from '../channels/publish.ts';
import { subscribe } from '../channels/subscribe.ts';
import { closeCodes } from '../connection/close-codes.ts';
import { type Connection, isWithinRateLimit, markActive } from '../connection/connection.ts';
import type { Effect } from '../effects.ts';
import { type ChannelRegistry, closeConnection, leaveChannel, sendTo } from '../registry.ts';
import { type ClientFrame, readClientFrame } from './client-frames.ts';
import { errorFrame, pongFrame, subscriptionError } from './server-frames.ts';

/**
 * A message came in. It may be anything; nothing that a client can send makes this throw.
 *
 * @param message text, or the bytes of a binary message, which the protocol has no use for
 */
export function receiveMessage(
  registry: ChannelRegistry,
  socketId: string,
  message: string | Uint8Array,
  now: number,
): Effect[] {
  const connection = registry.connections.get(socketId);
  if (!connection) return [];
  const { limits } = registry;
  markActive(connection, now);
  if (typeof message !== 'string') {
    return closeConnection(registry, socketId, closeCodes.binaryFrame, 'Only text is understood.');
  }
  if (message.length > limits.frameBytes || Buffer.byteLength(message) > limits.frameBytes) {
    return closeConnection(registry, socketId, closeCodes.frameTooLong, 'The frame is too long.');
  }
  const withinRate = isWithinRateLimit(connection, limits, now);
  const frame = readClientFrame(message, limits.jsonDepth);
  return withinRate ? handleFrame(registry, connection, frame) : rejectForRate(registry, connection, frame);
}

/** A WebSocket ping or pong came in: a sign of life like any other. */
export function recordActivity(registry: ChannelRegistry, socketId: string, now: number): void {
  const connection = registry.connections.get(socketId);
  if (connection) markActive(connection, now);
}

function handleFrame(registry: ChannelRegistry, connection: Connection, frame: ClientFrame): Effect[] {
  const { socketId } = connection;
  switch (frame.kind) {
    case 'ping':
      return [sendTo(socketId, pongFrame)];
    case 'pong':
    case 'ignored':
      return [];
    case 'subscribe':
      return subscribe(registry, connection, frame);
    case 'unsubscribe':
      return leaveChannel(registry, socketId, frame.channel);
    case 'sign-in':
      return signIn(registry, connection, frame);
    case 'client-event':
      return relayClientEvent(registry, connection, frame);
    case 'malformed':
      return recordViolation(registry, connection, closeCodes.malformed, frame.reason);
  }
}

/** A client's own event, for all others on the channel. Who it is from is what the subscription says. */
function relayClientEvent(
  registry: ChannelRegistry,
  connection: Connection,
  frame: Extract<ClientFrame, { kind: 'client-event' }>,
): Effect[] {
  const { limits } = registry;
  const refuse = (code: number, message: string) => [sendTo(connection.socketId, errorFrame(code, message))];
  if (registry.clientEvents === 'none') return refuse(closeCodes.refused, 'Client events are off.');
  if (frame.event.length > limits.eventNameLength || Buffer.byteLength(frame.data) > limits.eventDataBytes) {
    return refuse(closeCodes.refused, 'The client event is too long.');
  }
  const channel = registry.channels.get(frame.channel);
  const userId = channel?.subscribers.get(connection.socketId);
  if (!channel || userId === undefined) {
    return refuse(closeCodes.unauthorised, 'Subscribe to the channel before sending to it.');
  }
  if (channel.kind !== 'private' && channel.kind !== 'presence') {
    return refuse(closeCodes.refused, 'Client events are for private and presence channels.');
  }
  return publish(registry, {
    channels: [frame.channel],
    event: frame.event,
    data: frame.data,
    except: connection.socketId,
    userId,
  });
}

/** What is beyond the rate is not done. A subscription is told so, or it would be waited for in vain. */
function rejectForRate(registry: ChannelRegistry, connection: Connection, frame: ClientFrame): Effect[] {
  const message = `More than ${registry.limits.framesPerWindow} frames in ${registry.limits.frameWindow / 1000} s.`;
  const fault = recordViolation(registry, connection, closeCodes.refused, message);
  if (frame.kind !== 'subscribe') return fault;
  const error = subscriptionError(frame.channel, { type: 'RateLimited', error: message, status: 429 });
  return [sendTo(connection.socketId, error), ...fault];
}

function recordViolation(
  registry: ChannelRegistry,
  connection: Connection,
  code: number,
  message: string,
): Effect[] {
  const { socketId } = connection;
  const told = sendTo(socketId, errorFrame(code, message));
  if (++connection.violations < registry.limits.violations) return [told];
  return [told, ...closeConnection(registry, socketId, code, message)];
}
