import type { AddedFactor, Factor, Factors } from '@keyturn/contract';
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Connection, Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import type { FactorRow, FactorTables } from '../../../schema/tables/factor-tables.ts';
import { recordOwnAudit } from '../../record-own-audit.ts';
import { endSessionsOf } from '../account-sessions.ts';
import type { FactorDependencies, FactorOwner } from './factor-rules.ts';
import { countRecoveryCodes, deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';

type ChangeDependencies = Pick<FactorDependencies, 'database' | 'clock' | 'factorRules'>;

/** Passkeys and authenticator apps per account. */
const maxFactors = 20;

/** Returns the second factors of an account, and the number of unused recovery codes. */
export async function listFactors(
  connection: Connection,
  tables: FactorTables,
  ownerId: string,
): Promise<Factors> {
  const rows = await activeFactors(connection, tables, ownerId);
  return {
    factors: rows.map(toFactor),
    recovery_codes_left: await countRecoveryCodes(connection, tables.recoveryCodes, ownerId),
  };
}

/** Lists the second factors that the owner of an account can use. */
export const activeFactors = (
  connection: Connection,
  { factors }: FactorTables,
  ownerId: string,
): Promise<FactorRow[]> =>
  connection
    .select()
    .from(factors)
    .where(and(eq(factors.ownerId, ownerId), isNotNull(factors.activeAt)))
    .orderBy(asc(factors.createdAt), asc(factors.id));

/** @throws DomainError `factor_state` if the account has too many factors */
export async function assertCanAddFactor(
  connection: Connection,
  tables: FactorTables,
  ownerId: string,
): Promise<void> {
  if ((await activeFactors(connection, tables, ownerId)).length < maxFactors) return;
  throw new DomainError('factor_state', {
    message: `You have ${maxFactors} passkeys and authenticator apps. Remove one that you no longer use first.`,
  });
}

/**
 * Adds a second factor: the first one comes with recovery codes.
 * @param store stores the factor; returns null if that is no longer possible
 * @throws DomainError `factor_state` if the account has too many factors
 */
export async function addFactor(
  { database, clock, factorRules }: ChangeDependencies,
  owner: FactorOwner,
  store: (transaction: Transaction) => Promise<FactorRow | null>,
): Promise<AddedFactor | null> {
  const { tables, accountKind } = factorRules;
  return runTransaction(database, async (transaction) => {
    const now = clock();
    // Factors that are added at the same time would exceed the limit, or replace each other's recovery codes.
    await factorRules.lockOwner(transaction, owner, now);
    await assertCanAddFactor(transaction, tables, owner.id);
    const factor = await store(transaction);
    if (!factor) return null;
    const hasCodes = (await countRecoveryCodes(transaction, tables.recoveryCodes, owner.id)) > 0;
    const recovery_codes = hasCodes
      ? null
      : await replaceRecoveryCodes(transaction, tables.recoveryCodes, owner.id, now);
    const { id, kind } = factor;
    await factorRules.notify(transaction, owner.id, { kind: 'factor_added', factor: kind }, now);
    await recordOwnAudit(
      transaction,
      `${accountKind}.factor_added`,
      { ...owner, now },
      { after: { factor: id, kind } },
    );
    return { factor: toFactor(factor), recovery_codes };
  });
}

/** @throws DomainError `not_found`, including for another account’s */
export async function renameFactor(
  { database, clock, factorRules }: ChangeDependencies,
  owner: FactorOwner,
  { id, name }: { id: string; name: string },
): Promise<Factor> {
  const { tables, accountKind } = factorRules;
  const { factors } = tables;
  return runTransaction(database, async (transaction) => {
    const [renamed] = isId(id)
      ? await transaction
          .update(factors)
          .set({ name })
          .where(ownFactor(factors, owner.id, id))
          .returning()
      : [];
    if (!renamed) throw new DomainError('not_found');
    const audited = { ...owner, now: clock() };
    await recordOwnAudit(transaction, `${accountKind}.factor_renamed`, audited, { after: { factor: id } });
    return toFactor(renamed);
  });
}

/** @throws DomainError `not_found`, and those of `assertCanRemoveLast` */
export async function removeFactor(
  { database, clock, factorRules }: ChangeDependencies,
  owner: FactorOwner,
  id: string,
): Promise<void> {
  const { tables, accountKind } = factorRules;
  await runTransaction(database, async (transaction) => {
    const now = clock();
    // Without the lock, the last two factors could be removed at the same time.
    await factorRules.lockOwner(transaction, owner, now);
    const factors = await activeFactors(transaction, tables, owner.id);
    const removed = factors.find((factor) => factor.id === id);
    if (!removed) throw new DomainError('not_found');
    const isLast = factors.length === 1;
    if (isLast) await factorRules.assertCanRemoveLast(transaction, owner);
    await transaction.delete(tables.factors).where(ownFactor(tables.factors, owner.id, id));
    if (isLast) await deleteRecoveryCodes(transaction, tables.recoveryCodes, owner.id);
    // The factor may have been a thief's.
    const others = { ownerId: owner.id, now, except: owner.sessionHash };
    await endSessionsOf(transaction, factorRules.sessions, others);
    const { kind } = removed;
    await factorRules.notify(transaction, owner.id, { kind: 'factor_removed', factor: kind }, now);
    await recordOwnAudit(
      transaction,
      `${accountKind}.factor_removed`,
      { ...owner, now },
      { before: { factor: id, kind } },
    );
  });
}

/** Replaces all recovery codes. @throws DomainError `factor_state` for an account without a second factor */
export async function renewRecoveryCodes(
  { database, clock, factorRules }: ChangeDependencies,
  owner: FactorOwner,
): Promise<string[]> {
  const { tables, accountKind } = factorRules;
  return runTransaction(database, async (transaction) => {
    const now = clock();
    await factorRules.lockOwner(transaction, owner, now);
    if ((await activeFactors(transaction, tables, owner.id)).length === 0) {
      throw new DomainError('factor_state', { message: 'Add a passkey or an authenticator app first.' });
    }
    const codes = await replaceRecoveryCodes(transaction, tables.recoveryCodes, owner.id, now);
    await factorRules.notify(transaction, owner.id, { kind: 'recovery_codes_replaced' }, now);
    await recordOwnAudit(transaction, `${accountKind}.recovery_codes_replaced`, { ...owner, now });
    return codes;
  });
}

/** Removes all second factors and recovery codes of an account. */
export async function deleteFactors(
  transaction: Transaction,
  { factors, recoveryCodes }: FactorTables,
  ownerId: string,
): Promise<void> {
  await transaction.delete(factors).where(eq(factors.ownerId, ownerId));
  await deleteRecoveryCodes(transaction, recoveryCodes, ownerId);
}

/** Deletes authenticator apps that someone started to add and never finished. */
export const deletePendingFactors = (connection: Connection, { factors }: FactorTables, ownerId: string) =>
  connection.delete(factors).where(and(eq(factors.ownerId, ownerId), isNull(factors.activeAt)));

const ownFactor = (factors: FactorTables['factors'], ownerId: string, id: string) =>
  and(eq(factors.id, id), eq(factors.ownerId, ownerId), isNotNull(factors.activeAt));

const toFactor = ({ id, kind, name, createdAt, lastUsedAt }: FactorRow): Factor => ({
  id,
  kind,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
});
