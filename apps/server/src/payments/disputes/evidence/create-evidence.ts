import { safeFileName } from '@keyturn/format/safe-file-name';
import { payableCases } from '../../../case-file/cases/payable-cases.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import type { PaymentDependencies } from '../../payment-dependencies.ts';
import type { FactSheetPrinter } from '../../ports/printers.ts';
import { findDispute } from '../../records/disputes-store.ts';
import { findPayment } from '../../records/payments-store.ts';
import { composeEvidence } from './compose-evidence.ts';
import { findEvidence } from './evidence-store.ts';

export interface EvidenceDependencies extends Pick<PaymentDependencies, 'database' | 'clock'> {
  factSheetPrinter: FactSheetPrinter;
}

/**
 * Creates the evidence pack of a dispute as a PDF.
 * @param disputeId ours or the provider's
 * @returns null if there is no such dispute
 */
export async function createEvidence(
  { database, clock, factSheetPrinter }: EvidenceDependencies,
  disputeId: string,
): Promise<{ content: Buffer; fileName: string } | null> {
  // One snapshot, so that concurrent webhooks have no effect.
  const pack = await runTransaction(
    database,
    async (transaction) => {
      const dispute = await findDispute(transaction, disputeId);
      const payment = dispute && (await findPayment(transaction, dispute.paymentId));
      if (!dispute || !payment) return null;
      const described = await payableCases.describe(transaction, {
        caseId: payment.caseId,
        matterId: payment.matterId,
        payerId: payment.confirmedBy ?? payment.clientId,
      });
      if (!described) throw new Error('an evidence pack needs a firm');
      const records = await findEvidence(transaction, dispute, payment);
      const name = ['Evidence', payment.receiptNumber, dispute.providerDisputeId].filter(Boolean).join(' ');
      return { content: composeEvidence(records, described, clock()), fileName: safeFileName(`${name}.pdf`) };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
  return pack && { content: await factSheetPrinter.printFactSheet(pack.content), fileName: pack.fileName };
}
