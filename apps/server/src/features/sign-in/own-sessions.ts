import type { ClientSession } from '@keyturn/contract';
import { describeBrowser } from '@keyturn/format/describe-browser';
import { and, desc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { AuditAction } from '../../platform/audit/audit-entry.ts';
import { findClientActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { sessions } from '../../platform/tables/tables.ts';

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
  const now = clock();
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
    .where(
      and(isOpenSessionOf(id, now), gt(sessions.lastUsedAt, new Date(now.getTime() - idleAfter * 1_000))),
    )
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

/** Ends one session of the client. @throws DomainError `not_found`, also for another client’s session */
export async function endOwnSession(
  dependencies: OwnSessionsDependencies,
  caller: Caller & { address: string },
  id: string,
): Promise<void> {
  if (!isId(id)) throw new DomainError('not_found');
  const ended = await endSessions(dependencies, caller, 'client.session_ended', eq(sessions.id, id));
  if (ended === 0) throw new DomainError('not_found');
}

/** Ends every session of the client but the current one. */
export async function endOtherSessions(
  dependencies: OwnSessionsDependencies,
  caller: Caller & { address: string },
): Promise<void> {
  const isOther = ne(sessions.tokenHash, caller.sessionHash);
  await endSessions(dependencies, caller, 'client.other_sessions_ended', isOther);
}

/** More sessions than anyone uses. The list is limited because an API client can start any number. */
const maxListed = 100;

/** Also matches idle sessions, because a request admitted just before could record activity. */
const isOpenSessionOf = (clientId: string, now: Date) =>
  and(eq(sessions.clientId, clientId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now));

/** Ends sessions of the client, and audits it if there were any. @returns how many it ended */
async function endSessions(
  { database, clock }: OwnSessionsDependencies,
  { id, address }: Caller & { address: string },
  action: AuditAction,
  which: ReturnType<typeof eq>,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const now = clock();
    const { rowCount } = await transaction
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(isOpenSessionOf(id, now), which));
    const ended = rowCount ?? 0;
    if (ended > 0) {
      await recordAudit(transaction, {
        occurredAt: now,
        actor: await findClientActor(transaction, id),
        action,
        subject: { kind: 'client', id },
        address,
        after: { sessions: ended },
      });
    }
    return ended;
  });
}
