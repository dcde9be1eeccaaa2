import { randomBytes } from 'node:crypto';

/** Creates an id as Stripe writes them, for example `pi_` followed by random characters. */
export const newSandboxId = (prefix: string): string => `${prefix}_${randomBytes(16).toString('hex')}`;
