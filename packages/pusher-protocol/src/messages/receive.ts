import { signIn } from '../auth/sign-in.ts';
import { publish } from '../channels/publish.ts';
import { subscribe } from '../channels/subscribe.ts';
import { unsubscribe } from '../channels/unsubscribe.ts';
import { closeCodes } from '../connection/close-codes.ts';
import {
  type Connection,
  consumeRateLimit,
  type FrameType,
  markActive,
  rateLimitOf,
} from '../connection/connection.ts';
import { closeConnection } from '../connection/open-and-close.ts';
import { type Effect, sendTo } from '../effects.ts';
import type { ChannelRegistry } from '../registry.ts';
import { type ClientFrame, readClientFrame } from './client-frames.ts';
import { errorFrame, pongFrame, subscriptionError } from './server-frames.ts';

/**
 * Handles a message from a client. Never throws, whatever the client sends.
 *
 * @param message text, or the bytes of a binary message, which the protocol does not use
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
    return closeConnection(registry, socketId, closeCodes.binaryFrame, 'Only text frames are supported.');
  }
  if (message.length > limits.frameBytes || Buffer.byteLength(message) > limits.frameBytes) {
    return closeConnection(registry, socketId, closeCodes.frameTooLong, 'The frame is too long.');
  }
  const isWithinRateLimit = consumeRateLimit(connection, 'text', limits, now);
  const frame = readClientFrame(message, limits.jsonDepth);
  return isWithinRateLimit
    ? handleFrame(registry, connection, frame)
    : rejectForRate(registry, connection, frame);
}

/**
 * Handles a WebSocket ping or pong of a client, which shows that it is alive. They have a separate rate limit: a
 * client could otherwise occupy the server with them.
 */
export function receiveControlFrame(registry: ChannelRegistry, socketId: string, now: number): Effect[] {
  const connection = registry.connections.get(socketId);
  if (!connection) return [];
  markActive(connection, now);
  if (consumeRateLimit(connection, 'control', registry.limits, now)) return [];
  return recordViolation(registry, connection, closeCodes.refused, rateMessage(registry, 'control'));
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
      return unsubscribe(registry, socketId, frame.channel);
    case 'sign-in':
      return signIn(registry, connection, frame);
    case 'client-event':
      return relayClientEvent(registry, connection, frame);
    case 'malformed':
      return recordViolation(registry, connection, closeCodes.malformed, frame.reason);
  }
}

/** Sends a client event to the other subscribers. The sender's user id comes from its subscription. */
function relayClientEvent(
  registry: ChannelRegistry,
  connection: Connection,
  frame: Extract<ClientFrame, { kind: 'client-event' }>,
): Effect[] {
  const { limits } = registry;
  const reject = (code: number, message: string) => [sendTo(connection.socketId, errorFrame(code, message))];
  if (registry.clientEvents === 'none') return reject(closeCodes.refused, 'Client events are disabled.');
  if (frame.event.length > limits.eventNameLength || Buffer.byteLength(frame.data) > limits.eventDataBytes) {
    return reject(closeCodes.refused, 'The client event is too long.');
  }
  const channel = registry.channels.get(frame.channel);
  const userId = channel?.subscribers.get(connection.socketId);
  if (!channel || userId === undefined) {
    return reject(closeCodes.unauthorised, 'Subscribe to the channel before you send to it.');
  }
  if (channel.kind !== 'private' && channel.kind !== 'presence') {
    return reject(closeCodes.refused, 'Client events are for private and presence channels only.');
  }
  return publish(registry, {
    channels: [frame.channel],
    event: frame.event,
    data: frame.data,
    except: connection.socketId,
    userId,
  });
}

/** Drops a frame above the rate limit. A rejected subscription needs a reply, or its client would wait for ever. */
function rejectForRate(registry: ChannelRegistry, connection: Connection, frame: ClientFrame): Effect[] {
  const message = rateMessage(registry, 'text');
  const effects = recordViolation(registry, connection, closeCodes.refused, message);
  if (frame.kind !== 'subscribe') return effects;
  const error = subscriptionError(frame.channel, { type: 'RateLimited', error: message, status: 429 });
  return [sendTo(connection.socketId, error), ...effects];
}

function rateMessage({ limits }: ChannelRegistry, type: FrameType): string {
  return `Rate limit exceeded: ${rateLimitOf(type, limits)} ${type} frames in ${limits.frameWindow / 1000} s.`;
}

function recordViolation(
  registry: ChannelRegistry,
  connection: Connection,
  code: number,
  message: string,
): Effect[] {
  const { socketId } = connection;
  const error = sendTo(socketId, errorFrame(code, message));
  if (++connection.violations < registry.limits.violations) return [error];
  return [error, ...closeConnection(registry, socketId, code, message)];
}
