import { createHmac, timingSafeEqual } from 'node:crypto';
import { classifyChannel } from '../channels/channel-names.ts';
import { isSocketId } from '../connection/socket-ids.ts';

/** The credentials of an app: clients send the key, servers sign with the secret. */
export interface App {
  id: string;
  /** Public: part of the page. */
  key: string;
  secret: string;
}

/**
 * Signs a subscription to a private or presence channel: the response of the channel auth endpoint.
 *
 * @param channelData on a presence channel the JSON text `{"user_id": …, "user_info": …}`; the client must send it to
 *   the server unchanged, byte for byte
 * @throws RangeError if the socket id or the channel name is not valid. Signing any text would be dangerous: for the
 *   "channel" `:user::{"id":"7"}` the signature would sign in user 7.
 */
export function signChannel(
  app: App,
  socketId: string,
  channel: string,
  channelData: string | null = null,
): { auth: string; channel_data?: string } {
  requireSocketId(socketId);
  const kind = classifyChannel(channel, noLengthLimits);
  if (kind !== 'private' && kind !== 'presence')
    throw new RangeError('only private and presence channels are signed');
  const auth = `${app.key}:${hmac(app, channelText(socketId, channel, channelData))}`;
  return channelData === null ? { auth } : { auth, channel_data: channelData };
}

/** Verifies `auth` (`key:signature`) of a subscription, in constant time. */
export function isValidChannelAuth(
  app: App,
  auth: string,
  socketId: string,
  channel: string,
  channelData: string | null,
): boolean {
  return isValidAuth(app, auth, channelText(socketId, channel, channelData));
}

/**
 * Signs a user's sign-in on a connection: the response of the user auth endpoint.
 *
 * @param userData the JSON text `{"id": "…", …}`
 * @throws RangeError if the socket id is not valid
 */
export function signUser(app: App, socketId: string, userData: string): { auth: string; user_data: string } {
  requireSocketId(socketId);
  return { auth: `${app.key}:${hmac(app, userText(socketId, userData))}`, user_data: userData };
}

/** Verifies `auth` (`key:signature`) of a sign-in, in constant time. */
export function isValidUserAuth(app: App, auth: string, socketId: string, userData: string): boolean {
  return isValidAuth(app, auth, userText(socketId, userData));
}

/** Computes the HMAC-SHA256 of a text with the app's secret, in lower-case hex. */
export function hmac(app: App, text: string): string {
  return createHmac('sha256', app.secret).update(text, 'utf8').digest('hex');
}

/** Compares two signatures in constant time. */
export function signaturesMatch(actual: string, expected: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(actual)) return false;
  return timingSafeEqual(Buffer.from(actual, 'latin1'), Buffer.from(expected, 'latin1'));
}

function isValidAuth(app: App, auth: string, text: string): boolean {
  const colon = auth.indexOf(':');
  if (colon < 0 || auth.slice(0, colon) !== app.key) return false;
  return signaturesMatch(auth.slice(colon + 1), hmac(app, text));
}

function channelText(socketId: string, channel: string, channelData: string | null): string {
  return channelData === null ? `${socketId}:${channel}` : `${socketId}:${channel}:${channelData}`;
}

function userText(socketId: string, userData: string): string {
  return `${socketId}::user::${userData}`;
}

function requireSocketId(socketId: string): void {
  if (!isSocketId(socketId)) throw new RangeError('invalid socket id');
}

/** The server that verifies the signature applies its own limits. */
const noLengthLimits = {
  channelNameLength: Number.POSITIVE_INFINITY,
  userIdLength: Number.POSITIVE_INFINITY,
};
