import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, AuditActor } from '../platform/audit/audit-entry.ts';
import { recordAudit } from '../platform/audit/record-audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Connection, Database } from '../platform/database.ts';
import { DomainError } from '../platform/domain-error.ts';
import {
  type FirmDataKind,
  type FirmDataValues,
  type FirmDataVersion,
  readFirmData,
} from '../platform/firm-data/firm-data.ts';
import { runTransaction } from '../platform/run-transaction.ts';
import { firmData } from '../schema/tables/firm-data-tables.ts';
import { changedValues } from './changed-values.ts';

export interface FirmDataDependencies {
  database: Database;
  clock: Clock;
}

/** The staff member who makes a change. */
export interface ChangedBy {
  actor: AuditActor;
  /** IP address. */
  address: string;
}

const actions: Partial<Record<FirmDataKind, AuditAction>> = {
  bank_holidays: 'firm.bank_holidays_changed',
  brand: 'firm.brand_changed',
  document_groups: 'firm.document_groups_changed',
  ledger_exports: 'firm.ledger_exports_changed',
  payment_rules: 'firm.payment_rules_changed',
  regulation: 'firm.regulation_changed',
  search_catalogue: 'firm.search_catalogue_changed',
  waiting_texts: 'firm.waiting_texts_changed',
};

/** Every other kind is the path of a matter type. */
const actionOf = (kind: FirmDataKind): AuditAction => actions[kind] ?? 'firm.milestone_path_changed';

/**
 * Stores a new version of what the firm edits. A value that is the same changes nothing.
 * @param change.version the version that the member was reading
 * @throws DomainError `changed_meanwhile` if it is no longer the current one
 */
export const changeFirmData = <Kind extends FirmDataKind>(
  { database, clock }: FirmDataDependencies,
  kind: Kind,
  change: { version: number; value: FirmDataValues[Kind] },
  by: ChangedBy,
): Promise<FirmDataVersion<FirmDataValues[Kind]>> =>
  runTransaction(database, async (transaction) => {
    const current = await readFirmData(transaction, kind);
    if (current.version !== change.version) throw new DomainError('changed_meanwhile');
    if (isDeepStrictEqual(current.value, change.value)) return current;
    const changed = {
      version: current.version + 1,
      value: change.value,
      changedAt: clock(),
      changedBy: by.actor.name,
    };
    // A concurrent change has taken the version.
    const inserted = await transaction
      .insert(firmData)
      .values({ kind, ...changed })
      .onConflictDoNothing()
      .returning({ version: firmData.version });
    if (inserted.length === 0) throw new DomainError('changed_meanwhile');
    await recordAudit(transaction, {
      occurredAt: clock(),
      actor: by.actor,
      action: actionOf(kind),
      subject: { kind: 'installation', id: kind.startsWith('milestone_path/') ? kind : null },
      address: by.address,
      ...changedValues(current.value, change.value),
    });
    return changed;
  });

/** Fills in the data of the demonstration firm, unless the desk has changed it. */
export async function fillIn<Kind extends FirmDataKind>(
  connection: Connection,
  kind: Kind,
  value: FirmDataValues[Kind],
  changedAt: Date,
): Promise<void> {
  const { version, changedBy } = await readFirmData(connection, kind);
  if (changedBy !== null) return;
  // Another server may load the demonstration at the same time.
  await connection
    .insert(firmData)
    .values({ kind, version: version + 1, value, changedAt })
    .onConflictDoNothing();
}
