import { randomInt } from 'node:crypto';

/**
 * A new name for a connection. It is unguessable, because it is part of what is signed: who knows the socket id of
 * another could ask for signatures in its name.
 */
export function createSocketId(): string {
  return `${randomInt(1, largest)}.${randomInt(1, largest)}`;
}

/** Whether a text has the shape of a socket id: two numbers, and no `:` that could move the parts of what is signed. */
export function isSocketId(text: string): boolean {
  return text.length <= 40 && /^\d+\.\d+$/.test(text);
}

/** What `randomInt` reaches at most. */
const largest = 2 ** 48 - 1;
