import { randomInt } from 'node:crypto';

/**
 * Creates the id of a new connection. It is unguessable because signatures contain it: a client that knew another's
 * socket id could request signatures for that connection.
 */
export function createSocketId(): string {
  return `${randomInt(1, maxPart)}.${randomInt(1, maxPart)}`;
}

/** Tells whether a text has the form of a socket id: two numbers, without the `:` that separates signed parts. */
export function isSocketId(text: string): boolean {
  return text.length <= 40 && /^\d+\.\d+$/.test(text);
}

/** The maximum of `randomInt`. */
const maxPart = 2 ** 48 - 1;
