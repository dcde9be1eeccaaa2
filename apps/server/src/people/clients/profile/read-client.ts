import type { Client, ConveyancingCase } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { type ClientRead, defineRead } from '../../../platform/reads/client-read.ts';
import { columns, entityFields, jsonList } from '../../../platform/reads/contract-json.ts';

/** A part of the read of a client: their case. Provided by `composition/`. */
export interface CasePart<Stored> {
  /** Writes the whole case as JSON, as this client sees it; null for another client's. */
  select(caseId: SQL, client: SQL): SQL;
  toCase(stored: Stored): ConveyancingCase | null;
}

/** Reads the client with their active case. */
export type ReadClient = () => ClientRead<Client>;

/** Creates the read of a client with their active case. */
export function createClientRead<Stored>({ select, toCase }: CasePart<Stored>): ReadClient {
  const read = defineRead<Omit<Client, 'conveyancing_case'> & { stored_case: Stored | null }, Client, object>(
    {
      name: 'read_client',
      select: (client, shownCase) => sql`(
      select json_build_object(${entityFields('own')},
        ${columns('own', 'title', 'first_name', 'last_name', 'email', 'phone')},
        'active_case', case when active_case.id is not null
          then json_build_object(${columns('active_case', 'id', 'reference')}) end,
        'cases', ${casesOf(client)},
        'payment_requests', ${paymentRequestsOf(client)},
        'stored_case', case when active_case.id is not null then ${select(sql`active_case.id`, client)} end)
      from clients own
      left join lateral ${shownCase} active_case on true
      where own.id = ${client})`,
      toAnswer: ({ stored_case, ...client }) => ({
        ...client,
        conveyancing_case: stored_case && toCase(stored_case),
      }),
    },
  );
  return () => read({});
}

/** Writes the client's cases, the newest first. */
const casesOf = (client: SQL): SQL =>
  jsonList(sql`json_build_object(${columns('conveyancing_case', 'id', 'reference', 'title')})`, {
    query: sql`
      from case_clients membership
      join conveyancing_cases conveyancing_case on conveyancing_case.id = membership.case_id
      where membership.client_id = ${client}`,
    order: sql`conveyancing_case.created_at desc, conveyancing_case.reference desc`,
  });

/** Writes what the firm has asked the client to pay, of all their cases, once for each request and its reminders. */
const paymentRequestsOf = (client: SQL): SQL =>
  jsonList(sql`json_build_object(${columns('link', 'id', 'description')})`, {
    query: sql`
      from payment_links link
      join case_clients membership on membership.case_id = link.case_id and membership.client_id = link.client_id
      join conveyancing_cases conveyancing_case on conveyancing_case.id = link.case_id
      left join case_searches case_search on case_search.id = link.case_search_id
      left join bills bill on bill.id = link.bill_id
      where link.client_id = ${client} and link.withdrawn_at is null
        and case
          when link.case_search_id is not null
            then conveyancing_case.status = 'active' and case_search.status = 'awaiting_payment'
          when link.bill_id is not null
            then bill.status = 'issued' and bill.net + bill.vat > bill.paid_otherwise + (
              select coalesce(sum(payment.amount - payment.refunded_amount), 0) from payments payment
              where payment.bill_id = bill.id
                and (payment.paid_at is not null or payment.status = 'processing' or payment.review_reason is not null))
          else conveyancing_case.status in ('active', 'on_hold')
        end
        and (link.bill_id is not null or not exists (
          select from payments payment
          where payment.case_id = link.case_id
            and (payment.created_at > link.created_at or payment.paid_at > link.created_at)
            and payment.status <> 'cancelled'
            and case
              when link.case_search_id is not null then payment.case_search_id = link.case_search_id
              else payment.category = link.category and payment.amount = link.amount
            end))
        and not exists (
          select from payment_links reminder
          where reminder.client_id = link.client_id and reminder.case_id = link.case_id
            and reminder.case_search_id is not distinct from link.case_search_id
            and reminder.bill_id is not distinct from link.bill_id
            and (link.case_search_id is not null or link.bill_id is not null
              or reminder.category = link.category and reminder.amount = link.amount)
            and reminder.created_at > link.created_at)`,
    order: sql`link.created_at, link.id`,
  });
