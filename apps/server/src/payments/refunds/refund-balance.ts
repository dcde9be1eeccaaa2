import type { LedgerBalances } from '@keyturn/contract';
import { eq } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { matters } from '../../schema/tables/tables.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { ProviderUnavailable } from '../ports/provider.ts';
import { findProviderOf } from '../provider/find-provider.ts';
import { findPayment, sumReceived } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';

/** What staff should know about the provider before they refund a payment. */
export interface RefundBalance {
  /** Pence that the provider can refund from now; null if it makes refunds of any amount. */
  available: number | null;
  /** Whether the provider no longer refunds the payment, because it was made by bank too long ago. */
  is_period_over: boolean;
  /** Pence that were received online for the same matter, less refunds. */
  received_online: number;
  /** The balances of its matter in the firm’s own ledger; null if the firm’s system sends none. */
  ledger: LedgerBalances | null;
}

/** Milliseconds for which Stripe refunds a payment by bank. */
const bankRefundPeriod = 730 * 86_400_000;

/**
 * Asks the provider from how much money a refund of a payment could be made now.
 * @throws DomainError `not_found`, `provider_unavailable`
 */
export async function readRefundBalance(
  dependencies: PaymentDependencies,
  paymentId: string,
): Promise<RefundBalance> {
  const payment = isId(paymentId) ? await findPayment(dependencies.database, paymentId) : undefined;
  if (!payment) throw new DomainError('not_found');
  const provider = findProviderOf(dependencies, payment);
  if (!provider) throw new DomainError('provider_unavailable', { message: unknownBalance });
  try {
    return {
      available: await provider.readAvailable(),
      is_period_over: isPeriodOver(payment, dependencies.clock()),
      received_online: await sumReceived(dependencies.database, payment),
      ledger: await readLedgerOf(dependencies.database, payment.matterId),
    };
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    throw new DomainError('provider_unavailable', { message: unknownBalance });
  }
}

async function readLedgerOf(connection: Connection, matterId: string | null): Promise<LedgerBalances | null> {
  if (matterId === null) return null;
  const [matter] = await connection
    .select({ ledger: matters.ledger })
    .from(matters)
    .where(eq(matters.id, matterId));
  return matter?.ledger ?? null;
}

const unknownBalance = 'The payment provider doesn’t say how much money is available for refunds.';

const isPeriodOver = ({ method, paidAt }: Pick<PaymentRow, 'method' | 'paidAt'>, now: Date): boolean =>
  method === 'bank' && paidAt !== null && now.getTime() - paidAt.getTime() > bankRefundPeriod;
