import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { StoredReceipts } from '../receipts/stored-receipts.ts';

/** The dependencies of the desk's calls about payments. */
export interface PaymentDeskDependencies extends PaymentDependencies {
  receipts: StoredReceipts;
  /** Whether the provider's latest answer was that it rejects our key. */
  isKeyRejected(): boolean;
}
