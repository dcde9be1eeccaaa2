import { createHmac, timingSafeEqual } from 'node:crypto';
import { classifyChannel } from '../channels/channel-names.ts';
import { isSocketId } from '../connection/socket-ids.ts';

/** Who may speak: clients name the key, servers sign with the secret. */
export interface App {
  id: string;
  /** Public: it stands in the page. */
  key: string;
  secret: string;
}

/**
 * Allows a connection to listen to a private or presence channel: the answer of the channel auth endpoint.
 *
 * @param channelData on a presence channel the JSON text `{"user_id": …, "user_info": …}`; it must reach the server
 *   as it is, byte for byte
 * @throws RangeError for a socket id or a channel name that could make the signature mean something else: for the
 *   "channel" `:user::{"id":"7"}` it would be the sign-in of user 7
 */
export function signChannel(
  app: App,
  socketId: string,
  channel: string,
  channelData: string | null = null,
): { auth: string; channel_data?: string } {
  requireSocketId(socketId);
  const kind = classifyChannel(channel, anyLength);
  if (kind !== 'private' && kind !== 'presence') throw new RangeError('not a channel that is signed');
  const auth = `${app.key}:${hmac(app, channelText(socketId, channel, channelData))}`;
  return channelData === null ? { auth } : { auth, channel_data: channelData };
}

/** Whether `auth` (`key:signature`) allows this connection to listen. Takes the same time however wrong it is. */
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
 * Says who is behind a connection: the answer of the user auth endpoint.
 *
 * @param userData the JSON text `{"id": "…", …}`
 * @throws RangeError for a socket id that is none
 */
export function signUser(app: App, socketId: string, userData: string): { auth: string; user_data: string } {
  requireSocketId(socketId);
  return { auth: `${app.key}:${hmac(app, userText(socketId, userData))}`, user_data: userData };
}

/** Whether `auth` (`key:signature`) says that this connection is this user's. */
export function isValidUserAuth(app: App, auth: string, socketId: string, userData: string): boolean {
  return isValidAuth(app, auth, userText(socketId, userData));
}

/** HMAC-SHA256 with the app's secret, lower-case hex. */
export function hmac(app: App, text: string): string {
  return createHmac('sha256', app.secret).update(text, 'utf8').digest('hex');
}

/** Compares two signatures in a time that does not tell how much of them is right. */
export function signaturesMatch(given: string, expected: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'));
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
  if (!isSocketId(socketId)) throw new RangeError('not a socket id');
}

/** Names are signed whatever their length; the server that they are shown to has its own limit. */
const anyLength = { channelNameLength: Number.POSITIVE_INFINITY, userIdLength: Number.POSITIVE_INFINITY };
