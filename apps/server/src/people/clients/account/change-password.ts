import { and, eq } from 'drizzle-orm';
import { hashToken } from '../../../platform/credentials/hash-token.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { clients, sessions } from '../../../schema/tables/tables.ts';
import { confirmationLane } from '../../credentials/attempt-lanes.ts';
import { isShortPassword } from '../../credentials/check-new-password.ts';
import { rejectProof } from '../../credentials/factors/confirm-identity.ts';
import type { FactorDependencies, FactorOwner } from '../../credentials/factors/factor-rules.ts';
import { activeFactors } from '../../credentials/factors/factors.ts';
import type { KnownDevices } from '../../credentials/known-devices.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { endClientAccess } from '../end-access.ts';
import { queuePasswordMail } from '../new-password-mail.ts';
import { assertLongEnough, assertPasswordAllowed } from '../set-password.ts';
import { assertSteppedUp } from './account-owner.ts';

export interface AccountDependencies extends FactorDependencies {
  devices: KnownDevices;
}

/**
 * Changes the password with the current one, ends the client’s other sessions, and makes all other devices unknown. A
 * client with a second factor must also have confirmed their identity with it.
 * @param sent.device the token of the caller’s device; null without one
 * @returns the token for the device’s cookie
 * @throws DomainError `invalid_input` for either password, `identity_not_confirmed`, `too_many_login_attempts`,
 *   `too_many_requests`
 */
export async function changePassword(
  dependencies: AccountDependencies,
  owner: FactorOwner,
  sent: { currentPassword: string; password: string; device: string | null },
): Promise<string> {
  const { database, clock, passwords, devices, factorRules } = dependencies;
  const hasSecondFactor = (await activeFactors(database, factorRules.tables, owner.id)).length > 0;
  if (hasSecondFactor) await assertSteppedUp(dependencies, owner.sessionHash);
  const currentHash = await checkCurrentPassword(dependencies, owner, sent.currentPassword);
  await assertPasswordAllowed(dependencies, owner.id, sent.password);
  const passwordHash = await passwords.hash(sent.password);
  return runTransaction(database, async (transaction) => {
    const now = clock();
    await factorRules.lockOwner(transaction, owner, now);
    // The last second factor may have been removed meanwhile.
    await assertLongEnough(transaction, owner.id, sent.password);
    const { rowCount } = await transaction
      .update(clients)
      .set({ passwordHash, hasShortPassword: isShortPassword(sent.password), updatedAt: now })
      .where(and(eq(clients.id, owner.id), eq(clients.passwordHash, currentHash)));
    // Another request has changed the password meanwhile.
    if (rowCount !== 1) throw wrongPassword();
    await endClientAccess(transaction, { clientId: owner.id, now, except: owner.sessionHash });
    await queuePasswordMail(transaction, owner.id);
    await recordOwnAudit(transaction, 'client.password_changed', { ...owner, now });
    const known = await devices.remember(sent.device, owner.id, transaction);
    await transaction
      .update(sessions)
      .set({ deviceHash: hashToken(known) })
      .where(eq(sessions.tokenHash, owner.sessionHash));
    return known;
  });
}

/** Wrong passwords are limited, so that a stolen session cannot guess it. @returns the hash of the password */
async function checkCurrentPassword(
  dependencies: AccountDependencies,
  owner: FactorOwner,
  password: string,
): Promise<string> {
  const { database, passwords, throttle, factorRules } = dependencies;
  const attempt = await throttle.admit(confirmationLane(owner.id, factorRules.accountKind));
  const stored = await attempt.withdrawnIfFails(factorRules.readPasswordHash(database, owner.id));
  const isCorrect = await attempt.withdrawnIfFails(passwords.matches(password, stored));
  if (isCorrect && stored !== null) {
    await attempt.succeeded();
    return stored;
  }
  await rejectProof(dependencies, owner, attempt.failed());
  throw wrongPassword();
}

const wrongPassword = () =>
  new DomainError('invalid_input', { errors: { current_password: ['This is not your current password.'] } });
