import type { AddedFactor } from '@keyturn/contract';
import { and, eq, isNull } from 'drizzle-orm';
import { Secret } from 'otpauth';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { createTotp, stepOfCode } from './codes.ts';
import type { FactorDependencies, FactorOwner } from './factor-rules.ts';
import { addFactor, assertCanAddFactor, deletePendingFactors } from './factors.ts';

/**
 * Creates the secret of an authenticator app, which becomes active once a code of the app was entered.
 * @returns the secret in Base32, and the address for a QR code with it
 * @throws DomainError `factor_state` if the account has too many factors
 */
export async function startAuthenticator(
  { database, clock, secrets, productName, factorRules }: FactorDependencies,
  owner: FactorOwner,
): Promise<{ id: string; secret: string; uri: string }> {
  const { tables } = factorRules;
  await assertCanAddFactor(database, tables, owner.id);
  const id = newId();
  const secret = new Secret({ size: 20 });
  await runTransaction(database, async (transaction) => {
    await factorRules.lockOwner(transaction, owner, clock());
    await deletePendingFactors(transaction, tables, owner.id);
    await transaction.insert(tables.factors).values({
      id,
      ownerId: owner.id,
      kind: 'authenticator',
      name: 'Authenticator app',
      createdAt: clock(),
      secret: secrets.seal(secret.bytes, id),
    });
  });
  const uri = createTotp(secret.bytes, { issuer: productName, label: owner.email }).toString();
  return { id, secret: secret.base32, uri };
}

/** Adds the authenticator app with a code that it shows. @throws DomainError `not_found`, `code_rejected`, `factor_state` */
export async function activateAuthenticator(
  dependencies: FactorDependencies,
  owner: FactorOwner,
  { id, code, name }: { id: string; code: string; name: string },
): Promise<AddedFactor> {
  const { database, clock, codeClock, secrets, factorRules } = dependencies;
  const { factors } = factorRules.tables;
  const isPending = and(eq(factors.id, id), eq(factors.ownerId, owner.id), isNull(factors.activeAt));
  const [pending] = isId(id) ? await database.select().from(factors).where(isPending) : [];
  if (!pending?.secret) throw new DomainError('not_found');
  const now = clock();
  const opened = secrets.open(pending.secret, id);
  const lastStep = opened && stepOfCode(opened, code, codeClock());
  if (lastStep === null) throw new DomainError('code_rejected');
  const added = await addFactor(dependencies, owner, async (transaction) => {
    const [active] = await transaction
      .update(factors)
      .set({ activeAt: now, lastUsedAt: now, name, lastStep })
      .where(isPending)
      .returning();
    return active ?? null;
  });
  if (!added) throw new DomainError('not_found');
  return added;
}
