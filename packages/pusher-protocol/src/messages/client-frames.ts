import { isJsonObject, parseJson, readField } from './parse-json.ts';

export type ClientFrame =
  | { kind: 'ping' }
  | { kind: 'pong' }
  /** `auth` is `key:signature`, or empty; `channelData` the text that was signed, not what it says. */
  | { kind: 'subscribe'; channel: string; auth: string; channelData: string | null }
  | { kind: 'unsubscribe'; channel: string }
  | { kind: 'sign-in'; auth: string; userData: string }
  /** `data` is what others get: text stays as it is, anything else becomes JSON text. */
  | { kind: 'client-event'; event: string; channel: string; data: string }
  /** Nothing that a client has to say: `pusher_internal:…`, an event of the server's. */
  | { kind: 'ignored' }
  | { kind: 'malformed'; reason: string };

/**
 * Reads what a client sent, which may be anything at all. `data` may be an object, as pusher-js sends it, or JSON
 * text, as the protocol's page shows it. Never throws.
 */
export function readClientFrame(text: string, jsonDepth: number): ClientFrame {
  const parsed = parseJson(text, jsonDepth);
  if (!parsed) return malformed('Not JSON, or nested too deep.');
  if (!isJsonObject(parsed.value)) return malformed('A frame must be an object.');
  const event = readField(parsed.value, 'event');
  if (typeof event !== 'string' || event === '') return malformed('A frame must name its event.');
  if (event === 'pusher:ping') return { kind: 'ping' };
  if (event === 'pusher:pong') return { kind: 'pong' };
  if (event.startsWith('client-')) return readClientEvent(event, parsed.value);
  if (!(event in readers)) return { kind: 'ignored' };
  const data = readData(readField(parsed.value, 'data'), jsonDepth);
  if (data === undefined) return malformed('The data must be an object, or the JSON text of one.');
  return readers[event as keyof typeof readers](data);
}

const readers = Object.assign(Object.create(null) as object, {
  'pusher:subscribe': readSubscribe,
  'pusher:unsubscribe': readUnsubscribe,
  'pusher:signin': readSignIn,
});

function readSubscribe(data: unknown): ClientFrame {
  const channel = readField(data, 'channel');
  const auth = readField(data, 'auth') ?? '';
  const channelData = readField(data, 'channel_data') ?? null;
  if (!isWellFormedString(channel)) return malformed('The channel must be a text.');
  if (!isWellFormedString(auth)) return malformed('The auth must be a text.');
  if (channelData !== null && !isWellFormedString(channelData))
    return malformed('The channel_data must be a text.');
  return { kind: 'subscribe', channel, auth, channelData };
}

function readUnsubscribe(data: unknown): ClientFrame {
  const channel = readField(data, 'channel');
  return isWellFormedString(channel)
    ? { kind: 'unsubscribe', channel }
    : malformed('The channel must be a text.');
}

function readSignIn(data: unknown): ClientFrame {
  const auth = readField(data, 'auth');
  const userData = readField(data, 'user_data');
  if (!isWellFormedString(auth)) return malformed('The auth must be a text.');
  return isWellFormedString(userData)
    ? { kind: 'sign-in', auth, userData }
    : malformed('The user_data must be a text.');
}

function readClientEvent(event: string, frame: unknown): ClientFrame {
  const channel = readField(frame, 'channel');
  const data = readField(frame, 'data') ?? null;
  if (!isWellFormedString(event) || !isWellFormedString(channel))
    return malformed('The channel must be a text.');
  return {
    kind: 'client-event',
    event,
    channel,
    data: isWellFormedString(data) ? data : JSON.stringify(data),
  };
}

function readData(data: unknown, jsonDepth: number): unknown {
  const value = typeof data === 'string' ? parseJson(data, jsonDepth)?.value : data;
  return isJsonObject(value) ? value : undefined;
}

/** Half of a surrogate pair becomes another character in UTF-8: two such texts would have one signature. */
function isWellFormedString(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function malformed(reason: string): ClientFrame {
  return { kind: 'malformed', reason };
}
