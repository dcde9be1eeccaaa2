import { hash } from 'node:crypto';

/** Hashes a random token, which is stored only like this. @returns its SHA-256 */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');
