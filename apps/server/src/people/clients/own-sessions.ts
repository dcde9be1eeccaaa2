import type { ClientSession } from '@keyturn/contract';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { and, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { AuditAction } from '../../platform/audit/audit-entry.ts';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { sessions } from '../../schema/tables/tables.ts';
import { endSessions, isInUse } from '../credentials/account-sessions.ts';

export interface OwnSessionsDependencies {
  database: Database;
  clock: Clock;
  /** Seconds of inactivity after which a session ends. */
  idleAfter: number;
}

/** The client who makes a call about their sessions. */
interface Caller {
  id: string;
  /** SHA-256 of the token of the session that makes the call. */
  sessionHash: Buffer;
}

/** Lists the sessions of the client that have not ended: the current one first, then by their last use. */
export async function listOwnSessions(
  { database, clock, idleAfter }: OwnSessionsDependencies,
  { id, sessionHash }: Caller,
): Promise<ClientSession[]> {
  const isCurrent = sql<boolean>`${sessions.tokenHash} = ${sessionHash}`;
  const rows = await database
    .select({
      id: sessions.id,
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      signedInWith: sessions.signedInWith,
      isCurrent,
    })
    .from(sessions)
    .where(isInUse(sessions, { ownerId: id, now: clock(), idleAfter }))
    .orderBy(desc(isCurrent), desc(sessions.lastUsedAt), sessions.id)
    .limit(maxListed);
  return rows.map((row) => ({
    id: row.id,
    device: row.device ?? describeBrowser(null),
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    signed_in_with: row.signedInWith,
    is_current: row.isCurrent,
  }));
}

/**
 * Ends one session of the client. Also forgets its device, which may be lost, unless it is the caller’s own.
 * @throws DomainError `not_found`, also for another client’s session
 */
export async function endOwnSession(
  dependencies: OwnSessionsDependencies,
  caller: Caller & { address: string },
  id: string,
): Promise<void> {
  if (!isId(id)) throw new DomainError('not_found');
  const ended = await endAndForget(dependencies, caller, {
    action: 'client.session_ended',
    which: eq(sessions.id, id),
    forgetsAll: false,
  });
  if (ended === 0) throw new DomainError('not_found');
}

/** Ends every session of the client but the current one, and forgets every device but the caller’s own. */
export async function endOtherSessions(
  dependencies: OwnSessionsDependencies,
  caller: Caller & { address: string },
): Promise<void> {
  await endAndForget(dependencies, caller, {
    action: 'client.other_sessions_ended',
    which: ne(sessions.tokenHash, caller.sessionHash),
    forgetsAll: true,
  });
}

/** More sessions than anyone uses. The list is limited because an API client can start any number. */
const maxListed = 100;

/**
 * Ends sessions of the client, forgets devices other than the caller’s own, and audits it if there were any sessions.
 * @param ending.forgetsAll whether to forget devices without a session, too
 * @returns how many sessions it ended
 */
async function endAndForget(
  { database, clock }: OwnSessionsDependencies,
  { id, sessionHash, address }: Caller & { address: string },
  { action, which, forgetsAll }: { action: AuditAction; which: SQL; forgetsAll: boolean },
): Promise<number> {
  return runTransaction(database, async (transaction) => {
    const now = clock();
    const own = and(eq(sessions.ownerId, id), which);
    const ended = await endSessions(transaction, sessions, { which: own, now });
    await transaction.execute(sql`
      delete from known_devices where client_id = ${id}
        and (${forgetsAll} or token_hash in (
          select device_hash from sessions where token_hash = any(${sql.param(ended)}::bytea[])))
        and token_hash is distinct from (select device_hash from sessions where token_hash = ${sessionHash})`);
    if (ended.length > 0) {
      await recordAudit(transaction, {
        occurredAt: now,
        actor: await findClientActor(transaction, id),
        action,
        subject: { kind: 'client', id },
        address,
        after: { sessions: ended.length },
      });
    }
    return ended.length;
  });
}
