import { type SQL, sql } from 'drizzle-orm';

/** Amounts in pence, and the number of unread documents. */
export interface CaseSums {
  /** Searches that await payment, without a successful payment or one under review. */
  searchesDue: number;
  /** Open tasks to pay for anything but a search. */
  tasksDue: number;
  /** Card payments made in Keyturn, less refunds. */
  paidHere: number;
  /** Searches that the firm reports as paid by another method. */
  paidElsewhere: number;
  /** Unread by this client; only the latest version of a document counts. */
  unreadDocuments: number;
}

/** Writes the amounts and the unread documents of a case. */
export const sumsOf = (caseId: SQL, client: SQL): SQL => sql`(
  select json_build_object('searchesDue', by_search.due, 'paidElsewhere', by_search.elsewhere,
    'paidHere', by_payment.here, 'tasksDue', by_task.due, 'unreadDocuments', by_document.unread)
  from (
    select ${total('search.price_gross', "search.status = 'awaiting_payment' and payment.id is null")} as due,
      ${total('search.price_gross', 'search.paid_at is not null and payment.id is null')} as elsewhere
    from matters matter
    join case_searches search on search.matter_id = matter.id
    -- A search with a payment under review is not due until the review has ended. Payments are found by their case.
    left join payments payment on payment.case_search_id = search.id and payment.case_id = matter.case_id
      and ((${isPaid} and payment.search_released_at is null) or payment.review_reason is not null)
    where matter.case_id = ${caseId}) by_search,
  (select ${total('payment.amount - payment.refunded_amount', 'true')} as here
    from payments payment where payment.case_id = ${caseId} and ${isPaid}) by_payment,
  (select ${total('amount', 'true')} as due
    from tasks task left join documents document on document.id = task.document_id
    where task.case_id = ${caseId} and task.kind = 'pay' and task.status = 'open'
      and is_hidden_from(document, ${client}) is not true) by_task,
  (select count(*) as unread
    from matters matter
    join documents document on document.matter_id = matter.id
    where matter.case_id = ${caseId} and is_shown_to(document, ${client})
      and not exists (
        select from document_reads where document_id = document.id and client_id = ${client} and read_at is not null)
      and not exists (
        select from documents newer join matters its_matter on its_matter.id = newer.matter_id
        where newer.supersedes_id = document.id and is_shown_to(newer, ${client}) and its_matter.case_id = matter.case_id)) by_document)`;

const total = (pence: string, condition: string) =>
  sql.raw(`coalesce(sum(${pence}) filter (where ${condition}), 0)`);

const isPaid = sql.raw("payment.status in ('succeeded', 'partially_refunded', 'refunded')");
