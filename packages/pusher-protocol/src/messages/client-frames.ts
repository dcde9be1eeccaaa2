import { isJsonObject, parseJson, readField } from './parse-json.ts';

export type ClientFrame =
  | { kind: 'ping' }
  | { kind: 'pong' }
  /** `auth` is `key:signature` or empty. `channelData` is the signed text, unparsed. */
  | { kind: 'subscribe'; channel: string; auth: string; channelData: string | null }
  | { kind: 'unsubscribe'; channel: string }
  | { kind: 'sign-in'; auth: string; userData: string }
  /** `data` is what subscribers receive: strings stay as they are, other values become JSON text. */
  | { kind: 'client-event'; event: string; channel: string; data: string }
  /** An event that only servers send, such as `pusher_internal:…`. */
  | { kind: 'ignored' }
  | { kind: 'malformed'; reason: string };

/**
 * Parses a client's frame. `data` may be an object, as pusher-js sends it, or JSON text, as
 * Pusher's documentation shows it. Never throws.
 */
export function readClientFrame(text: string, jsonDepth: number): ClientFrame {
  const parsed = parseJson(text, jsonDepth);
  if (!parsed) return malformed('The frame is not JSON, or its nesting is too deep.');
  if (!isJsonObject(parsed.value)) return malformed('The frame must be an object.');
  const event = readField(parsed.value, 'event');
  if (typeof event !== 'string' || event === '') return malformed('The event must be a non-empty string.');
  if (event === 'pusher:ping') return { kind: 'ping' };
  if (event === 'pusher:pong') return { kind: 'pong' };
  if (event.startsWith('client-')) return readClientEvent(event, parsed.value);
  if (!(event in readers)) return { kind: 'ignored' };
  const data = readData(readField(parsed.value, 'data'), jsonDepth);
  if (data === undefined) return malformed('The data must be an object, or the JSON text of an object.');
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
  if (!isWellFormedString(channel)) return malformed('The channel must be a string.');
  if (!isWellFormedString(auth)) return malformed('The auth must be a string.');
  if (channelData !== null && !isWellFormedString(channelData)) {
    return malformed('The channel_data must be a string.');
  }
  return { kind: 'subscribe', channel, auth, channelData };
}

function readUnsubscribe(data: unknown): ClientFrame {
  const channel = readField(data, 'channel');
  return isWellFormedString(channel)
    ? { kind: 'unsubscribe', channel }
    : malformed('The channel must be a string.');
}

function readSignIn(data: unknown): ClientFrame {
  const auth = readField(data, 'auth');
  const userData = readField(data, 'user_data');
  if (!isWellFormedString(auth)) return malformed('The auth must be a string.');
  return isWellFormedString(userData)
    ? { kind: 'sign-in', auth, userData }
    : malformed('The user_data must be a string.');
}

function readClientEvent(event: string, frame: unknown): ClientFrame {
  const channel = readField(frame, 'channel');
  const data = readField(frame, 'data') ?? null;
  if (!isWellFormedString(event) || !isWellFormedString(channel)) {
    return malformed('The channel must be a string.');
  }
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

/** Lone surrogates become U+FFFD in UTF-8, so two different strings would have the same signature. */
function isWellFormedString(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function malformed(reason: string): ClientFrame {
  return { kind: 'malformed', reason };
}
