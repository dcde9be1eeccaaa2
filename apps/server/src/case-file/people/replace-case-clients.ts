import { sql } from 'drizzle-orm';
import { queueCancelPayments } from '../../people/clients/cancel-payments-job.ts';
import type { Transaction } from '../../platform/database.ts';

/**
 * Makes these pairs the only clients of their cases. Clients that stay on a case are not affected; the open payments of
 * those who are removed are cancelled.
 */
export async function replaceCaseClients(
  transaction: Transaction,
  pairs: readonly { caseId: string; clientId: string }[],
): Promise<void> {
  const sent = sql`unnest(${sql.param(pairs.map(({ caseId }) => caseId))}::uuid[],
    ${sql.param(pairs.map(({ clientId }) => clientId))}::uuid[]) as sent (case_id, client_id)`;
  const { rows: removed } = await transaction.execute<{ clientId: string }>(sql`
    delete from case_clients where case_id in (select case_id from ${sent})
      and (case_id, client_id) not in (select case_id, client_id from ${sent})
    returning client_id as "clientId"`);
  await transaction.execute(
    sql`insert into case_clients (case_id, client_id) select case_id, client_id from ${sent} on conflict do nothing`,
  );
  for (const clientId of new Set(removed.map((row) => row.clientId)))
    await queueCancelPayments(transaction, { clientId, reason: 'client_removed' });
}
