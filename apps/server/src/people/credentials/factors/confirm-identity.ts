import type { StepUpMethod } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { endSessions } from '../account-sessions.ts';
import { confirmationLane, reportedRun } from '../attempt-lanes.ts';
import type { FailureCounts } from '../login-throttle.ts';
import { matchCode } from './codes.ts';
import type { FactorDependencies, FactorOwner } from './factor-rules.ts';
import { activeFactors } from './factors.ts';

/**
 * Records in the session that its owner proved who they are with a code; with the password only for an account without a
 * second factor.
 * @throws DomainError `code_rejected`, `too_many_login_attempts`
 */
export async function confirmWithCode(
  dependencies: FactorDependencies,
  owner: FactorOwner,
  { code, password }: { code?: string | undefined; password?: string | undefined },
): Promise<void> {
  const { database, clock, factorRules } = dependencies;
  await confirmIdentity(dependencies, owner, async () => {
    if (code !== undefined) {
      const matched = await matchCode(dependencies, owner.id, code);
      if (!matched) return null;
      return async (transaction) => {
        if (!(await matched.accept(transaction))) return null;
        if (matched.kind === 'recovery_code')
          await factorRules.onRecoveryCodeUsed(transaction, owner, clock());
        return matched.kind;
      };
    }
    if ((await activeFactors(database, factorRules.tables, owner.id)).length > 0) return null;
    const stored = await factorRules.readPasswordHash(database, owner.id);
    const isCorrect = await dependencies.passwords.matches(password ?? '', stored);
    return isCorrect ? async () => 'password' : null;
  });
}

/**
 * Checks a proof before the transaction, and consumes it in the transaction. Each function returns null for a wrong
 * proof.
 */
type Proof = () => Promise<((transaction: Transaction) => Promise<StepUpMethod | null>) | null>;

/**
 * Records in the session that its owner proved who they are, if the proof is valid. Wrong proofs are limited, so that a
 * stolen session cannot guess codes.
 */
export async function confirmIdentity(
  dependencies: FactorDependencies,
  owner: FactorOwner,
  prove: Proof,
  rejected: 'code_rejected' | 'passkey_rejected' = 'code_rejected',
): Promise<void> {
  const { database, clock, throttle, factorRules } = dependencies;
  const attempt = await throttle.admit(confirmationLane(owner.id, factorRules.accountKind));
  const confirm = async () => {
    const accept = await prove();
    if (accept === null) return false;
    return runTransaction(database, async (transaction) => {
      const now = clock();
      await factorRules.lockOwner(transaction, owner, now);
      const method = await accept(transaction);
      if (method === null) return false;
      await factorRules.recordConfirmation(transaction, owner, method, now);
      const action = `${factorRules.accountKind}.identity_confirmed` as const;
      await recordOwnAudit(transaction, action, { ...owner, now }, { after: { method } });
      return true;
    });
  };
  if (await attempt.withdrawnIfFails(confirm())) return attempt.succeeded();
  await rejectProof(dependencies, owner, attempt.failed());
  throw new DomainError(rejected);
}

/**
 * Audits a wrong proof of a session’s owner. After ten in 24 hours, reports them and ends the session, which may be stolen.
 * @throws DomainError `unauthenticated` if it ends the session
 */
export async function rejectProof(
  { database, clock, alertOperator, factorRules }: Omit<FactorDependencies, 'throttle'>,
  owner: FactorOwner,
  { device: failures = 0 }: FailureCounts,
): Promise<void> {
  const endsSession = failures >= reportedRun.device;
  await runTransaction(database, async (transaction) => {
    const now = clock();
    if (endsSession) {
      const which = eq(factorRules.sessions.tokenHash, owner.sessionHash);
      await endSessions(transaction, factorRules.sessions, { which, now });
      await factorRules.onSessionStolen(transaction, owner);
    }
    const action = `${factorRules.accountKind}.identity_rejected` as const;
    await recordOwnAudit(transaction, action, { ...owner, now }, { after: { failures } });
  });
  if (!endsSession) return;
  alertOperator('a session ended after many wrong passwords or codes', {
    [factorRules.accountKind]: owner.id,
    address: owner.address,
  });
  throw new DomainError('unauthenticated', {
    message: 'You’ve been signed out after too many wrong passwords or codes. Please sign in again.',
  });
}
