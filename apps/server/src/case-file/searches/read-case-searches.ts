import { type CaseSearch, openPaymentStatuses } from '@keyturn/contract';
import { type SQL, sql } from 'drizzle-orm';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { defineRead } from '../../platform/reads/client-read.ts';
import {
  asInstant,
  columns,
  entityFields,
  instants,
  jsonList,
  literals,
} from '../../platform/reads/contract-json.ts';
import { deskFields, nameOf } from '../cases/desk-fields.ts';
import { deskPrefix } from '../records/references.ts';
import { orderWording } from './order-wording.ts';

/** Reads the searches of the client's active case, in the firm's order. */
export const readCaseSearches = defineRead<CaseSearch[], CaseSearch[], object>({
  name: 'read_case_searches',
  select: (client, shownCase) => {
    const query = sql`from ${shownCase} conveyancing_case ${searchesWithPayments}`;
    return jsonList(caseSearch('checked', isShownTo(client)), {
      query,
      order: sql`matter.position, search.position, search.id`,
    });
  },
});

/**
 * Reads one search of any of the client's cases.
 * @throws DomainError `not_found`, the same for an unknown search and another client's
 */
export function readCaseSearch(id: string) {
  if (!isId(id)) throw new DomainError('not_found');
  return readOne({ id });
}

const readOne = defineRead<CaseSearch | null, CaseSearch, { id: string }>({
  name: 'read_case_search',
  select: (client) => sql`(
    select ${caseSearch('checked', isShownTo(client))} from case_clients own
    join conveyancing_cases conveyancing_case on conveyancing_case.id = own.case_id
    ${searchesWithPayments}
    where own.client_id = ${client} and search.id = ${sql.placeholder('id')})`,
  toAnswer: (found) => {
    if (!found) throw new DomainError('not_found');
    return found;
  },
});

const isShownTo = (client: SQL) => sql`is_shown_to(documents, ${client})`;

/** Joins the searches of a case, each with the payment that reserves it. */
const searchesWithPayments = sql`
  join matters matter on matter.case_id = conveyancing_case.id
  join case_searches search on search.matter_id = matter.id
  left join payments payment on payment.case_search_id = search.id
    and payment.status <> 'cancelled' and payment.search_released_at is null
  left join clients payer on payer.id = payment.confirmed_by
  cross join lateral (
    -- Also a cancelled payment, although it no longer reserves the search.
    select exists (
      select from payments reviewed where reviewed.case_search_id = search.id and reviewed.review_reason is not null
    ) as under_review) review
  -- What the result says, once the firm has checked it.
  left join lateral (
    select search.outcome, search.outcome_summary, search.result_document_id where search.status = 'reviewed'
  ) checked on true`;

/** Clients read what the supplier charges unless it pays a part of that back to the firm. */
const costShown = {
  search: sql`search.supplier_cost`,
  checked: sql`case when coalesce(search.rebate, 0) = 0 then search.supplier_cost end`,
};

/**
 * Writes a search of the rows that `searchesWithPayments` joins.
 * @param result the row with what the result says: `checked` is empty until the firm has checked it
 * @param isShown whether the file of the result, in the row `documents`, is shown
 */
const caseSearch = (
  result: 'search' | 'checked',
  isShown: SQL,
) => sql`json_build_object(${entityFields('search')},
  ${columns('search', 'matter_id', 'code', 'name', 'supplier', 'explanation')},
  ${columns('search', 'refund_rule', 'required_by', 'status', 'expected_on', 'valid_until', 'delayed_reason')},
  ${columns(result, 'outcome', 'outcome_summary')},
  'result_document_id', (select id from documents where id = ${sql.raw(result)}.result_document_id and ${isShown}),
  ${instants('search', 'paid_at', 'ordered_at', 'returned_at')},
  'price', json_build_object('net', search.price_net, 'vat_rate', search.price_vat_rate::float8,
    'vat', search.price_vat, 'gross', search.price_gross),
  'supplier_cost', ${costShown[result]}, ${columns('search', 'estimate', 'above_estimate')}, 'order_wording', ${orderWording}, ${columns('conveyancing_case', 'cancellation_ends_on')},
  'payment', case when payment.id is not null then json_build_object(${columns('payment', 'id', 'status')},
    'payer', case when payer.id is not null then json_build_object(${columns('payer', 'id', 'first_name')}) end,
    'dispute', case when payment.dispute_status is not null
      then json_build_object('status', payment.dispute_status) end,
    'clearing', case when payment.paid_at is not null and payment.status <> 'refunded' then json_build_object(
      'is_cleared', payment.cleared_at is not null, 'on', payment.clears_on) end,
    'payer_check', shown_payer_check(payment)) end,
  'payable', search.status = 'awaiting_payment' and search.price_gross > 0 and conveyancing_case.status = 'active'
    and not review.under_review
    and (payment.id is null or payment.status in (${literals(openPaymentStatuses)})),
  'under_review', review.under_review)`;

/** Writes the searches of the case in the row `conveyancing_case`, with what was paid, as staff see them. */
export const searchesAtDesk: SQL = jsonList(
  sql`json_build_object('shown', ${caseSearch('search', sql`withdrawn_at is null`)}, ${deskFields('search')}, ${columns('search', 'rebate')},
      'money', case when payment.id is not null then json_build_object(
        ${columns('payment', 'id', 'status', 'amount', 'refunded_amount', 'method')},
        'client', ${nameOf('paying')}, 'started_at', ${asInstant('payment.created_at')},
        ${instants('payment', 'paid_at')},
        'is_under_way', payment.status in (${literals(openPaymentStatuses)}),
        'dispute', payment.dispute_status, 'waits_for', order_waits_for(payment),
        'order_request', case when payment.order_words is not null then json_build_object(
          'words', payment.order_words, 'client', ${nameOf('paying')},
          'requested_at', ${asInstant('payment.order_now_at')},
          'filed_at', (select ${asInstant('shared_at')} from documents
            where reference = ${sql.raw(`'${deskPrefix}'`)} || payment.id)) end) end)`,
  {
    query: sql`
        from (select conveyancing_case.id, conveyancing_case.status, conveyancing_case.cancellation,
          conveyancing_case.cancellation_ends_on) conveyancing_case ${searchesWithPayments}
        left join clients paying on paying.id = coalesce(payment.confirmed_by, payment.client_id)`,
    order: sql`matter.position, search.position, search.id`,
  },
);
