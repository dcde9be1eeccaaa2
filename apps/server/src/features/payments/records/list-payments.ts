import type { Payment } from '@keyturn/contract';
import type { Connection } from '../../../platform/database.ts';
import type { PayableCases } from '../ports.ts';
import { findPaymentsOfCase } from './payments-store.ts';
import { toPayments } from './read-payment.ts';

/** Lists the payments of the client's active case, made by any of its clients, newest first. */
export async function listPayments(
  { database, cases }: { database: Connection; cases: PayableCases },
  clientId: string,
): Promise<Payment[]> {
  const active = await cases.findActive(database, clientId);
  if (!active) return [];
  return toPayments(database, clientId, await findPaymentsOfCase(database, active.id));
}
