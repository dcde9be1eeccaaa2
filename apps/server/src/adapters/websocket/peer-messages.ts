import { readServerMessage, type ServerMessage } from '@keyturn/pusher-protocol';
import type { BoundSession } from '../../live/channels/ports.ts';

/** The messages between the servers of an installation. Any message shows that its sender is alive. */
export interface PeerMessage {
  /** The sender is new, or has discarded the state of all others: it needs their whole state. */
  hello?: true;
  /** The sender stops. */
  bye?: true;
  /** The name of a server that must send its whole state again. */
  resend?: string;
  /** The sender could not send all of its messages. */
  lost?: true;
  message?: ServerMessage;
  /** A session has authorised a connection that is not on the sending server. */
  bound?: { socketId: string } & BoundSession;
  /** The number of the sender's last message that is neither a heartbeat nor about its state. */
  last?: number;
  /** The sender has missed the messages of a server after this number. */
  missed?: { from: string; after: number };
  /** A server can no longer receive the messages before this number. */
  gone?: { to: string; last: number };
}

/** A message with the name of its sender and, unless it is a heartbeat or about its state, its number. */
export type ReceivedMessage = PeerMessage & { from: string; number?: number };

/** Writes a message of the server `from`. */
export const writePeerMessage = (from: string, message: PeerMessage, number?: number): string =>
  JSON.stringify({ from, ...(number === undefined ? {} : { number }), ...message });

/** Tells whether a server has written this message, without parsing it. */
export const isFrom = (server: string, text: string): boolean => text.startsWith(`{"from":"${server}"`);

/**
 * Parses a message of another server.
 *
 * @returns undefined if it is not valid: it is dropped, because only servers can write to the database that carries it
 */
export function readPeerMessage(text: string): ReceivedMessage | undefined {
  try {
    const { from, number, hello, bye, resend, lost, message, bound, last, missed, gone } = JSON.parse(text);
    if (typeof from !== 'string') return undefined;
    const serverMessage = message === undefined ? undefined : readServerMessage(JSON.stringify(message));
    return {
      from,
      ...(hello === true ? { hello } : {}),
      ...(bye === true ? { bye } : {}),
      ...(typeof resend === 'string' ? { resend } : {}),
      ...(lost === true ? { lost } : {}),
      ...(serverMessage ? { message: serverMessage } : {}),
      ...(isBinding(bound) ? { bound } : {}),
      ...(Number.isSafeInteger(number) ? { number } : {}),
      ...(Number.isSafeInteger(last) ? { last } : {}),
      ...(typeof missed?.from === 'string' && Number.isSafeInteger(missed.after) ? { missed } : {}),
      ...(typeof gone?.to === 'string' && Number.isSafeInteger(gone.last) ? { gone } : {}),
    };
  } catch {
    return undefined;
  }
}

function isBinding(value: unknown): value is { socketId: string } & BoundSession {
  if (typeof value !== 'object' || value === null) return false;
  const { socketId, session, clientId } = value as Record<string, unknown>;
  return [socketId, session, clientId].every((text) => typeof text === 'string');
}
