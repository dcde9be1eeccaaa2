import { closeCodes } from '../connection/close-codes.ts';
import { closeConnection } from '../connection/open-and-close.ts';
import type { Effect } from '../effects.ts';
import type { ChannelRegistry } from '../registry.ts';
import type { ServerMessage } from './server-messages.ts';

/**
 * Closes all connections of a user, on every server: those that are signed in, and those on a presence channel.
 *
 * @param code with 4009 pusher-js does not reconnect; with 1001 it reconnects in a second and authorises again
 */
export function terminateUser(
  registry: ChannelRegistry,
  userId: string,
  code: number = closeCodes.unauthorised,
): Effect[] {
  const message: ServerMessage = { kind: 'terminate-user', userId, code };
  return [...terminateUserLocally(registry, userId, code), { kind: 'notify-servers', message }];
}

/** Closes all connections of a user on this server. */
export function terminateUserLocally(registry: ChannelRegistry, userId: string, code: number): Effect[] {
  const effects: Effect[] = [];
  for (const socketId of findSocketsOfUser(registry, userId)) {
    effects.push(...closeConnection(registry, socketId, code, 'This user was signed out.'));
  }
  return effects;
}

function findSocketsOfUser(registry: ChannelRegistry, userId: string): Set<string> {
  const sockets = new Set(registry.users.get(userId));
  for (const { members, subscribers } of registry.channels.values()) {
    if (!members?.get(userId)?.localConnections) continue;
    for (const [socketId, member] of subscribers) if (member === userId) sockets.add(socketId);
  }
  return sockets;
}
