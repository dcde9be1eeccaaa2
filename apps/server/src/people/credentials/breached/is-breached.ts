import { hash } from 'node:crypto';
import { breachedHashes } from './breached-hashes.ts';

/** Bytes of the SHA-256 that the list has of each password: one in 25 million others has the same. */
const hashLength = 5;

let decoded: Buffer | undefined;

/**
 * Tells whether a password is one of the 44,000 that attackers try first, of those with 12 characters or more: the most
 * frequent in stolen data, from the list “10 million passwords” of Mark Burnett, published by SecLists. Case does not
 * count.
 */
export function isBreached(password: string): boolean {
  decoded ??= Buffer.from(breachedHashes, 'base64');
  const sought = hash('sha256', password.normalize('NFC').toLowerCase(), 'buffer').subarray(0, hashLength);
  let low = 0;
  let high = decoded.length / hashLength - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = sought.compare(decoded, middle * hashLength, (middle + 1) * hashLength);
    if (order === 0) return true;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}
