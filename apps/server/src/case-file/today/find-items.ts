import type { TodayKindName } from '@keyturn/contract/staff';
import { londonDay } from '@keyturn/format/london-time';
import { type SQL, sql } from 'drizzle-orm';

/* The SQL that finds what needs attention, kind by kind. */

/** The day and time for which items are found. */
export interface FoundAt {
  /** In London. */
  today: SQL;
  now: SQL;
}

/** Written as constants, because PostgreSQL’s planner then knows how few rows are due, unlike with parameters. */
export const foundAt = (now: Date): FoundAt => ({
  today: sql.raw(`date '${londonDay(now)}'`),
  now: sql.raw(`timestamptz '${now.toISOString()}'`),
});

/** Days before a search result expires at which it is listed: enough to renew a local search. */
const expiryWarning = 42;
/** Days after which a signed paper is overdue if its task has no date. */
const paperAllowance = 14;
/** Days after which an unseen signature is no longer listed, so that the query stays fast. */
const signatureWindow = 90;

/** Days after which a failed refund that no one has marked as done is no longer listed, so that the query stays fast. */
const failedRefundWindow = 365;

const londonDayOf = (instant: SQL) => sql`(${instant} at time zone 'Europe/London')::date`;
/** As in the column `occasion` of `desk_items`. */
const epochOf = (instant: SQL) => sql`(extract(epoch from ${instant}) * 1000)::bigint::text`;
const isOpenCase = sql`c.status in ('active', 'on_hold')`;
/** Joins the first open case of the row `client`. */
const firstOpenCase = sql`
    join lateral (
      select c.id from case_clients member join conveyancing_cases c on c.id = member.case_id
      where member.client_id = client.id and ${isOpenCase} order by c.reference limit 1) open_case on true`;
/** As in the index `payments_one_per_search`. */
const paysFor = sql`case_search_id = search.id and payments.status <> 'cancelled' and search_released_at is null`;
/** As in `order_waits_for`. */
const ordersOnceCleared = sql`firm_data_value('payment_rules') ->> 'order_searches' = 'cleared'`;
const isOpenMatter = sql`m.status in ('active', 'on_hold')`;

/**
 * Writes the items of a kind with the columns `subject_id`, `occasion`, `case_id`, `since`, `due_on`, `name`,
 * `amount`, `payment_id` and `urgency`, which is 0 for late items, 1 for items due today and 2 for the rest.
 */
