import { eq } from 'drizzle-orm';
import { recordAuditOncePerDay } from '../../platform/audit/record-audit-once-per-day.ts';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { Database } from '../../platform/database.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { conveyancingCases } from '../../schema/tables/tables.ts';

/** Audits that a member saw a case as its clients see it, at most once in 24 hours for each member and case. */
export function auditPreview(
  database: Database,
  { staff, address, caseId, now }: { staff: SignedInStaff; address: string; caseId: string; now: Date },
): Promise<void> {
  return runTransaction(database, async (transaction) => {
    const [found] = await transaction
      .select({ reference: conveyancingCases.reference })
      .from(conveyancingCases)
      .where(eq(conveyancingCases.id, caseId));
    await recordAuditOncePerDay(transaction, {
      occurredAt: now,
      actor: { kind: 'staff', id: staff.id, name: staff.name ?? staff.email },
      action: 'case.previewed',
      // The reference, as for a case that was changed.
      subject: { kind: 'case', id: found?.reference ?? caseId },
      address,
    });
  });
}
