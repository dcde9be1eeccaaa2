import { randomBytes } from 'node:crypto';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { AuditedBy, AuditValues } from '../../../platform/audit/audit-entry.ts';
import { recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import {
  assertBelowLimit,
  expireSecrets,
  isUnexpired,
} from '../../../platform/credentials/replaceable-secrets.ts';
import type { Database, Transaction } from '../../../platform/database.ts';
import { DomainError, integrationNotPossible } from '../../../platform/domain-error.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { type FeedScope, feedKeySecrets, feedKeys } from '../../../schema/tables/feed-key-tables.ts';

/** A key that a caller has authenticated with. */
export interface FeedKey {
  id: string;
  name: string;
  scopes: readonly FeedScope[];
}

export interface FeedKeyDependencies {
  database: Database;
  clock: Clock;
}

/** More than any firm has systems, so that a script that creates one for each run is noticed. */
const maxUsableKeys = 50;

/**
 * Creates a key.
 * @returns its id and its secret, which cannot be read again
 * @throws DomainError `integration_state`
 */
export async function createFeedKey(
  { database, clock }: FeedKeyDependencies,
  {
    name,
    scopes,
    expiresAt,
    ...by
  }: { name: string; scopes: FeedScope[]; expiresAt: Date | null } & AuditedBy,
): Promise<{ id: string; secret: string }> {
  const now = clock();
  const id = newId();
  const secret = newSecret();
  await runTransaction(database, async (transaction) => {
    await assertBelowLimit(transaction, feedKeys, {
      name: 'feed keys',
      counted: and(isNull(feedKeys.revokedAt), isUnexpired(feedKeys, now)),
      max: maxUsableKeys,
      reached: `There are ${maxUsableKeys} keys that can be used already. Revoke one that no system uses any more.`,
    });
    await transaction.insert(feedKeys).values({ id, name, scopes, createdAt: now, expiresAt });
    await transaction.insert(feedKeySecrets).values({ hash: hashToken(secret), ownerId: id, createdAt: now });
    const after = { name, scopes: scopes.join(' '), expires_at: expiresAt?.toISOString() ?? null };
    await audit(transaction, 'feed_key.created', { id, ...by, occurredAt: now, after });
  });
  return { id, secret };
}

/**
 * Gives a key a new secret. The previous one stays valid for a while, so that no call fails while the firm's systems
 * change.
 * @param request.overlap milliseconds
 * @returns the new secret, which cannot be read again
 * @throws DomainError `not_found`, `integration_state`
 */
export async function rotateFeedKey(
  { database, clock }: FeedKeyDependencies,
  { id, overlap, ...by }: { id: string; overlap: number } & AuditedBy,
): Promise<string> {
  const now = clock();
  const secret = newSecret();
  await runTransaction(database, async (transaction) => {
    const key = await lockKey(transaction, id);
    if (!isUsable(key, now))
      throw integrationNotPossible('The key was revoked or has expired. Create another one.');
    const after = await expireSecrets(transaction, feedKeySecrets, { ownerId: id, overlap, now });
    await transaction.insert(feedKeySecrets).values({ hash: hashToken(secret), ownerId: id, createdAt: now });
    await audit(transaction, 'feed_key.rotated', { id, ...by, occurredAt: now, after });
  });
  return secret;
}

/** Revokes a key immediately. Idempotent. @throws DomainError `not_found` */
export async function revokeFeedKey(
  { database, clock }: FeedKeyDependencies,
  { id, ...by }: { id: string } & AuditedBy,
): Promise<void> {
  const now = clock();
  await runTransaction(database, async (transaction) => {
    const { revokedAt } = await lockKey(transaction, id);
    if (revokedAt !== null) return;
    await transaction.update(feedKeys).set({ revokedAt: now }).where(eq(feedKeys.id, id));
    await audit(transaction, 'feed_key.revoked', { id, ...by, occurredAt: now, after: null });
  });
}

export interface ListedFeedKey extends FeedKey {
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** Lists all keys, newest first, including those that no longer work. */
export async function listFeedKeys({
  database,
}: Pick<FeedKeyDependencies, 'database'>): Promise<ListedFeedKey[]> {
  const rows = await database
    .select({
      key: feedKeys,
      lastUsedAt: sql<Date | null>`max(${feedKeySecrets.lastUsedAt})`.mapWith(feedKeySecrets.lastUsedAt),
    })
    .from(feedKeys)
    .leftJoin(feedKeySecrets, eq(feedKeySecrets.ownerId, feedKeys.id))
    .groupBy(feedKeys.id)
    .orderBy(sql`${feedKeys.createdAt} desc, ${feedKeys.id}`);
  return rows.map(({ key, lastUsedAt }) => ({ ...key, lastUsedAt }));
}

/** Finds the key of a secret. @returns null if it does not exist, was revoked or has expired */
export async function authenticateFeedKey(
  { database, clock }: FeedKeyDependencies,
  secret: string,
): Promise<FeedKey | null> {
  if (!secretForm.test(secret)) return null;
  const now = clock();
  const hash = hashToken(secret);
  const [row] = await database
    .select({ key: feedKeys, until: feedKeySecrets.expiresAt, lastUsedAt: feedKeySecrets.lastUsedAt })
    .from(feedKeySecrets)
    .innerJoin(feedKeys, eq(feedKeys.id, feedKeySecrets.ownerId))
    .where(eq(feedKeySecrets.hash, hash));
  if (!row || !isUsable(row.key, now) || (row.until !== null && row.until <= now)) return null;
  const before = new Date(now.getTime() - lastUsedPrecision);
  if (row.lastUsedAt === null || row.lastUsedAt <= before) {
    await database
      .update(feedKeySecrets)
      .set({ lastUsedAt: now })
      .where(
        and(
          eq(feedKeySecrets.hash, hash),
          or(
            isNull(feedKeySecrets.lastUsedAt),
            lt(feedKeySecrets.lastUsedAt, new Date(before.getTime() + 1)),
          ),
        ),
      );
  }
  const { id, name, scopes } = row.key;
  return { id, name, scopes };
}

/**
 * The minimum interval, in milliseconds, between records of a key's use, so that frequent calls do not write a row
 * each.
 */
const lastUsedPrecision = 60_000;

const isUsable = (key: typeof feedKeys.$inferSelect, now: Date) =>
  key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);

/**
 * Checks a key again in the transaction that stores what it sent. The key cannot be revoked before the transaction
 * ends, so that nothing is stored after a revocation.
 */
export async function isFeedKeyUsable(transaction: Transaction, id: string, now: Date): Promise<boolean> {
  const [key] = await transaction.select().from(feedKeys).where(eq(feedKeys.id, id)).for('share');
  return key !== undefined && isUsable(key, now);
}

async function lockKey(transaction: Transaction, id: string) {
  const [key] = isId(id)
    ? await transaction.select().from(feedKeys).where(eq(feedKeys.id, id)).for('update')
    : [];
  if (!key) throw new DomainError('not_found');
  return key;
}

const audit = (
  transaction: Transaction,
  action: 'feed_key.created' | 'feed_key.rotated' | 'feed_key.revoked',
  { id, ...entry }: { id: string; occurredAt: Date; after: AuditValues | null } & AuditedBy,
) => recordAudit(transaction, { ...entry, action, subject: { kind: 'feed_key', id } });

const secretForm = /^kt_feed_[\w-]{43}$/;
const newSecret = () => `kt_feed_${randomBytes(32).toString('base64url')}`;
