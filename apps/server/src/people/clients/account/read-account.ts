import type { Account } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import { clients } from '../../../schema/tables/tables.ts';
import { minPasswordLength } from '../../credentials/check-new-password.ts';
import type { FactorDependencies, FactorOwner } from '../../credentials/factors/factor-rules.ts';
import { listFactors } from '../../credentials/factors/factors.ts';
import { findNewEmail } from '../email-change/change-email.ts';
import { isInDoubt } from '../email-change/email-change-rules.ts';

/** Reads how the client signs in, their email address and their phone number. */
export async function readAccount(
  { database, clock, factorRules }: Pick<FactorDependencies, 'database' | 'clock' | 'factorRules'>,
  owner: FactorOwner,
): Promise<Account> {
  const own = await listFactors(database, factorRules.tables, owner.id);
  const [client] = await database
    .select({ phone: clients.phone, email: clients.email, unrestoredEmail: clients.unrestoredEmail })
    .from(clients)
    .where(eq(clients.id, owner.id));
  return {
    email: owner.email,
    new_email: await findNewEmail(database, owner.id, clock()),
    confirms_change_at_current: client !== undefined && !isInDoubt(client),
    phone: client?.phone ?? null,
    ...own,
    min_password_length: minPasswordLength({ hasSecondFactor: own.factors.length > 0 }),
  };
}
