// @ts-check
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

/*
 * The floor of `api.mjs`: a server of `node:http` and `pg` alone. For each request one prepared statement finds the
 * session and lets PostgreSQL assemble the whole answer, which is sent unchanged.
 */

const pg = createRequire(new URL('../apps/server/package.json', import.meta.url))('pg');
// The answer is not parsed.
pg.types.setTypeParser(pg.types.builtins.JSON, (/** @type {string} */ text) => text);

const instant = (/** @type {string} */ name) =>
  `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const fields = (/** @type {string} */ row, /** @type {string} */ names) =>
  names
    .split(' ')
    .map((name) => `'${name}', ${name.endsWith('_at') ? instant(`${row}.${name}`) : `${row}.${name}`}`)
    .join();
const entity = (/** @type {string} */ row) => fields(row, 'id created_at updated_at');
const list = (/** @type {string} */ value, /** @type {string} */ order, /** @type {string} */ from) =>
  `(select coalesce(json_agg(${value} order by ${order}), '[]'::json) from ${from})`;

const activeCase = `(
  select c.* from case_clients cc join clients cl on cl.id = cc.client_id join conveyancing_cases c on c.id = cc.case_id
  where cc.client_id = session.client_id
  order by coalesce(c.id = cl.active_case_id, false) desc, c.status = 'active' desc, c.created_at desc, c.reference desc
  limit 1)`;

const searches = `json_build_object('data', ${list(
  `json_build_object(${entity('s')}, ${fields('s', 'matter_id code name supplier explanation refund_rule required_by')},
    ${fields('s', 'status expected_on paid_at ordered_at returned_at valid_until delayed_reason')},
    ${fields('s', 'outcome outcome_summary result_document_id')},
    'price', json_build_object('net', s.price_net, 'vat_rate', s.price_vat_rate, 'vat', s.price_vat, 'gross', s.price_gross),
    'payment', case when p.id is not null then json_build_object('id', p.id, 'status', p.status,
      'payer', case when payer.id is not null then json_build_object('id', payer.id, 'first_name', payer.first_name) end,
      'dispute', case when p.dispute_status is not null then json_build_object('status', p.dispute_status) end) end,
    'payable', s.status = 'awaiting_payment' and s.price_gross > 0 and c.status = 'active' and not r.review
      and (p.id is null or p.status in ('requires_payment_method', 'requires_action', 'processing')),
    'under_review', r.review)`,
  'm.position, s.position, s.id',
  `${activeCase} c join matters m on m.case_id = c.id join case_searches s on s.matter_id = m.id
   left join payments p on p.case_search_id = s.id and p.status <> 'cancelled' and p.search_released_at is null
   left join clients payer on payer.id = p.confirmed_by
   cross join lateral (select exists (
     select from payments where case_search_id = s.id and review_reason is not null) as review) r`,
)})`;

/** Selects the bills of a case, each with the amount left to pay and the due date. */
const bills = `(
  select b.*, coalesce(d.due_on, m.target_completion_on) as shown_due_on, d.due_on <= today.day as is_due,
    greatest(0, b.net + b.vat - b.paid_otherwise - p.by_card - p.under_way) as unpaid,
    greatest(0, b.net + b.vat - b.paid_otherwise - p.by_card - p.open) as payable
  from bills b
  left join matters m on m.id = b.matter_id
  cross join (select (now() at time zone 'Europe/London')::date as day) today
  cross join lateral (select case when b.due_on_completion then m.completed_on
    else coalesce(b.due_on, b.issued_on) end as due_on) d
  cross join lateral (
    select coalesce(sum(amount - refunded_amount) filter (where paid_at is not null), 0) as by_card,
      coalesce(sum(amount) filter (where status in ('requires_payment_method', 'requires_action', 'processing')), 0) as open,
      coalesce(sum(amount) filter (where paid_at is null
        and (status = 'processing' or review_reason is not null)), 0) as under_way
    from payments where bill_id = b.id) p
  where b.case_id = c.id and b.status = 'issued')`;

const paid = "p.status in ('succeeded', 'partially_refunded', 'refunded')";
const client = `(select json_build_object('data', json_build_object(${entity('own')},
  ${fields('own', 'title first_name last_name email phone')},
  'active_case', json_build_object('id', c.id, 'reference', c.reference),
  'cases', ${list(
    `json_build_object(${fields('k', 'id reference title')})`,
    'k.created_at desc, k.reference desc',
    'case_clients kc join conveyancing_cases k on k.id = kc.case_id where kc.client_id = own.id',
  )},
  'conveyancing_case', json_build_object(${entity('c')}, ${fields('c', 'reference title status handlers')},
    'firm', (select shown_firm from installation),
    'clients', ${list(
      `json_build_object(${fields('o', 'id first_name')})`,
      'o.reference',
      'case_clients oc join clients o on o.id = oc.client_id where oc.case_id = c.id',
    )},
    'matters', ${list(
      `json_build_object(${entity('m')}, ${fields('m', 'matter_type status property parties')},
        ${fields('m', 'target_exchange_on target_completion_on exchanged_on completed_on')}, 'stage', p.stage,
        'progress', json_build_object('done', p.done, 'total', p.total))`,
      'm.position, m.reference',
      `matters m cross join lateral (select count(*) filter (where status = 'done') as done,
         count(*) filter (where status <> 'not_needed') as total,
         (array_agg(key order by status = 'current' desc, position, id)
           filter (where status in ('current', 'blocked')))[1] as stage
         from milestones where matter_id = m.id) p where m.case_id = c.id`,
    )},
    'tasks', ${list(
      'entry',
      "status = 'open' desc, due_on nulls last, position, reference",
      `(select f.status, t.due_on, t.position, t.reference, json_build_object(${entity('t')}, ${fields('t', 'kind title explanation due_on matter_id document_id')},
        'status', f.status, 'case_search_id', s.id, 'bill_id', null,
        'amount', case when t.kind = 'pay_search' then s.price_gross else t.amount end,
        'signing', case when t.kind = 'sign_document' then d.signing end,
        'binds_on', case when t.kind = 'sign_document' and not (b.moment = 'exchange' and m.exchanged_on is not null)
          then b.moment end) as entry
       from tasks t
       left join case_searches s on s.id = t.case_search_id
       left join documents d on d.id = t.document_id
       left join matters m on m.id = d.matter_id
       cross join lateral (select coalesce(d.binds_on, case when d.signing = 'simple' and d."group" = 'contract'
         and m.matter_type in ('sale', 'purchase') then 'exchange' end) as moment) b
       left join document_signatures g on g.document_id = t.document_id and g.client_id = own.id
       left join document_reads r on r.document_id = t.document_id and r.client_id = own.id
       cross join lateral (select case
         when t.kind = 'sign_document' and (g.id is not null or d.received_on is not null) then 'done'
         when t.kind = 'read_document' and r.read_at is not null then 'done' else t.status end as status) f
       where t.case_id = c.id
       union all
       select 'open', b.shown_due_on, 1000000, b.number, json_build_object(${entity('b')}, 'kind', 'pay_bill',
         'title', 'Pay our bill ' || b.number, 'explanation', b.description || '.', 'due_on', b.shown_due_on,
         'status', 'open', 'matter_id', b.matter_id, 'case_search_id', null, 'document_id', null, 'bill_id', b.id,
         'signing', null, 'binds_on', null, 'amount', case when b.payable > 0 then b.unpaid end)
       from ${bills} b where b.is_due and b.unpaid > 0) all_tasks`,
    )},
    'unread_documents', (select count(*) from matters m join documents d on d.matter_id = m.id where m.case_id = c.id
      and not exists (select from document_reads where document_id = d.id and client_id = own.id)
      and not exists (select from documents n where n.supersedes_id = d.id)),
    'amount_due', case when c.status = 'active' then by_search.due + (select coalesce(sum(amount), 0) from tasks
      where case_id = c.id and kind = 'pay' and status = 'open') else 0 end
      + (select coalesce(sum(unpaid) filter (where is_due), 0) from ${bills} b),
    'amount_due_later', (select coalesce(sum(unpaid) filter (where is_due is not true), 0) from ${bills} b),
    'amount_paid', by_search.elsewhere + (
      select coalesce(sum(amount - refunded_amount), 0) from payments p where p.case_id = c.id and ${paid}))))
  from ${activeCase} c cross join lateral (select * from clients where id = session.client_id) own
  cross join lateral (
    select coalesce(sum(s.price_gross) filter (where s.status = 'awaiting_payment' and p.id is null), 0) as due,
      coalesce(sum(s.price_gross) filter (where s.paid_at is not null and p.id is null), 0) as elsewhere
    from matters m join case_searches s on s.matter_id = m.id
    left join payments p on p.case_search_id = s.id
      and (${paid} and p.search_released_at is null or p.review_reason is not null)
    where m.case_id = c.id) by_search)`;

const history = `(select json_build_object('data', coalesce(json_agg(e.entry order by e.n) filter (where e.n <= 5), '[]'),
    'meta', json_build_object('total', (select count(*) from history_entries where case_id = c.id),
      'next_cursor', case when count(*) > 5 then rtrim(translate(replace(encode(
        (max(e.cursor) filter (where e.n = 5))::bytea, 'base64'), E'\\n', ''), '+/', '-_'), '=') end))
  from ${activeCase} c left join lateral (
    select row_number() over (order by occurred_at desc, id desc) as n,
      (extract(epoch from occurred_at) * 1000000)::bigint || '/' || id as cursor,
      json_build_object(${entity('h')}, ${fields('h', 'occurred_at category actor summary link')}) as entry
    from history_entries h where case_id = c.id order by occurred_at desc, id desc limit 6) e on true
  group by c.id)`;

/** Leaves out what is computed for each reader: the party to act next, and when a step usually happens. */
const milestones = `json_build_object('data', ${list(
  `json_build_object(${entity('s')}, ${fields('s', 'matter_id key title explanation actor status reached_on')},
    ${fields('s', 'expected_from expected_to next_update_by position')},
    'stage', json_build_object('title', s.stage_title, 'position', s.stage_position, 'key_moment', s.key_moment),
    'usual_working_days', case when s.usual_days_from is not null and s.usual_days_to is not null
      then json_build_object('from', s.usual_days_from, 'to', s.usual_days_to) end)`,
  'm.position, m.id, s.position',
  `${activeCase} c join matters m on m.case_id = c.id join milestones s on s.matter_id = m.id`,
)})`;

/** @type {Record<string, string>} */
const answers = {
  '/api/client': client,
  '/api/case-searches': searches,
  '/api/milestones': milestones,
  '/api/case-history?limit=5': history,
};

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
  options: '-c jit=off',
});

const server = createServer((request, response) => {
  const path = request.url ?? '';
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  pool
    .query({
      name: path,
      text: `select ${answers[path]} as answer from sessions session
        where token_hash = $1 and revoked_at is null and expires_at > now()
          and last_used_at > now() - interval '30 minutes'`,
      values: [createHash('sha256').update(token).digest()],
    })
    .then(
      (/** @type {{ rows: { answer: string }[] }} */ { rows: [row] }) => {
        response.writeHead(row ? 200 : 401, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(row?.answer ?? ''),
        });
        response.end(row?.answer);
      },
      (/** @type {Error} */ error) => response.writeHead(500).end(error.message),
    );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
