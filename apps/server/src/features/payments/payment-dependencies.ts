import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { PaymentAttempts } from './checkout/payment-attempts.ts';
import type { PayableCases, PayableSearches, PaymentHistory, PaymentProvider } from './ports.ts';
import type { PaymentContinuity } from './recovery/continuity.ts';

/** Everything that the use cases of payments need; each function asks for its own part of it with `Pick`. */
export interface PaymentDependencies {
  database: Database;
  /** The id of this installation, in the metadata of its intents. */
  installationId: string;
  /** The provider that new payments are made with. */
  provider: PaymentProvider;
  /** The provider used before, if it can still be called: it only finishes the payments that were started with it. */
  formerProvider: PaymentProvider | null;
  /** Keeps payments closed after a backup is restored. */
  continuity: PaymentContinuity;
  cases: PayableCases;
  searches: PayableSearches;
  history: PaymentHistory;
  attempts: PaymentAttempts;
  clock: Clock;
  alertOperator: AlertOperator;
  /** Pence of a payment that one person alone may refund; above it, a second person has to approve. */
  refundApprovalPence: number;
}
