import type { Publication } from '../channels/publication.ts';
import { parseJson, readField } from '../messages/parse-json.ts';

/** A message from one server to all others: plain data, sent as JSON over any transport. */
export type ServerMessage =
  | ({ kind: 'event' } & Publication)
  /** The user has opened a first connection to the sending server. `info` is JSON text. */
  | { kind: 'member-joined'; channel: string; userId: string; info: string }
  /** The user's last connection to the sending server has closed. */
  | { kind: 'member-left'; channel: string; userId: string }
  | { kind: 'terminate-user'; userId: string; code: number };

/**
 * Parses the JSON text of a message from another server. Never throws.
 *
 * @returns undefined if the message is not valid
 */
export function readServerMessage(text: string): ServerMessage | undefined {
  const value = parseJson(text, 3)?.value;
  const readString = (name: string) => {
    const field = readField(value, name);
    return typeof field === 'string' ? field : undefined;
  };
  const kind = readString('kind');
  const userId = readString('userId');
  const channel = readString('channel');
  if (kind === 'event') {
    const channels = readField(value, 'channels');
    const event = readString('event');
    const data = readString('data');
    if (!isStringArray(channels) || event === undefined || data === undefined) return undefined;
    return { kind, channels, event, data, except: readString('except') ?? null, userId: userId ?? null };
  }
  if (userId === undefined) return undefined;
  if (kind === 'terminate-user') {
    const code = readField(value, 'code');
    return isAllowedCloseCode(code) ? { kind, userId, code } : undefined;
  }
  if (channel === undefined) return undefined;
  if (kind === 'member-left') return { kind, channel, userId };
  const info = readString('info');
  if (kind !== 'member-joined' || info === undefined || !parseJson(info, 100)) return undefined;
  return { kind, channel, userId, info };
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

/** Only codes that WebSocket allows, without 4200 to 4299: after those clients would reconnect immediately. */
function isAllowedCloseCode(value: unknown): value is number {
  const code = Number.isInteger(value) ? (value as number) : 0;
  return code === 1000 || code === 1001 || (code >= 3000 && code <= 4999 && !(code >= 4200 && code < 4300));
}
