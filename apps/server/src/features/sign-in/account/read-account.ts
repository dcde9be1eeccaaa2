import type { Account } from '@keyturn/contract';
import { minPasswordLength } from '../../../platform/credentials/check-new-password.ts';
import type { FactorDependencies, FactorOwner } from '../../../platform/credentials/factors/factor-rules.ts';
import { listFactors } from '../../../platform/credentials/factors/factors.ts';
import { findNewEmail } from '../email-change/change-email.ts';

/** Reads how the client signs in, and their email address. */
export async function readAccount(
  { database, clock, factorRules }: Pick<FactorDependencies, 'database' | 'clock' | 'factorRules'>,
  owner: FactorOwner,
): Promise<Account> {
  const own = await listFactors(database, factorRules.tables, owner.id);
  return {
    email: owner.email,
    new_email: await findNewEmail(database, owner.id, clock()),
    ...own,
    min_password_length: minPasswordLength({ hasSecondFactor: own.factors.length > 0 }),
  };
}
