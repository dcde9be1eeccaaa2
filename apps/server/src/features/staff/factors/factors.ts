import type { AddedFactor, StaffFactor, StaffFactors } from '@keyturn/contract/staff';
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { staffFactors } from '../../../platform/tables/staff-tables.ts';
import { queueNotice } from '../accounts/staff-mails.ts';
import { recordOwnAudit } from '../record-staff-audit.ts';
import { type CallingMember, lockCallingMember } from '../sign-in/calling-member.ts';
import { endSessionsOf } from '../sign-in/end-sessions.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';

export type FactorRow = typeof staffFactors.$inferSelect;

/** Passkeys and authenticator apps per member. */
const maxFactors = 20;

/** Returns a member’s second factors, and the number of unused recovery codes. */
export async function listFactors(connection: Connection, staffId: string): Promise<StaffFactors> {
  const rows = await activeFactors(connection, staffId);
  return {
    factors: rows.map(toFactor),
    recovery_codes_left: await countRecoveryCodes(connection, staffId),
  };
}

/** Lists the second factors that a member can use. */
export const activeFactors = (connection: Connection, staffId: string): Promise<FactorRow[]> =>
  connection
    .select()
    .from(staffFactors)
    .where(and(eq(staffFactors.staffId, staffId), isNotNull(staffFactors.activeAt)))
    .orderBy(asc(staffFactors.createdAt), asc(staffFactors.id));

/** @throws DomainError `staff_state` if the member has too many factors */
export async function assertCanAddFactor(connection: Connection, staffId: string): Promise<void> {
  if ((await activeFactors(connection, staffId)).length < maxFactors) return;
  throw new DomainError('staff_state', {
    message: `You have ${maxFactors} passkeys and authenticator apps. Remove one that you no longer use first.`,
  });
}

/**
 * Adds a second factor: the first one comes with recovery codes.
 * @param store stores the factor; returns null if that is no longer possible
 * @throws DomainError `staff_state` if the member has too many factors
 */
export async function addFactor(
  { database, clock }: Pick<StaffDependencies, 'database' | 'clock'>,
  owner: CallingMember,
  store: (transaction: Transaction) => Promise<FactorRow | null>,
): Promise<AddedFactor | null> {
  return database.transaction(async (transaction) => {
    // Factors that are added at the same time would exceed the limit, or replace each other's recovery codes.
    await lockCallingMember(transaction, owner, clock());
    await assertCanAddFactor(transaction, owner.id);
    const factor = await store(transaction);
    if (!factor) return null;
    const hasCodes = (await countRecoveryCodes(transaction, owner.id)) > 0;
    const recovery_codes = hasCodes ? null : await replaceRecoveryCodes(transaction, owner.id, clock());
    await queueNotice(transaction, owner.id, { kind: 'factor_added', factor: factor.kind });
    await recordOwnAudit(transaction, 'staff.factor_added', owner, {
      now: clock(),
      after: { factor: factor.id, kind: factor.kind },
    });
    return { factor: toFactor(factor), recovery_codes };
  });
}

/** @throws DomainError `not_found`, also for another member’s */
export async function renameFactor(
  { database, clock }: Pick<StaffDependencies, 'database' | 'clock'>,
  owner: CallingMember,
  { id, name }: { id: string; name: string },
): Promise<StaffFactor> {
  return database.transaction(async (transaction) => {
    const [renamed] = isId(id)
      ? await transaction.update(staffFactors).set({ name }).where(ownFactor(owner.id, id)).returning()
      : [];
    if (!renamed) throw new DomainError('not_found');
    await recordOwnAudit(transaction, 'staff.factor_renamed', owner, { now: clock(), after: { factor: id } });
    return toFactor(renamed);
  });
}

/** @throws DomainError `not_found`, `last_factor` where a second factor is required */
export async function removeFactor(
  { database, clock, requiresSecondFactor }: StaffDependencies,
  owner: CallingMember,
  id: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    // Without the lock, the last two factors could be removed at the same time.
    await lockCallingMember(transaction, owner, clock());
    const factors = await activeFactors(transaction, owner.id);
    const removed = factors.find((factor) => factor.id === id);
    if (!removed) throw new DomainError('not_found');
    const isLast = factors.length === 1;
    if (isLast && requiresSecondFactor) throw new DomainError('last_factor');
    await transaction.delete(staffFactors).where(ownFactor(owner.id, id));
    if (isLast) await deleteRecoveryCodes(transaction, owner.id);
    // The factor may have been a thief's.
    await endSessionsOf(transaction, owner.id, clock(), { except: owner.sessionHash });
    await queueNotice(transaction, owner.id, { kind: 'factor_removed', factor: removed.kind });
    await recordOwnAudit(transaction, 'staff.factor_removed', owner, {
      now: clock(),
      before: { factor: id, kind: removed.kind },
    });
  });
}

/** Replaces all recovery codes. @throws DomainError `staff_state` for a member without a second factor */
export async function renewRecoveryCodes(
  { database, clock }: Pick<StaffDependencies, 'database' | 'clock'>,
  owner: CallingMember,
): Promise<string[]> {
  return database.transaction(async (transaction) => {
    await lockCallingMember(transaction, owner, clock());
    if ((await activeFactors(transaction, owner.id)).length === 0) {
      throw new DomainError('staff_state', { message: 'Add a passkey or an authenticator app first.' });
    }
    const codes = await replaceRecoveryCodes(transaction, owner.id, clock());
    await queueNotice(transaction, owner.id, { kind: 'recovery_codes_replaced' });
    await recordOwnAudit(transaction, 'staff.recovery_codes_replaced', owner, { now: clock() });
    return codes;
  });
}

/** Removes all second factors and recovery codes of a member. */
export async function deleteFactors(transaction: Transaction, staffId: string): Promise<void> {
  await transaction.delete(staffFactors).where(eq(staffFactors.staffId, staffId));
  await deleteRecoveryCodes(transaction, staffId);
}

/** Deletes authenticator apps that a member started to add and never finished. */
export const deletePendingFactors = (connection: Connection, staffId: string) =>
  connection
    .delete(staffFactors)
    .where(and(eq(staffFactors.staffId, staffId), isNull(staffFactors.activeAt)));

const ownFactor = (staffId: string, id: string) =>
  and(eq(staffFactors.id, id), eq(staffFactors.staffId, staffId), isNotNull(staffFactors.activeAt));

const toFactor = ({ id, kind, name, createdAt, lastUsedAt }: FactorRow): StaffFactor => ({
  id,
  kind,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
