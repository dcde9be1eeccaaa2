import type { Payment } from '@keyturn/contract';
import type { Connection } from '../../platform/database.ts';
import { findPaymentsOfCase } from './payments-store.ts';
import type { PayableCases } from './ports.ts';
import { asPayment } from './read-payment.ts';

/** Every payment of the client's active case, whoever of its clients made it, the newest first. */
export async function listPayments(
  { database, cases }: { database: Connection; cases: PayableCases },
  clientId: string,
): Promise<Payment[]> {
  const active = await cases.findActive(database, clientId);
  return active ? (await findPaymentsOfCase(database, active.id)).map(asPayment) : [];
}
