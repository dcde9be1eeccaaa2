import type { FeedCaller } from '../../case-file/import/ports.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { FeedScope } from '../../schema/tables/feed-key-tables.ts';

export interface CallerDependencies {
  /** Finds the caller of a key’s secret; null if it is invalid. */
  authenticateKey(secret: string): Promise<FeedCaller | null>;
  /** Counts a request of a key. @throws DomainError `too_many_requests` */
  countRequest(keyId: string): Promise<void>;
}

/** Finds the caller of a request. @throws DomainError `unauthenticated`, `too_many_requests` */
export async function findCaller(
  { authenticateKey, countRequest }: CallerDependencies,
  authorization: string | undefined,
): Promise<FeedCaller> {
  const [, secret = ''] = /^Bearer (\S{1,200})$/i.exec(authorization ?? '') ?? [];
  const caller = await authenticateKey(secret);
  if (!caller) throw invalidKey();
  await countRequest(caller.id);
  return caller;
}

export const invalidKey = () =>
  new DomainError('unauthenticated', { message: 'The API key is missing, unknown, revoked or expired.' });

/** Requires permission to write at least one kind. @throws DomainError `not_permitted` */
export function requireWriteScope({ scopes }: FeedCaller): void {
  if (!scopes.some((scope) => scope.endsWith(':write')))
    throw new DomainError('not_permitted', { message: 'This API key may not write.' });
}

/** @throws DomainError `not_permitted` */
export function requireScopes({ scopes }: FeedCaller, needed: readonly FeedScope[]): void {
  const missing = needed.find((scope) => !scopes.includes(scope));
  if (missing === undefined) return;
  const [kind, access] = missing.split(':');
  throw new DomainError('not_permitted', { message: `This API key may not ${access} ${kind}.` });
}