export const itemsOf: Record<TodayKindName, (at: FoundAt) => SQL> = {
  promise_missed: ({ today }) => promises(sql`promised_on < ${today}`, 0),
  promise_due: ({ today }) => promises(sql`promised_on = ${today}`, 1),
  search_to_order: ({ today }) => sql`
    select search.id as subject_id, paid.day::text as occasion, m.case_id, paid.day as since, paid.day as due_on,
      search.name, null::integer as amount, null::uuid as payment_id,
      case when paid.day < ${today} then 0 else 1 end as urgency
    from case_searches search
    join matters m on m.id = search.matter_id
    join conveyancing_cases c on c.id = m.case_id
    cross join lateral (
      select ${londonDayOf(sql`greatest(coalesce(search.paid_at, search.updated_at), (
        select max(greatest((payer_check ->> 'recorded_at')::timestamptz,
          case when ${ordersOnceCleared} then cleared_at end)) from payments where ${paysFor}))`)} as day) paid
    where search.status = 'paid' and ${isOpenCase} and ${isOpenMatter}
      and not exists (
        select from payments where ${paysFor} and order_waits_for(payments) is not null)`,
  search_expiring: ({ today }) => sql`
    select case_id as subject_id, expires_on::text as occasion, case_id,
      expires_on - ${sql.raw(String(expiryWarning))} as since, expires_on as due_on,
      (select string_agg(distinct search.name, ', ') from case_searches search
         join matters m on m.id = search.matter_id
         where m.case_id = case_summaries.case_id and search.valid_until = expires_on
           and search.status in ('returned', 'reviewed')) as name,
      null::integer as amount, null::uuid as payment_id,
      case when expires_on < ${today} then 0 else 2 end as urgency
    from case_summaries
    where expires_on < 'infinity' and expires_on <= ${today} + ${sql.raw(String(expiryWarning))}`,
  document_signed: ({ today }) => sql`
    select document.id as subject_id, signed.occasion, m.case_id, signed.since, null::date as due_on, document.title as name,
      null::integer as amount, null::uuid as payment_id, 2 as urgency
    from (
      select document_id, ${epochOf(sql`max(signed_at)`)} as occasion,
        max(${londonDayOf(sql`signed_at`)}) as since
      from document_signatures where signed_at >= ${today} - ${sql.raw(String(signatureWindow))}
      group by document_id) signed
    join documents document on document.id = signed.document_id
    join matters m on m.id = document.matter_id
    join conveyancing_cases c on c.id = m.case_id
    where ${isOpenCase} and ${isOpenMatter}`,
  task_overdue: ({ today }) => sql`
    select task.id as subject_id, task.due_on::text as occasion, task.case_id, task.due_on as since, task.due_on,
      task.title as name, task.amount, null::uuid as payment_id, 2 as urgency
    from tasks task
    join conveyancing_cases c on c.id = task.case_id
    left join documents document on document.id = task.document_id
    left join case_searches search on search.id = task.case_search_id
    where task.status = 'open' and task.due_on is not null and task.due_on < ${today} and ${isOpenCase}
      and awaits_check(document) is not true
      -- On paper: paper_awaited.
      and (document.id is null or document.signing is null or document.signing = 'simple')
      -- Paid, or being paid.
      and (task.kind <> 'pay_search' or search.status = 'awaiting_payment' and not exists (
        select from payments where case_search_id = search.id
          and (payments.status = 'processing' or review_reason is not null)))`,
  paper_awaited: ({ today }) => sql`
    select document.id as subject_id, awaited.due_on::text as occasion, m.case_id, awaited.due_on as since,
      awaited.due_on, document.title as name, null::integer as amount, null::uuid as payment_id, 2 as urgency
    from documents document
    join matters m on m.id = document.matter_id
    join conveyancing_cases c on c.id = m.case_id
    cross join lateral (
      select coalesce(min(due_on), ${londonDayOf(sql`document.shared_at`)} + ${sql.raw(String(paperAllowance))}) as due_on,
        bool_or(status = 'done') as is_done
      from tasks where document_id = document.id and kind = 'sign_document') awaited
    where document.signing in ('deed', 'wet_ink') and document.received_on is null and document.withdrawn_at is null
      and awaited.is_done is not true and awaited.due_on < ${today} and ${isOpenCase} and ${isOpenMatter}
      and not exists (select from documents newer where newer.supersedes_id = document.id and newer.withdrawn_at is null)`,
  invitation_expired: ({ now }) => sql`
    select distinct on (client.id) client.id as subject_id, ${epochOf(sql`link.expires_at`)} as occasion, open_case.id as case_id,
      ${londonDayOf(sql`link.expires_at`)} as since, null::date as due_on,
      concat_ws(' ', client.first_name, client.last_name) as name, null::integer as amount, null::uuid as payment_id,
      2 as urgency
    from password_links link
    join clients client on client.id = link.client_id and client.password_hash is null
    ${firstOpenCase}
    where link.purpose = 'invitation' and link.used_at is null and link.expires_at < ${now}
      and client.unrestored_email is null
      and not exists (
        select from password_links newer where newer.client_id = client.id and newer.expires_at >= ${now})
    order by client.id, link.expires_at desc`,
  address_not_restored: () => sql`
    select client.id as subject_id, md5(client.unrestored_email) as occasion, open_case.id as case_id,
      ${londonDayOf(sql`client.updated_at`)} as since, null::date as due_on,
      concat_ws(' ', client.first_name, client.last_name) as name, null::integer as amount, null::uuid as payment_id,
      0 as urgency
    from clients client ${firstOpenCase}
    where client.unrestored_email is not null`,
  payment_review: () => sql`
    select payment.id as subject_id, md5(payment.review_reason) as occasion, payment.case_id,
      ${londonDayOf(sql`payment.updated_at`)} as since, null::date as due_on, payment.description as name, payment.amount,
      payment.id as payment_id, 0 as urgency
    from payments payment where payment.review_reason is not null`,
  payer_check: () => sql`
    select payment.id as subject_id, '' as occasion, payment.case_id, ${londonDayOf(sql`payment.paid_at`)} as since,
      null::date as due_on, payment.description || ', paid by ' || payment.payer_name as name, payment.amount,
      payment.id as payment_id, 1 as urgency
    from payments payment
    where payment.own_card is false and payment.payer_check is null and awaits_payer_check(payment)`,
  payment_matter: ({ today }) => sql`
    select payment.id as subject_id, '' as occasion, payment.case_id, ${londonDayOf(sql`payment.paid_at`)} as since,
      due.day as due_on, concat_ws(', ', payment.description, payment.reference) as name, payment.amount,
      payment.id as payment_id, case when due.day < ${today} then 0 else 1 end as urgency
    from payments payment
    cross join lateral (select matter_due_on(payment) as day) due
    where payment.matter_id is null and payment.bill_id is null and payment.paid_at is not null and awaits_matter(payment)`,
  // One row for the payout, at the first payment in it.
  payout_failed: () => sql`
    select distinct on (payout.provider, payout.payout_id) payment.id as subject_id, payout.payout_id as occasion,
      payment.case_id, payout.arrives_on as since, null::date as due_on,
      'Payout ' || payout.payout_id || ' with ' || payment.description
        || case when found.others > 0 then ' and ' || found.others || ' more' else '' end as name,
      payout.amount, payment.id as payment_id, 0 as urgency
    from payouts payout
    join balance_transactions charge on charge.provider = payout.provider and charge.payout_id = payout.payout_id
      and charge.kind = 'charge'
    join payments payment on payment.provider = charge.provider and payment.provider_intent_id = charge.intent_id
    cross join lateral (
      select count(*) - 1 as others from balance_transactions
      where provider = payout.provider and payout_id = payout.payout_id and kind = 'charge') found
    where payout.status = 'failed' and payout.matched_on is null and not payout.precedes_matching
    order by payout.provider, payout.payout_id, payment.created_at, payment.id`,
  refund_approval: () => sql`
    select refund.id as subject_id, '' as occasion, payment.case_id, ${londonDayOf(sql`refund.created_at`)} as since,
      null::date as due_on, payment.description as name, refund.amount, payment.id as payment_id, 1 as urgency
    from refunds refund join payments payment on payment.id = refund.payment_id
    where refund.status = 'awaiting_approval'`,
  refund_failed: ({ today }) => failedRefunds(today, sql`not ${isUnderfunded}`),
  refund_underfunded: ({ today }) => failedRefunds(today, isUnderfunded),
  fraud_warning: () => sql`
    select payment.id as subject_id, md5(string_agg(warning.provider_warning_id, ' ' order by warning.id)) as occasion,
      payment.case_id, ${londonDayOf(sql`min(warning.warned_at)`)} as since, null::date as due_on,
      payment.description as name, payment.amount, payment.id as payment_id, 0 as urgency
    from early_fraud_warnings warning join payments payment on payment.id = warning.payment_id
    where warning.is_actionable group by payment.id`,
  provider_review: () => sql`
    select payment.id as subject_id, md5(string_agg(review.provider_review_id, ' ' order by review.id)) as occasion,
      payment.case_id, ${londonDayOf(sql`min(review.opened_at)`)} as since, null::date as due_on,
      payment.description as name, payment.amount, payment.id as payment_id, 0 as urgency
    from provider_reviews review join payments payment on payment.id = review.payment_id
    where review.is_open group by payment.id`,
  dispute_open: ({ today }) => sql`
    select dispute.id as subject_id, coalesce(deadline.day::text, '') as occasion, payment.case_id,
      ${londonDayOf(sql`dispute.opened_at`)} as since, deadline.day as due_on, payment.description as name,
      dispute.amount, payment.id as payment_id,
      case when deadline.day <= ${today} then 0 when deadline.day <= ${today} + 3 then 1 else 2 end as urgency
    from disputes dispute
    join payments payment on payment.id = dispute.payment_id
    cross join lateral (select ${londonDayOf(sql`dispute.evidence_due_by`)} as day) deadline
    where dispute.status <> 'closed' and dispute.status = 'needs_response'`,
  bill_overdue: ({ today }) => sql`
    select due.bill_id as subject_id, due.due_on::text as occasion, due.case_id, due.due_on as since, due.due_on,
      due.name, due.left_to_pay as amount, null::uuid as payment_id, 2 as urgency
    from (
      select bill.id as bill_id, bill.case_id, bill.dated as due_on, 'Bill ' || bill.number || ': ' || bill.description as name,
        (bill.net + bill.vat - bill.paid_otherwise - paid.by_card - paid.under_way)::integer as left_to_pay
      from (
        select *, coalesce(due_on, issued_on) as dated from bills
        where status = 'issued' and not due_on_completion and paid_otherwise < net + vat
          and coalesce(due_on, issued_on) < ${today}
        union all
        select bills.*, m.completed_on from bills join matters m on m.id = bills.matter_id
        where bills.status = 'issued' and due_on_completion and paid_otherwise < net + vat
          and m.completed_on < ${today}) bill
      cross join lateral (
        select coalesce(sum(amount - refunded_amount) filter (where paid_at is not null), 0) as by_card,
          coalesce(sum(amount) filter (where paid_at is null
            and (status = 'processing' or review_reason is not null)), 0) as under_way
        from payments where bill_id = bill.id) paid) due
    where due.left_to_pay > 0`,
};

