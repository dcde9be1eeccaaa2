import type { FeedKey, StaffCallKey } from '@keyturn/contract/staff';
import type { StaffHandlers } from '../../http/staff/staff-handlers.ts';
import { byStaff } from '../../platform/audit/record-audit.ts';
import { DomainError } from '../../platform/domain-error.ts';
import {
  createFeedKey,
  type FeedKeyDependencies,
  type ListedFeedKey,
  listFeedKeys,
  revokeFeedKey,
  rotateFeedKey,
} from '../feed/keys/feed-keys.ts';

type FeedKeyCalls = Extract<StaffCallKey, `${string} /staff/feed-keys${string}`>;

/** Returns the handlers of the calls with which admins manage the keys of the case feed. */
export function feedKeyHandlers(dependencies: FeedKeyDependencies): StaffHandlers<FeedKeyCalls> {
  const { clock } = dependencies;
  return {
    'GET /staff/feed-keys': async () => {
      const keys = await listFeedKeys(dependencies);
      return keys.map((key) => toFeedKey(key, clock()));
    },
    'POST /staff/feed-keys': async (request) => {
      const { name, scopes, expires_on: expiresOn } = request.body;
      const expiresAt = expiresOn === undefined ? null : new Date(`${expiresOn}T00:00:00Z`);
      if (expiresAt && expiresAt <= clock())
        throw new DomainError('invalid_input', { errors: { expires_on: ['must be a day in the future'] } });
      const created = { name: name.trim(), scopes, expiresAt, ...byStaff(request) };
      return createFeedKey(dependencies, created);
    },
    'POST /staff/feed-keys/{id}/rotate': async (request) => {
      const { id } = request.params;
      const overlap = request.body.overlap_hours * 3_600_000;
      return { secret: await rotateFeedKey(dependencies, { id, overlap, ...byStaff(request) }) };
    },
    'POST /staff/feed-keys/{id}/revoke': async (request) => {
      const { id } = request.params;
      await revokeFeedKey(dependencies, { id, ...byStaff(request) });
      return undefined;
    },
  };
}

function toFeedKey(key: ListedFeedKey, now: Date): FeedKey {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = key;
  const isExpired = expiresAt !== null && expiresAt <= now;
  return {
    id,
    name,
    scopes: [...scopes],
    state: revokedAt ? 'revoked' : isExpired ? 'expired' : 'active',
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
    revoked_at: revokedAt?.toISOString() ?? null,
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
