import { classifyChannel } from '../channels/channel-names.ts';
import { isSocketId } from '../connection/socket-ids.ts';
import { defaultLimits } from '../limits.ts';
import { isJsonObject, parseJson, readField } from '../messages/parse-json.ts';
import { type App, signChannel, signUser } from './signatures.ts';

/** A body of `/broadcasting/auth` or `/broadcasting/user-auth`, as it came. */
export interface AuthRequestBody {
  /** The header: form-encoded (pusher-js) and JSON (custom authorisers) are understood. */
  contentType: string | undefined;
  text: string;
}

export interface AuthResponse {
  /** 200 and nothing else is a yes for pusher-js. */
  status: 200 | 400 | 403;
  /** JSON text; a refusal is `{"message": "…"}`. */
  body: string;
  /** The connection that was authorised; null in a refusal. */
  socketId: string | null;
}

/**
 * Whether somebody may listen to a channel: no, yes, or on a presence channel as whom. What is known of the user is
 * shown to all members.
 */
export type ChannelDecision = false | true | { userId: string; userInfo?: unknown };

/**
 * Answers `POST /broadcasting/auth`: reads the body, asks the caller's rule, signs. Who is asking, and that it is no
 * forged request of another page (CSRF), is for the caller to know before.
 *
 * @param decide gets the whole name, `private-case.9`, of a private or presence channel; what it throws comes out
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
  if (typeof socketId !== 'string' || !isSocketId(socketId))
    return refuse(400, 'The socket_id is not valid.');
  if (typeof channel !== 'string') return refuse(400, 'The channel_name is not valid.');
  const kind = classifyChannel(channel, limits);
  if (kind === 'invalid') return refuse(400, 'The channel_name is not valid.');
  if (kind !== 'private' && kind !== 'presence') return refuse(403, 'Nobody is authorised for this channel.');
  const decision = await decide(channel);
  if (decision === false) return refuse(403, 'You may not listen to this channel.');
  if (kind === 'private') return authorised(socketId, signChannel(app, socketId, channel));
  if (decision === true) throw new TypeError('a presence channel needs to know its user');
  const channelData = JSON.stringify({ user_id: decision.userId, user_info: decision.userInfo });
  if (decision.userId.length > limits.userIdLength || Buffer.byteLength(channelData) > limits.userBytes) {
    throw new RangeError('what is known of the user is too long for a presence channel');
  }
  return authorised(socketId, signChannel(app, socketId, channel, channelData));
}

/**
 * Answers `POST /broadcasting/user-auth`, whose body has only the socket id.
 *
 * @param user who is asking; `userInfo` is shown on presence channels that are not told otherwise. Null: nobody.
 */
export function authoriseUser(
  app: App,
  body: AuthRequestBody,
  user: { id: string; userInfo?: unknown } | null,
): AuthResponse {
  const socketId = readFields(body)?.('socket_id');
  if (typeof socketId !== 'string' || !isSocketId(socketId))
    return refuse(400, 'The socket_id is not valid.');
  if (user === null) return refuse(403, 'You are not signed in.');
  return authorised(
    socketId,
    signUser(app, socketId, JSON.stringify({ id: user.id, user_info: user.userInfo })),
  );
}

/** @returns undefined for what is neither a form nor a JSON object */
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

function refuse(status: 400 | 403, message: string): AuthResponse {
  return { status, body: JSON.stringify({ message }), socketId: null };
}