/** Refunds that failed or were refused, and that were not made again. @param condition on `refund` */
const failedRefunds = (today: SQL, condition: SQL) => sql`
  select refund.id as subject_id, '' as occasion, payment.case_id, ${londonDayOf(sql`refund.updated_at`)} as since,
    null::date as due_on, payment.description as name, refund.amount, payment.id as payment_id, 1 as urgency
  from refunds refund join payments payment on payment.id = refund.payment_id
  where (refund.status = 'failed' or refund.status = 'rejected' and refund.last_cause = 'refund_refused')
    and refund.updated_at >= ${today} - ${sql.raw(String(failedRefundWindow))} and ${condition}
    and not exists (
      select from refunds later where later.payment_id = refund.payment_id and later.created_at > refund.created_at
        and later.status not in ('failed', 'cancelled', 'rejected'))`;

/** Whether the provider gave one of its reasons for too little money. */
const isUnderfunded = sql`coalesce(refund.failure_reason in ('insufficient_funds', 'balance_insufficient'), false)`;

/** The step with the promised update is looked up for the listed items only. */
const promises = (condition: SQL, urgency: number) => sql`
  select case_id as subject_id, promised_on::text as occasion, case_id, promised_on as since, promised_on as due_on,
    null::text as name, null::integer as amount, null::uuid as payment_id, ${sql.raw(String(urgency))} as urgency
  from case_summaries where ${condition}`;
