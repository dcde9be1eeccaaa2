import { classifyChannel } from '../channels/channel-names.ts';
import { isSocketId } from '../connection/socket-ids.ts';
import { defaultLimits, type Limits } from '../limits.ts';
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
  /**
   * JSON text; a rejection is `{"message": "…"}`. For a list of channels `{"channels": {"private-a": {"status": 200,
   * "auth": "…"}, …}}`, each with its own status.
   */
  body: string;
  /** The authorised connection; null after a rejection. */
  socketId: string | null;
}

/** Whether a user may subscribe: false, true, or for a presence channel the details that all members will see. */
export type ChannelDecision = false | true | { userId: string; userInfo?: unknown };

/**
 * Handles `POST /broadcasting/auth`: reads the body, calls `decide` and signs the subscription. A JSON body may have
 * a list as `channel_name`, so that a client who returns needs one request for all of its channels. The caller must
 * have authenticated the request and checked it for CSRF.
 *
 * @param decide receives the full name of a private or presence channel, such as `private-case.9`
 * @throws the errors of `decide`
 */
export async function authoriseChannel(
  app: App,
  body: AuthRequestBody,
  decide: (channel: string) => ChannelDecision | Promise<ChannelDecision>,
  limits: ChannelAuthLimits = defaultLimits,
): Promise<AuthResponse> {
  const fields = readFields(body);
  const socketId = fields?.('socket_id');
  const requested = fields?.('channel_name');
  if (typeof socketId !== 'string' || !isSocketId(socketId)) return reject(400, 'The socket_id is invalid.');
  const authorise = (channel: unknown) => decideAndSign(app, { socketId, channel }, decide, limits);
  if (!Array.isArray(requested)) {
    const { status, ...answer } = await authorise(requested);
    return { status, body: JSON.stringify(answer), socketId: status === 200 ? socketId : null };
  }
  const names = new Set<unknown>(requested);
  if (names.size === 0 || names.size > limits.channelsPerConnection) {
    return reject(400, `The list must have 1 to ${limits.channelsPerConnection} channels.`);
  }
  const channels: [string, ChannelAnswer][] = [];
  for (const name of names) {
    if (typeof name !== 'string') return reject(400, 'The channel_name is invalid.');
    channels.push([name, await authorise(name)]);
  }
  const isAuthorised = channels.some(([, { status }]) => status === 200);
  return {
    status: 200,
    body: JSON.stringify({ channels: Object.fromEntries(channels) }),
    socketId: isAuthorised ? socketId : null,
  };
}

type ChannelAuthLimits = Pick<
  Limits,
  'channelNameLength' | 'userIdLength' | 'userBytes' | 'channelsPerConnection'
>;

type ChannelAnswer =
  | { status: 200; auth: string; channel_data?: string }
  | { status: 400 | 403; message: string };

async function decideAndSign(
  app: App,
  { socketId, channel }: { socketId: string; channel: unknown },
  decide: (channel: string) => ChannelDecision | Promise<ChannelDecision>,
  limits: ChannelAuthLimits,
): Promise<ChannelAnswer> {
  const kind = typeof channel === 'string' ? classifyChannel(channel, limits) : 'invalid';
  if (typeof channel !== 'string' || kind === 'invalid') {
    return { status: 400, message: 'The channel_name is invalid.' };
  }
  if (kind !== 'private' && kind !== 'presence') {
    return { status: 403, message: 'This channel does not use authorisation.' };
  }
  const decision = await decide(channel);
  if (decision === false) return { status: 403, message: 'You may not subscribe to this channel.' };
  if (kind === 'private') return { status: 200, ...signChannel(app, socketId, channel) };
  if (decision === true) throw new TypeError('a presence channel needs a user, not true');
  const channelData = JSON.stringify({ user_id: decision.userId, user_info: decision.userInfo });
  if (decision.userId.length > limits.userIdLength || Buffer.byteLength(channelData) > limits.userBytes) {
    throw new RangeError('the user details are too long for a presence channel');
  }
  return { status: 200, ...signChannel(app, socketId, channel, channelData) };
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
  const signed = signUser(app, socketId, JSON.stringify({ id: user.id, user_info: user.userInfo }));
  return { status: 200, body: JSON.stringify(signed), socketId };
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

function reject(status: 400 | 403, message: string): AuthResponse {
  return { status, body: JSON.stringify({ message }), socketId: null };
}
