import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { prepareSql } from '../../platform/prepared-statement.ts';
import { clients, installation } from '../../schema/tables/tables.ts';

/** What payments write into the history of a case. */
export const paymentHistory = {
  /** @param entry.clientId null for actions of the firm or the payer's bank */
  record: async (
    transaction: Transaction,
    entry: { caseId: string; occurredAt: Date; clientId: string | null; summary: string },
  ) => {
    await insertEntry(transaction, { id: newId(), ...entry });
  },
};

/** The actor is the client, or the firm. */
const insertEntry = prepareSql<
  Record<string, never>,
  { id: string; caseId: string; occurredAt: Date; clientId: string | null; summary: string }
>(
  'record_payment_history',
  () => sql`
    insert into history_entries (id, case_id, occurred_at, summary, category, actor)
    select ${sql.placeholder('id')}::uuid, ${sql.placeholder('caseId')}::uuid,
      ${sql.placeholder('occurredAt')}::timestamptz, ${sql.placeholder('summary')}::text, 'payment',
      case when ${sql.placeholder('clientId')}::uuid is null
        then coalesce((select firm ->> 'name' from ${installation}), 'Your conveyancer')
        else coalesce((select first_name || ' ' || last_name from ${clients} as client
          where client.id = ${sql.placeholder('clientId')}::uuid), 'A client') end`,
);
