import type { AddedFactor } from '@keyturn/contract/staff';
import { and, eq, isNull } from 'drizzle-orm';
import { Secret } from 'otpauth';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId, newId } from '../../../platform/ids.ts';
import { staffFactors } from '../../../platform/tables/staff-tables.ts';
import { type CallingMember, lockCallingMember } from '../sign-in/calling-member.ts';
import type { StaffDependencies } from '../staff-dependencies.ts';
import { createTotp, stepOfCode } from './codes.ts';
import { addFactor, assertCanAddFactor, deletePendingFactors } from './factors.ts';

/**
 * Creates the secret of an authenticator app, which becomes active once a code of the app was entered.
 * @returns the secret in Base32, and the address for a QR code with it
 * @throws DomainError `staff_state` if the member has too many factors
 */
export async function startAuthenticator(
  { database, clock, secrets, productName }: StaffDependencies,
  owner: CallingMember,
): Promise<{ id: string; secret: string; uri: string }> {
  await assertCanAddFactor(database, owner.id);
  const id = newId();
  const secret = new Secret({ size: 20 });
  await database.transaction(async (transaction) => {
    await lockCallingMember(transaction, owner, clock());
    await deletePendingFactors(transaction, owner.id);
    await transaction.insert(staffFactors).values({
      id,
      staffId: owner.id,
      kind: 'authenticator',
      name: 'Authenticator app',
      createdAt: clock(),
      secret: secrets.seal(secret.bytes, id),
    });
  });
  const uri = createTotp(secret.bytes, { issuer: productName, label: owner.email }).toString();
  return { id, secret: secret.base32, uri };
}

/** Adds the authenticator app with a code that it shows. @throws DomainError `not_found`, `code_rejected`, `staff_state` */
export async function activateAuthenticator(
  dependencies: StaffDependencies,
  owner: CallingMember,
  { id, code, name }: { id: string; code: string; name: string },
): Promise<AddedFactor> {
  const { database, clock, secrets } = dependencies;
  const isPending = and(
    eq(staffFactors.id, id),
    eq(staffFactors.staffId, owner.id),
    isNull(staffFactors.activeAt),
  );
  const [pending] = isId(id) ? await database.select().from(staffFactors).where(isPending) : [];
  if (!pending?.secret) throw new DomainError('not_found');
  const now = clock();
  const opened = secrets.open(pending.secret, id);
  const lastStep = opened && stepOfCode(opened, code, now);
  if (lastStep === null) throw new DomainError('code_rejected');
  const added = await addFactor(dependencies, owner, async (transaction) => {
    const [active] = await transaction
      .update(staffFactors)
      .set({ activeAt: now, lastUsedAt: now, name, lastStep })
      .where(isPending)
      .returning();
    return active ?? null;
  });
  if (!added) throw new DomainError('not_found');
  return added;
}
