import { and, eq, isNull } from 'drizzle-orm';
import type { Transaction } from './database.ts';
import { caseClients, documentSignatures } from './tables/tables.ts';

/** Whether every client of a case has signed a document. The caller has locked the document's row. */
export async function isSignedByAll(
  transaction: Transaction,
  { documentId, caseId }: { documentId: string; caseId: string },
): Promise<boolean> {
  const [missing] = await transaction
    .select({ clientId: caseClients.clientId })
    .from(caseClients)
    .leftJoin(
      documentSignatures,
      and(
        eq(documentSignatures.clientId, caseClients.clientId),
        eq(documentSignatures.documentId, documentId),
      ),
    )
    .where(and(eq(caseClients.caseId, caseId), isNull(documentSignatures.id)))
    .limit(1);
  return missing === undefined;
}
