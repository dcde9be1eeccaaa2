import { eq, inArray } from 'drizzle-orm';
import { requestPasswordLink } from '../../../people/clients/password-link-mail.ts';
import type { AuditActor } from '../../../platform/audit/audit-entry.ts';
import { recordAudits } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { spreadsheets } from '../../../schema/tables/spreadsheet-tables.ts';
import { clients } from '../../../schema/tables/tables.ts';
import {
  findSpreadsheet,
  lockSpreadsheet,
  type StoredSpreadsheet,
  type Upload,
} from './spreadsheets-store.ts';

export interface InvitationDependencies {
  database: Database;
  clock: Clock;
}

/** The number of clients invited in one transaction. */
const together = 100;

/**
 * Invites the new clients of an import, each once: how many have been invited is stored with their emails, so that a
 * second call, or one after a crash, continues with the others.
 * @throws DomainError `not_found`, `spreadsheet_state`, `firm_data_missing`
 */
export async function inviteClients(
  dependencies: InvitationDependencies,
  upload: Upload,
  by: { actor: AuditActor; address: string },
): Promise<StoredSpreadsheet> {
  while (await inviteNext(dependencies, upload, by));
  return findSpreadsheet(dependencies.database, upload);
}

/** @returns whether there are further clients to invite */
const inviteNext = (
  { database, clock }: InvitationDependencies,
  upload: Upload,
  by: { actor: AuditActor; address: string },
): Promise<boolean> =>
  runTransaction(database, async (transaction) => {
    const { id, state, newClients, invited } = await lockSpreadsheet(transaction, upload);
    if (state !== 'imported')
      throw new DomainError('spreadsheet_state', {
        message: 'Import this file before you invite its clients.',
      });
    const next = newClients.slice(invited, invited + together);
    if (next.length === 0) return false;
    const found = await transaction
      .select({ id: clients.id, email: clients.email, passwordHash: clients.passwordHash })
      .from(clients)
      .where(inArray(clients.id, next));
    const without = found.filter(({ passwordHash }) => passwordHash === null);
    for (const { email } of without) await requestPasswordLink(transaction, email, 'invitation');
    await recordAudits(
      transaction,
      without.map((client) => ({
        occurredAt: clock(),
        ...by,
        action: 'client.invited',
        subject: { kind: 'client', id: client.id },
      })),
    );
    await transaction
      .update(spreadsheets)
      .set({ invited: invited + next.length })
      .where(eq(spreadsheets.id, id));
    return invited + next.length < newClients.length;
  });
