import type { Publication } from '../channels/publication.ts';
import { parseJson, readField } from '../messages/parse-json.ts';

/** A message from one server to all others: plain data, sent as JSON over any transport. */
export type ServerMessage =
  | ({ kind: 'event' } & Publication)
  /**
   * Users who have opened a first connection to the sending server, each with the JSON text of their public details,
   * and users whose last connection to it has closed.
   */
  | { kind: 'members'; channel: string; joined: [string, string][]; left: string[] }
  /** Numbers of subscriptions on the sending server that have changed, by channel. */
  | { kind: 'sizes'; channels: [string, number][] }
  /** The whole state of the sending server follows, in messages of the two kinds above. */
  | { kind: 'state-start' }
  | { kind: 'state-end' }
  /**
   * The sending server is alive. `digest` is that of everything it has announced; null while it sends its whole state.
   * `connections` is its number of connections.
   */
  | { kind: 'heartbeat'; digest: string | null; connections: number }
  | { kind: 'terminate-user'; userId: string; code: number };

/**
 * Parses the JSON text of a message from another server. Never throws.
 *
 * @returns undefined if the message is not valid
 */
export function readServerMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text, 4)?.value;
  const kind = readField(value, 'kind');
  return typeof kind === 'string' && kind in readers
    ? readers[kind as ServerMessage['kind']](value)
    : undefined;
}

const readers: Record<ServerMessage['kind'], (value: unknown) => ServerMessage | undefined> = Object.assign(
  Object.create(null),
  {
    event: readEvent,
    members: readMembers,
    sizes: (value: unknown) => {
      const channels = readField(value, 'channels');
      return isArrayOf(channels, isSize) ? { kind: 'sizes', channels } : undefined;
    },
    'state-start': () => ({ kind: 'state-start' }),
    'state-end': () => ({ kind: 'state-end' }),
    heartbeat: (value: unknown) => {
      const digest = readField(value, 'digest');
      const connections = readField(value, 'connections');
      const isValid = (digest === null || typeof digest === 'string') && isCount(connections);
      return isValid ? { kind: 'heartbeat', digest, connections } : undefined;
    },
    'terminate-user': (value: unknown) => {
      const userId = readField(value, 'userId');
      const code = readField(value, 'code');
      return typeof userId === 'string' && isAllowedCloseCode(code)
        ? { kind: 'terminate-user', userId, code }
        : undefined;
    },
  },
);

function readEvent(value: unknown): ServerMessage | undefined {
  const readString = (name: string) => {
    const field = readField(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const channels = readField(value, 'channels');
  const event = readString('event');
  const data = readString('data');
  if (!isArrayOf(channels, isString) || event === undefined || data === undefined) return undefined;
  const except = readString('except') ?? null;
  return { kind: 'event', channels, event, data, except, userId: readString('userId') ?? null };
}

function readMembers(value: unknown): ServerMessage | undefined {
  const channel = readField(value, 'channel');
  const joined = readField(value, 'joined');
  const left = readField(value, 'left');
  if (typeof channel !== 'string' || !isArrayOf(joined, isMember) || !isArrayOf(left, isString))
    return undefined;
  return { kind: 'members', channel, joined, left };
}

function isArrayOf<T>(value: unknown, isEntry: (entry: unknown) => entry is T): value is T[] {
  return Array.isArray(value) && value.every(isEntry);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A user id and valid JSON text. */
function isMember(value: unknown): value is [string, string] {
  return isArrayOf(value, isString) && value.length === 2 && parseJson(value[1] ?? '', 100) !== undefined;
}

/** A channel and its number of subscriptions. */
function isSize(value: unknown): value is [string, number] {
  return Array.isArray(value) && value.length === 2 && isString(value[0]) && isCount(value[1]);
}

/** Only codes that WebSocket allows, without 4200 to 4299: after those clients would reconnect immediately. */
function isAllowedCloseCode(value: unknown): value is number {
  const code = Number.isInteger(value) ? (value as number) : 0;
  return code === 1000 || code === 1001 || (code >= 3000 && code <= 4999 && !(code >= 4200 && code < 4300));
}
