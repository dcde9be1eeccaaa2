import { closeCodes } from '../connection/close-codes.ts';
import { closeConnection } from '../connection/open-and-close.ts';
import type { Effect } from '../effects.ts';
import type { ChannelRegistry } from '../registry.ts';
import type { ServerMessage } from './server-messages.ts';

/**
 * Closes all connections that are signed in as a user, on every server.
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

/** Closes all connections that are signed in as a user, on this server. */
export function terminateUserLocally(registry: ChannelRegistry, userId: string, code: number): Effect[] {
  const effects: Effect[] = [];
  for (const socketId of [...(registry.users.get(userId) ?? [])]) {
    effects.push(...closeConnection(registry, socketId, code, 'This user was signed out.'));
  }
  return effects;
}
