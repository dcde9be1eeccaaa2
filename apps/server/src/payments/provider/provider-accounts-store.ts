import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import type { ProviderName } from '../../platform/provider-names.ts';
import { providerAccounts } from '../../schema/tables/payment-tables.ts';

/** Reads for which provider each account is recorded. */
export async function readRecordedAccounts(connection: Connection): Promise<Map<string, ProviderName>> {
  const rows = await connection.select().from(providerAccounts);
  return new Map(rows.map(({ accountId, provider }) => [accountId, provider]));
}

interface AccountToRecord {
  accountId: string;
  provider: ProviderName;
  recordedAt: Date;
}

/** Records the provider of an account, unless it is recorded for one already. */
export async function recordAccount(connection: Connection, account: AccountToRecord): Promise<void> {
  await connection.insert(providerAccounts).values(account).onConflictDoNothing();
}

/** Changes the recorded provider of an account. */
export async function reassignAccount(connection: Connection, account: AccountToRecord): Promise<void> {
  await connection
    .insert(providerAccounts)
    .values(account)
    .onConflictDoUpdate({
      target: providerAccounts.accountId,
      set: { provider: sql`excluded.provider`, recordedAt: sql`excluded.recorded_at` },
    });
}
