import { hash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError, invalidInput } from '../../platform/domain-error.ts';
import { deleteExpiredRows } from '../../schema/tables/delete-expired-rows.ts';
import { feedRequests } from '../../schema/tables/feed-key-tables.ts';

/** A successful answer to a request of a feed key. */
export interface FeedAnswer {
  status: 200 | 201 | 202;
  body: object;
  /** The path of the created record, if the answer has one. */
  location?: string;
}

/** A request that its caller may repeat. */
export interface IdempotentRequest {
  keyId: string;
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | string[] | undefined;
  /** The content that determines the effect of the request. */
  content: readonly string[];
  /** Whether the work that the answer announced has failed meanwhile, so that a repetition must be executed. */
  hasFailed(answer: FeedAnswer): Promise<boolean>;
}

/**
 * Answers a request with an idempotency key once: the same request gets the same answer again and has no effect. Only
 * successful answers are kept, for 24 hours, because repeating a failed request is safe. If the server is killed before the
 * answer is stored, a repetition is refused for two minutes, then carried out again, and changes nothing more.
 * @throws DomainError `invalid_input` if the key was used for another request; `unavailable` while that is in progress
 */
export async function withIdempotencyKey(
  dependencies: { database: Database; clock: Clock },
  request: IdempotentRequest,
  work: () => Promise<FeedAnswer>,
): Promise<FeedAnswer> {
  const { database, clock } = dependencies;
  const { keyId, idempotencyKey, content, hasFailed } = request;
  if (idempotencyKey === undefined) return work();
  if (typeof idempotencyKey !== 'string' || !/^[!-~]{1,255}$/.test(idempotencyKey))
    throw invalidInput('idempotency-key', 'must be 1 to 255 visible ASCII characters');
  const now = clock();
  const contentHash = hash('sha256', JSON.stringify(content), 'buffer');
  const isRequest = and(eq(feedRequests.keyId, keyId), eq(feedRequests.idempotencyKey, idempotencyKey));
  await deleteExpiredRows(
    database,
    { table: feedRequests, age: feedRequests.createdAt },
    new Date(now.getTime() - keptFor),
    { maxBatches: 1 },
  );
  const [own] = await database
    .insert(feedRequests)
    .values({ keyId, idempotencyKey, contentHash, createdAt: now })
    .onConflictDoUpdate({
      target: [feedRequests.keyId, feedRequests.idempotencyKey],
      set: { createdAt: now },
      // The server stopped before it answered.
      setWhere: sql`${feedRequests.answer} is null and ${feedRequests.contentHash} = excluded.content_hash
        and ${feedRequests.createdAt} <= ${new Date(now.getTime() - abandonedAfter).toISOString()}::timestamptz`,
    })
    .returning();
  if (!own) {
    const [former] = await database.select().from(feedRequests).where(isRequest);
    if (former && !former.contentHash.equals(contentHash))
      throw invalidInput('idempotency-key', 'was used for another request: send a new key with this one');
    if (former?.answer && (await hasFailed(former.answer))) {
      await database.delete(feedRequests).where(and(isRequest, eq(feedRequests.createdAt, former.createdAt)));
      return withIdempotencyKey(dependencies, request, work);
    }
    if (former?.answer) return former.answer;
    throw new DomainError('unavailable', { message: 'The same request is in progress.' });
  }
  const isOwn = and(isRequest, eq(feedRequests.createdAt, now));
  try {
    const answer = await work();
    await database.update(feedRequests).set({ answer }).where(isOwn);
    return answer;
  } catch (error) {
    await database.delete(feedRequests).where(isOwn);
    throw error;
  }
}

/** Milliseconds. */
const keptFor = 24 * 3_600_000;
/** Longer than any request takes. */
const abandonedAfter = 2 * 60_000;
