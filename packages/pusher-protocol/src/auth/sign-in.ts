import { closeCodes } from '../connection/close-codes.ts';
import type { Connection } from '../connection/connection.ts';
import type { Effect } from '../effects.ts';
import type { ClientFrame } from '../messages/client-frames.ts';
import { parseJson, readField } from '../messages/parse-json.ts';
import { errorFrame, signInSucceeded } from '../messages/server-frames.ts';
import { type ChannelRegistry, closeConnection, sendTo } from '../registry.ts';
import { isValidUserAuth } from './signatures.ts';

/**
 * A client says who it is. A wrong signature is told and does not close, where other servers close for good:
 * pusher-js sends the signature of its last connection when it reconnects while the auth endpoint is still answering,
 * and would stay away for ever because of it. It signs in anew right afterwards.
 */
export function signIn(
  registry: ChannelRegistry,
  connection: Connection,
  request: Extract<ClientFrame, { kind: 'sign-in' }>,
): Effect[] {
  const { socketId } = connection;
  if (!isValidUserAuth(registry.app, request.auth, socketId, request.userData)) {
    return refuse(socketId, 'The signature is not valid for this connection.');
  }
  const user = readUserData(request.userData, registry.limits);
  if (!user) return refuse(socketId, 'The user_data must have an id, a text, and not be too long.');
  if (connection.user && connection.user.id !== user.id) {
    return refuse(socketId, 'Another user is signed in on this connection.');
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

/** `info` is what a presence channel shows of the user when its own data names nobody. */
function readUserData(
  text: string,
  limits: ChannelRegistry['limits'],
): { id: string; info: string } | undefined {
  if (Buffer.byteLength(text) > limits.userBytes) return undefined;
  const parsed = parseJson(text, limits.jsonDepth);
  const id = readField(parsed?.value, 'id');
  if (typeof id !== 'string' || id === '' || id.length > limits.userIdLength || !id.isWellFormed()) {
    return undefined;
  }
  return { id, info: JSON.stringify(readField(parsed?.value, 'user_info') ?? null) };
}

function refuse(socketId: string, message: string): Effect[] {
  return [sendTo(socketId, errorFrame(closeCodes.unauthorised, message))];
}
