import { missingFirmData } from '@keyturn/contract/staff';
import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { readFirmData } from '../../platform/firm-data/firm-data.ts';
import { readRegulatedFirm } from '../../platform/firm-data/statutory-line.ts';

/**
 * Reads what the firm must still enter or decide, and whether it can invite clients: a firm that has invited one before continues
 * to. The audit log has every invitation since release 0.2; a client with a password was invited, or got it from the feed.
 */
export async function readMissingFirmData(
  connection: Connection,
): Promise<{ missing: string[]; allows_invitations: boolean; lacks_payment_rules: boolean }> {
  const { firm, regulation } = await readRegulatedFirm(connection);
  const missing = missingFirmData(firm, regulation);
  const { value: rules } = await readFirmData(connection, 'payment_rules');
  return {
    missing,
    allows_invitations: missing.length === 0 || (await hasInvited(connection)),
    lacks_payment_rules: !rules.is_decided,
  };
}

async function hasInvited(connection: Connection): Promise<boolean> {
  const { rows } = await connection.execute(
    sql`select from audit_entries where action = 'client.invited'
      union all select from clients where password_hash is not null limit 1`,
  );
  return rows.length > 0;
}

/** Explains why the firm cannot invite its first client yet, with everything that is missing; null if it can. */
export async function refusalOfInvitations(connection: Connection): Promise<string | null> {
  const { missing, allows_invitations } = await readMissingFirmData(connection);
  return allows_invitations
    ? null
    : `No client can be invited yet. First an admin enters in Settings → Firm what a regulated firm must show. Missing: ${missing.join('; ')}.`;
}

/** @throws DomainError `firm_data_missing` if the firm cannot invite its first client yet */
export async function assertInvitationsAllowed(connection: Connection): Promise<void> {
  const message = await refusalOfInvitations(connection);
  if (message !== null) throw new DomainError('firm_data_missing', { message });
}
