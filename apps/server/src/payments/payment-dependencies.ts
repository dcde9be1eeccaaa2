import type { AlertOperator } from '../platform/alert-operator.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { PaymentAttempts } from './attempts/payment-attempts.ts';
import type { PaymentContinuity } from './continuity/continuity.ts';
import type { ProviderChoice, PurposeAccounts } from './ports/provider.ts';
import type { AccountKeys } from './provider/account-keys.ts';
import type { RefundLimits } from './records/refund-limits.ts';

/** The dependencies of the use cases of payments; each function picks its own with `Pick`. */
export interface PaymentDependencies extends ProviderChoice, RefundLimits {
  database: Database;
  /** The id of this installation, in the metadata of its intents. */
  installationId: string;
  purposes: PurposeAccounts;
  /** Pauses payments after a backup is restored. */
  continuity: PaymentContinuity;
  /** Pauses payments while a key belongs to the wrong account of the firm. */
  accountKeys: AccountKeys;
  attempts: PaymentAttempts;
  clock: Clock;
  alertOperator: AlertOperator;
}
