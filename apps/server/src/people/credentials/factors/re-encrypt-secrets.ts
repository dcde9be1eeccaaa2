import { and, eq, isNotNull } from 'drizzle-orm';
import type { SecretBox } from '../../../platform/credentials/secret-box.ts';
import type { Database } from '../../../platform/database.ts';
import type { FactorTables } from '../../../schema/tables/factor-tables.ts';

/** How many secrets of authenticator apps were encrypted with the current key. */
export interface ReEncrypted {
  changed: number;
  /** Encrypted with the current key already. */
  unchanged: number;
  /** Encrypted with another key than the current and the former one. */
  unreadable: number;
}

/**
 * Encrypts the secrets of authenticator apps with the current key. Servers that also know the former key can run
 * meanwhile.
 */
export async function reEncryptSecrets(
  database: Database,
  { factors }: FactorTables,
  secrets: SecretBox,
): Promise<ReEncrypted> {
  const result = { changed: 0, unchanged: 0, unreadable: 0 };
  const rows = await database
    .select({ id: factors.id, secret: factors.secret })
    .from(factors)
    .where(isNotNull(factors.secret));
  for (const { id, secret } of rows) {
    if (secret === null) continue;
    const opened = secrets.open(secret, id);
    if (opened === null) result.unreadable += 1;
    else if (secrets.isCurrent(secret, id)) result.unchanged += 1;
    else {
      const isUnchanged = and(eq(factors.id, id), eq(factors.secret, secret));
      await database
        .update(factors)
        .set({ secret: secrets.seal(opened, id) })
        .where(isUnchanged);
      result.changed += 1;
    }
  }
  return result;
}
