import { isDeepStrictEqual } from 'node:util';
import type { FirmDetails, Versioned } from '@keyturn/contract/staff';
import { recordAudit } from '../platform/audit/record-audit.ts';
import type { Connection } from '../platform/database.ts';
import { DomainError } from '../platform/domain-error.ts';
import { requirePhone } from '../platform/phone-numbers.ts';
import { runTransaction } from '../platform/run-transaction.ts';
import { installation } from '../schema/tables/tables.ts';
import type { ChangedBy, FirmDataDependencies } from './change-firm-data.ts';
import { changedValues } from './changed-values.ts';

/** Reads the firm’s details; the value is null until the desk or a feed has set them. */
export async function readFirmDetails(connection: Connection): Promise<Versioned<FirmDetails | null>> {
  const [row] = await connection
    .select({
      version: installation.firmVersion,
      value: installation.firm,
      changedAt: installation.firmChangedAt,
      changedBy: installation.firmChangedBy,
    })
    .from(installation);
  if (!row) throw new Error('the installation has no row');
  return {
    version: row.version,
    value: row.value,
    changed_at: row.changedAt.toISOString(),
    changed_by: row.changedBy,
  };
}

/**
 * Changes the firm’s details. An unchanged feed keeps the edit; a feed with a changed firm replaces it.
 * @throws DomainError `changed_meanwhile`, including when a feed has changed them; `invalid_input` for the phone number
 */
export async function changeFirmDetails(
  { database, clock }: FirmDataDependencies,
  change: { version: number; value: FirmDetails },
  by: ChangedBy,
): Promise<Versioned<FirmDetails | null>> {
  const phone = requirePhone(change.value.phone, 'value.phone');
  return runTransaction(database, async (transaction) => {
    const [locked] = await transaction.select().from(installation).for('update');
    if (locked?.firmVersion !== change.version) throw new DomainError('changed_meanwhile');
    const value = { ...change.value, phone, closed_on: [...change.value.closed_on].sort() };
    if (!isDeepStrictEqual(locked.firm, value)) {
      await transaction
        .update(installation)
        .set({ firm: value, firmChangedAt: clock(), firmChangedBy: by.actor.name, updatedAt: clock() });
      await recordAudit(transaction, {
        occurredAt: clock(),
        actor: by.actor,
        action: 'firm.details_changed',
        subject: { kind: 'installation', id: null },
        address: by.address,
        ...changedValues(locked.firm ?? {}, value),
      });
    }
    return readFirmDetails(transaction);
  });
}
