import { type CaseStatus, type OrderWordingVersion, orderRequestWords, type Price } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database.ts';
import { prepareSql, prepareStatement } from '../../platform/prepared-statement.ts';
import {
  caseClients,
  caseSearches,
  clients,
  conveyancingCases,
  installation,
  matters,
} from '../../schema/tables/tables.ts';
import type { StatementNames } from '../cases/payable-cases.ts';
import { completeTasks, recordTaskCompletions } from '../tasks/complete-tasks.ts';
import { orderWording } from './order-wording.ts';

/** A search that a client can pay for. */
export interface PayableSearch {
  id: string;
  caseId: string;
  matterId: string;
  name: string;
  price: Price;
  /** The request to order it that a client is shown today. */
  order: { wording: OrderWordingVersion; words: string };
  /** Whether it awaits payment on an active case. */
  awaitsPayment: boolean;
  /** Whether its payment comes after an identity check that is not done. */
  awaitsIdentityCheck: boolean;
  /** The full name of the client. */
  clientName: string;
  /** What the payer's statement names; null before a firm was imported. */
  statement: StatementNames | null;
}

/** What payments do with searches. A search is always locked before its payment, to avoid deadlocks. */
export const payableSearches = {
  /**
   * Finds a search on a case of this client and locks it until the end of the transaction.
   * @param query.locks names of advisory locks that are then acquired too, in this order
   * @returns null if this client has no such search
   */
  lock: async (
    transaction: Transaction,
    query: { clientId: string; caseSearchId: string; locks?: string[] },
  ): Promise<PayableSearch | null> => {
    const { clientId, caseSearchId, locks = [] } = query;
    const { rows } = await lockSearch(transaction, { clientId, caseSearchId, locks });
    const [row] = rows;
    if (!row) return null;
    return {
      id: caseSearchId,
      caseId: row.case_id,
      matterId: row.matter_id,
      name: row.name,
      price: {
        net: row.price_net,
        vat_rate: row.price_vat_rate,
        vat: row.price_vat,
        gross: row.price_gross,
      },
      order: {
        wording: row.order_wording,
        words: orderRequestWords({
          version: row.order_wording,
          day: row.cancellation_ends_on && formatDay(row.cancellation_ends_on),
          refundRule: row.refund_rule,
        }),
      },
      awaitsPayment: row.status === 'awaiting_payment' && row.price_gross > 0 && row.case_status === 'active',
      awaitsIdentityCheck: row.awaits_identity_check,
      clientName: row.client_name,
      statement:
        row.firm_name === null ? null : { firmName: row.firm_name, caseReference: row.case_reference },
    };
  },

  /** Locks a search until the end of the transaction, for any client. */
  lockById: async (transaction: Transaction, caseSearchId: string) => {
    await lockSearchById(transaction, { caseSearchId });
  },

  /** Reads what decides whose money the payment for a search is; null for an unknown search. */
  readToAllocate: async (transaction: Transaction, caseSearchId: string) => {
    const [row] = await transaction
      .select({
        status: caseSearches.status,
        orderedAt: caseSearches.orderedAt,
        supplierCost: caseSearches.supplierCost,
        rebate: caseSearches.rebate,
        isOrderedFromOfficeMoney: sql<boolean>`firm_data_value('payment_rules') ->> 'order_searches' = 'at_once'`,
      })
      .from(caseSearches)
      .where(eq(caseSearches.id, caseSearchId));
    return row ?? null;
  },

  /**
   * Marks a search as paid, and the task to pay it as done.
   * @returns false if the search did not await payment, because it was cancelled or paid by another method
   */
  markPaid: async (transaction: Transaction, caseSearchId: string, paidAt: Date) => {
    const { rows } = await markSearchPaid(transaction, { caseSearchId, paidAt });
    return rows[0]?.was_awaiting ?? false;
  },
};

const lockSearchById = prepareStatement('lock_search', (builder) =>
  builder
    .select({ id: caseSearches.id })
    .from(caseSearches)
    .where(eq(caseSearches.id, sql.placeholder('caseSearchId')))
    .for('update'),
);

const markSearchPaid = prepareSql<{ was_awaiting: boolean }, { caseSearchId: string; paidAt: Date }>(
  'mark_search_paid',
  () => sql`
    with paid as (
      update case_searches set status = 'paid', paid_at = ${sql.placeholder('paidAt')}::timestamptz, updated_at = now()
      where id = ${sql.placeholder('caseSearchId')}::uuid and status = 'awaiting_payment' returning id
    ), done as (
      ${completeTasks(sql`case_search_id = ${sql.placeholder('caseSearchId')}::uuid and kind = 'pay_search'`)}
    )
    select exists (select from paid) as was_awaiting, (${recordTaskCompletions}) as completed_tasks`,
);

/** The other locks depend on the row of the search, so that PostgreSQL cannot take them before it. */
const lockSearch = prepareSql<
  {
    case_id: string;
    matter_id: string;
    name: string;
    status: (typeof caseSearches.$inferSelect)['status'];
    case_status: CaseStatus;
    price_net: number;
    price_vat_rate: number;
    price_vat: number;
    price_gross: number;
    client_name: string;
    case_reference: string;
    firm_name: string | null;
    refund_rule: string;
    order_wording: OrderWordingVersion;
    cancellation_ends_on: string | null;
    awaits_identity_check: boolean;
  },
  { clientId: string; caseSearchId: string; locks: string[] }
>(
  'lock_search_to_pay',
  () => sql`
    with search as materialized (
      select matter.case_id, search.matter_id, search.name, search.status, conveyancing_case.status as case_status,
        search.price_net, search.price_vat_rate::float8, search.price_vat, search.price_gross,
        client.first_name || ' ' || client.last_name as client_name,
        conveyancing_case.reference as case_reference, installation.firm ->> 'name' as firm_name,
        search.refund_rule, ${orderWording} as order_wording,
        conveyancing_case.cancellation_ends_on::text as cancellation_ends_on,
        awaits_identity_check('search', matter.case_id, matter.id) as awaits_identity_check
      from ${caseSearches} as search
      join ${matters} as matter on matter.id = search.matter_id
      join ${conveyancingCases} as conveyancing_case on conveyancing_case.id = matter.case_id
      join ${caseClients} as case_client on case_client.case_id = matter.case_id
      join ${clients} as client on client.id = case_client.client_id
      left join ${installation} as installation on true
      where search.id = ${sql.placeholder('caseSearchId')} and client.id = ${sql.placeholder('clientId')}
      for update of search
    ), locked as materialized (
      select pg_advisory_xact_lock(hashtextextended(lock.name, 0))
      from search, unnest(${sql.placeholder('locks')}::text[]) with ordinality as lock (name, position)
      order by lock.position
    )
    select search.*, (select count(*) from locked) as locked from search`,
);
