import { type SQL, sql } from 'drizzle-orm';

/*
 * Queries for the subjects of a trail, as pairs of kind and id. An entry names a record by the firm’s reference where the
 * feed sent it, and by our id where the server did.
 */

/** Everything that belongs to a case: its clients, records, payments, refunds and disputes. */
export const subjectsOfCase = (caseId: string): SQL => sql`
  select 'case', reference from conveyancing_cases where id = ${caseId}
  union all select 'case', ${caseId}::text
  union all select 'client', named.id from case_clients member join clients on clients.id = member.client_id
    cross join lateral (values (clients.id::text), (clients.reference)) named (id) where member.case_id = ${caseId}
  union all select 'matter', named.id from matters
    cross join lateral (values (matters.id::text), (reference)) named (id) where case_id = ${caseId}
  union all select 'search', named.id from matters join case_searches search on search.matter_id = matters.id
    cross join lateral (values (search.id::text), (search.reference)) named (id) where case_id = ${caseId}
  union all select 'document', named.id from matters join documents document on document.matter_id = matters.id
    cross join lateral (values (document.id::text), (document.reference)) named (id) where case_id = ${caseId}
  union all select 'task', named.id from tasks
    cross join lateral (values (tasks.id::text), (reference)) named (id) where case_id = ${caseId}
  union all select 'history_entry', named.id from history_entries
    cross join lateral (values (history_entries.id::text), (reference)) named (id) where case_id = ${caseId}
  union all select 'bill', named.id from bills
    cross join lateral (values (bills.id::text), (reference)) named (id) where case_id = ${caseId}
  union all ${subjectsOfPayments(sql`payments.case_id = ${caseId}`)}`;

/** A payment with its refunds and disputes. */
export const subjectsOfPayment = (paymentId: string): SQL =>
  subjectsOfPayments(sql`payments.id = ${paymentId}`);

const subjectsOfPayments = (condition: SQL): SQL => sql`
  select 'payment', payments.id::text from payments where ${condition}
  union all select 'refund', refunds.id::text from refunds join payments on payments.id = payment_id where ${condition}
  union all select 'dispute', provider_dispute_id from disputes join payments on payments.id = payment_id where ${condition}`;
