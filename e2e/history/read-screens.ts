import type { CaseSearch, Client, Payment } from '@keyturn/contract';
import type { ScreenFact } from './history.ts';
import type { ClientActor } from './operations/client-operations.ts';
import type { World } from './system/start-system.ts';

/** Reads what each client sees of each of their cases. */
export async function readScreens({ clients }: World, actors: ClientActor[]): Promise<ScreenFact[]> {
  const screens: ScreenFact[] = [];
  for (const [client, { caseIds }] of clients.entries()) {
    const actor = actors[client];
    if (!actor) continue;
    for (const caseId of caseIds) {
      await actor.read('/client/active-case', { method: 'PUT', body: { id: caseId } });
      const [seen, payments, searches] = [
        await actor.read<Client>('/client'),
        await actor.read<Payment[]>('/payments'),
        await actor.read<CaseSearch[]>('/case-searches'),
      ];
      screens.push({
        client,
        caseId: seen.active_case?.id ?? '',
        amountPaid: seen.conveyancing_case?.amount_paid ?? 0,
        payments: Object.fromEntries(
          payments.map(({ id, status, refunded_amount, dispute }) => [
            id,
            { status, refundedAmount: refunded_amount, dispute: dispute?.status ?? null },
          ]),
        ),
        searches: Object.fromEntries(
          searches.map(({ id, status, payment, payable }) => [
            id,
            { status, payment: payment?.id ?? null, payable },
          ]),
        ),
      });
    }
  }
  return screens;
}
