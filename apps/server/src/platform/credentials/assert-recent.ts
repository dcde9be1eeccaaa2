import { DomainError } from '../domain-error.ts';

/** Seconds for which a confirmed identity is enough for what a stolen session must not do. */
export const confirmationLifetime = 5 * 60;

/**
 * Requires that an identity was confirmed recently.
 * @param confirmedAt null if it never was
 * @param lifetime seconds for which a confirmation is enough
 * @throws DomainError `identity_not_confirmed`
 */
export function assertRecent(confirmedAt: Date | null, now: Date, lifetime = confirmationLifetime): void {
  const age = confirmedAt ? now.getTime() - confirmedAt.getTime() : Number.POSITIVE_INFINITY;
  if (age >= lifetime * 1_000) throw new DomainError('identity_not_confirmed');
}
