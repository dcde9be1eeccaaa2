import { eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { clientFactorTables } from '../../../schema/tables/factor-tables.ts';
import { clients, sessions } from '../../../schema/tables/tables.ts';
import { lockSession } from '../../credentials/account-sessions.ts';
import { minPasswordLength } from '../../credentials/check-new-password.ts';
import type { FactorOwner, FactorRules } from '../../credentials/factors/factor-rules.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { queueClientNotice } from '../client-notice-mail.ts';
import { queueGuessingMail } from '../guessing-mail.ts';
import { lockClient } from '../record/client-rows.ts';

/** What is particular to the second factors of clients. */
export const clientFactorRules: FactorRules = {
  accountKind: 'client',
  tables: clientFactorTables,
  sessions,
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
  notify: queueClientNotice,
  onRecoveryCodeUsed: async (transaction, owner, now) => {
    await queueClientNotice(transaction, owner.id, { kind: 'recovery_code_used' }, now);
    await recordOwnAudit(transaction, 'client.recovery_code_used', { ...owner, now });
  },
  recordConfirmation: async (transaction, { sessionHash }, method, now) => {
    await transaction
      .update(sessions)
      .set({ confirmedAt: now, steppedUpAt: now, steppedUpWith: method })
      .where(eq(sessions.tokenHash, sessionHash));
  },
  onSessionStolen: (transaction, { email }) =>
    queueGuessingMail(transaction, { email: email.toLowerCase(), isInSession: true }),
};

/**
 * Locks the client’s account and session until the transaction ends, so that a reset by the firm either removes what the
 * call stores, or stops it.
 * @throws DomainError `unauthenticated` if the session has ended
 */
async function lockCallingClient(
  transaction: Transaction,
  { id, sessionHash }: Pick<FactorOwner, 'id' | 'sessionHash'>,
  now: Date,
): Promise<void> {
  await lockClient(transaction, id);
  await lockSession(transaction, sessions, { id, sessionHash, now });
}
