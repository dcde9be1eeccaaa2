import { classifyChannel } from '../channels/channel-names.ts';
import { isSocketId } from '../connection/socket-ids.ts';
import { defaultLimits } from '../limits.ts';
import { isJsonObject, parseJson, readField } from '../messages/parse-json.ts';
import { type App, signChannel, signUser } from './signatures.ts';

/** The unparsed body of a request to `/broadcasting/auth` or `/broadcasting/user-auth`. */
export interface AuthRequestBody {
  /** The header. Form-encoded (pusher-js) and JSON (custom authorisers) are supported. */
  contentType: string | undefined;
  text: string;
}

export interface AuthResponse {
  /** pusher-js accepts only 200. */
  status: 200 | 400 | 403;
  /** JSON text; a rejection is `{"message": "…"}`. */
  body: string;
  /** The authorised connection; null after a rejection. */
  socketId: string | null;
}

/** Whether a user may subscribe: false, true, or for a presence channel the details that all members will see. */
export type ChannelDecision = false | true | { userId: string; userInfo?: unknown };

/**
 * Handles `POST /broadcasting/auth`: reads the body, calls `decide` and signs the subscription. The caller must have
 * authenticated the request and checked it for CSRF.
 *
 * @param decide receives the full name of a private or presence channel, such as `private-case.9`
 * @throws whatever `decide` throws
 */
export async function authoriseChannel(
  app: App,
  body: AuthRequestBody,
  decide: (channel: string) => ChannelDecision | Promise<ChannelDecision>,
  limits: { channelNameLength: number; userIdLength: number; userBytes: number } = defaultLimits,
): Promise<AuthResponse> {
  const fields = readFields(body);
  const socketId = fields?.('socket_id');
  const channel = fields?.('channel_name');
  if (typeof socketId !== 'string' || !isSocketId(socketId)) return reject(400, 'The socket_id is invalid.');
  if (typeof channel !== 'string') return reject(400, 'The channel_name is invalid.');
  const kind = classifyChannel(channel, limits);
  if (kind === 'invalid') return reject(400, 'The channel_name is invalid.');
  if (kind !== 'private' && kind !== 'presence')
    return reject(403, 'This channel does not use authorisation.');
  const decision = await decide(channel);
  if (decision === false) return reject(403, 'You may not subscribe to this channel.');
  if (kind === 'private') return authorised(socketId, signChannel(app, socketId, channel));
  if (decision === true) throw new TypeError('a presence channel needs a user, not true');
  const channelData = JSON.stringify({ user_id: decision.userId, user_info: decision.userInfo });
  if (decision.userId.length > limits.userIdLength || Buffer.byteLength(channelData) > limits.userBytes) {
    throw new RangeError('the user details are too long for a presence channel');
  }
  return authorised(socketId, signChannel(app, socketId, channel, channelData));
}

/**
 * Handles `POST /broadcasting/user-auth`, whose body contains only the socket id.
 *
 * @param user the authenticated user, or null. Presence channels without `channel_data` show `userInfo`.
 */
export function authoriseUser(
  app: App,
  body: AuthRequestBody,
  user: { id: string; userInfo?: unknown } | null,
): AuthResponse {
  const socketId = readFields(body)?.('socket_id');
  if (typeof socketId !== 'string' || !isSocketId(socketId)) return reject(400, 'The socket_id is invalid.');
  if (user === null) return reject(403, 'You are not signed in.');
  return authorised(
    socketId,
    signUser(app, socketId, JSON.stringify({ id: user.id, user_info: user.userInfo })),
  );
}

/** Returns a reader of the body's fields; undefined if the body is neither a form nor a JSON object. */
function readFields({ contentType, text }: AuthRequestBody): ((name: string) => unknown) | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') {
    const value = parseJson(text, defaultLimits.jsonDepth)?.value;
    return isJsonObject(value) ? (name) => readField(value, name) : undefined;
  }
  if (type !== 'application/x-www-form-urlencoded') return undefined;
  const form = new URLSearchParams(text);
  return (name) => {
    const values = form.getAll(name);
    return values.length === 1 ? values[0] : undefined;
  };
}

function authorised(socketId: string, body: object): AuthResponse {
  return { status: 200, body: JSON.stringify(body), socketId };
}

function reject(status: 400 | 403, message: string): AuthResponse {
  return { status, body: JSON.stringify({ message }), socketId: null };
}
