import { eq, sql } from 'drizzle-orm';
import type { AuditAction } from '../../../platform/audit/audit-entry.ts';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clientFactorTables } from '../../../schema/tables/factor-tables.ts';
import { clients, sessions as sessionsTable } from '../../../schema/tables/tables.ts';
import { minPasswordLength } from '../../credentials/check-new-password.ts';
import type { FactorChange, FactorOwner, FactorRules } from '../../credentials/factors/factor-rules.ts';
import { recordOwnAudit } from '../account/record-own-audit.ts';
import { queueNotice } from '../client-notices.ts';
import { queueGuessingMail } from '../report-guessing.ts';
import type { Sessions } from '../sessions.ts';

export const clientFactorRules = (sessions: Pick<Sessions, 'revokeSessionsOf'>): FactorRules => ({
  accountKind: 'client',
  tables: clientFactorTables,
  lockOwner: lockCallingClient,
  readPasswordHash: async (connection, clientId) => {
    const [client] = await connection
      .select({ passwordHash: clients.passwordHash })
      .from(clients)
      .where(eq(clients.id, clientId));
    return client?.passwordHash ?? null;
  },
  assertCanRemoveLast: async (transaction, owner) => {
    const [client] = await transaction
      .select({ hasShortPassword: clients.hasShortPassword })
      .from(clients)
      .where(eq(clients.id, owner.id));
    if (!client?.hasShortPassword) return;
    throw new DomainError('factor_state', {
      message: `Your password is short, so it needs a passkey or an authenticator app next to it. Change your password to one of at least ${minPasswordLength({ hasSecondFactor: false })} characters first.`,
    });
  },
  onChange: (transaction, owner, change, now) => recordChange(sessions, transaction, { owner, change, now }),
});

/**
 * Locks the client’s account and session until the transaction ends, so that a reset by the firm either removes what the
 * call stores, or stops it.
 * @throws DomainError `unauthenticated` if the session has ended
 */
export async function lockCallingClient(
  transaction: Transaction,
  { id, sessionHash }: Pick<FactorOwner, 'id' | 'sessionHash'>,
  now: Date,
): Promise<void> {
  await transaction.execute(sql`select from clients where id = ${id} for update`);
  const { rowCount } = await transaction.execute(sql`
    select from sessions where token_hash = ${sessionHash} and client_id = ${id} and revoked_at is null
      and expires_at > ${now.toISOString()}::timestamptz for share`);
  if (rowCount !== 1) throw new DomainError('unauthenticated');
}

async function recordChange(
  sessions: Pick<Sessions, 'revokeSessionsOf'>,
  transaction: Transaction,
  { owner, change, now }: { owner: FactorOwner; change: FactorChange; now: Date },
): Promise<void> {
  const audit = (action: AuditAction, values: Parameters<typeof recordOwnAudit>[3] = {}) =>
    recordOwnAudit(transaction, action, { ...owner, now }, values);
  switch (change.kind) {
    case 'factor_added': {
      const { id, kind } = change.factor;
      await queueNotice(transaction, owner.id, { kind: change.kind, factor: kind }, now);
      return audit('client.factor_added', { after: { factor: id, kind } });
    }
    case 'factor_renamed':
      return audit('client.factor_renamed', { after: { factor: change.factor.id } });
    case 'factor_removed': {
      const { id, kind } = change.factor;
      // The factor may have been a thief's.
      await sessions.revokeSessionsOf(owner.id, transaction, { except: owner.sessionHash });
      await queueNotice(transaction, owner.id, { kind: change.kind, factor: kind }, now);
      return audit('client.factor_removed', { before: { factor: id, kind } });
    }
    case 'recovery_codes_replaced':
      await queueNotice(transaction, owner.id, { kind: change.kind }, now);
      return audit('client.recovery_codes_replaced');
    case 'recovery_code_used':
      await queueNotice(transaction, owner.id, { kind: change.kind }, now);
      return audit('client.recovery_code_used');
    case 'identity_confirmed':
      await transaction
        .update(sessionsTable)
        .set({ confirmedAt: now, steppedUpAt: now, steppedUpWith: change.method })
        .where(eq(sessionsTable.tokenHash, owner.sessionHash));
      return audit('client.identity_confirmed', { after: { method: change.method } });
    case 'proof_rejected':
      if (change.endsSession) {
        await transaction
          .update(sessionsTable)
          .set({ revokedAt: now })
          .where(eq(sessionsTable.tokenHash, owner.sessionHash));
        await queueGuessingMail(transaction, { email: owner.email.toLowerCase(), isInSession: true });
      }
      return audit('client.identity_rejected', { after: { failures: change.failures } });
  }
}
