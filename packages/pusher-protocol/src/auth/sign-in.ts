import { readSignedUser } from '../channels/presence.ts';
import { closeCodes } from '../connection/close-codes.ts';
import type { Connection } from '../connection/connection.ts';
import { closeConnection } from '../connection/open-and-close.ts';
import { type Effect, sendTo } from '../effects.ts';
import type { ClientFrame } from '../messages/client-frames.ts';
import { errorFrame, signInSucceeded } from '../messages/server-frames.ts';
import type { ChannelRegistry } from '../registry.ts';
import { isValidUserAuth } from './signatures.ts';

/**
 * Signs a user in on a connection. Unlike other servers, this one keeps the connection open after a wrong signature:
 * a reconnecting pusher-js sends the signature of its last connection while the auth endpoint is still responding,
 * and signs in correctly right afterwards. Closing would keep it away permanently.
 */
export function signIn(
  registry: ChannelRegistry,
  connection: Connection,
  request: Extract<ClientFrame, { kind: 'sign-in' }>,
): Effect[] {
  const { socketId } = connection;
  if (!isValidUserAuth(registry.app, request.auth, socketId, request.userData)) {
    return reject(socketId, 'The signature is not valid for this connection.');
  }
  const user = readSignedUser(request.userData, 'id', registry.limits);
  if (!user) return reject(socketId, 'The user_data must have an id and must not be too long.');
  if (connection.user && connection.user.id !== user.id) {
    return reject(socketId, 'Another user is signed in on this connection.');
  }
  const sockets = registry.users.get(user.id) ?? new Set();
  if (!sockets.has(socketId) && sockets.size >= registry.limits.connectionsPerUser) {
    const { tooManyConnections } = closeCodes;
    return closeConnection(registry, socketId, tooManyConnections, 'This user has too many connections.');
  }
  registry.users.set(user.id, sockets.add(socketId));
  connection.user = user;
  return [sendTo(socketId, signInSucceeded(request.userData))];
}

function reject(socketId: string, message: string): Effect[] {
  return [sendTo(socketId, errorFrame(closeCodes.unauthorised, message))];
}
