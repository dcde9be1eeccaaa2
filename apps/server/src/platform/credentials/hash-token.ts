import { hash } from 'node:crypto';

/** Hashes a random token. Only the hash is stored. @returns its SHA-256 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
