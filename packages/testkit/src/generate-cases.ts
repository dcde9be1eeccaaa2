import pg from 'pg';

/**
 * Generates many similar cases in a few statements: each with a client who has read a document and paid once, five
 * searches, five milestones, two documents, three tasks, a bill and fifty entries of history. The references are
 * `C1`, `K1`, `M1` and so on. Triggers and foreign keys are off, because they would take most of the time.
 */
export async function generateCases(url: string, from: number, to: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statementsOf(from, to)) await client.query(statement);
  await client.query('vacuum analyze');
  await client.end();
}

function statementsOf(from: number, to: number): string[] {
  const range = `generate_series(${from}, ${to}) as n`;
  const isNew = (row: string) => `substr(${row}.reference, 2)::int between ${from} and ${to}`;
  const cases = 'conveyancing_cases k';
  const matters = 'matters m';
  const clientOf = (row: string) => `join clients c on c.reference = 'C' || substr(${row}.reference, 2)`;
  return [
    `insert into clients (id, reference, first_name, last_name, email)
     select gen_random_uuid(), 'C' || n, 'A', 'B', 'c' || n || '@example.test' from ${range}`,
    `insert into conveyancing_cases (id, reference, title, status, handlers)
     select gen_random_uuid(), 'K' || n, 'A case', 'active',
       '[{"name": "S", "role": "C", "phone": "1", "email": "s@example.test"}]' from ${range}`,
    `insert into case_clients (case_id, client_id) select k.id, c.id from ${cases} ${clientOf('k')} where ${isNew('k')}`,
    `insert into matters (id, case_id, reference, matter_type, status, property, position)
     select gen_random_uuid(), k.id, 'M' || substr(k.reference, 2), 'purchase', 'active',
       '{"address_lines": ["1 Road"], "town": "Bath", "postcode": "BA1 1AA", "tenure": "freehold", "title_number": null, "price": 100}', 0
     from ${cases} where ${isNew('k')}`,
    `insert into milestones (id, matter_id, key, title, explanation, stage_title, stage_position, actor, status, position)
     select gen_random_uuid(), m.id, key, 'Step', 'Why', 'Stage', n, 'us', 'current', n
     from unnest(array['instructed', 'searches_paid', 'documents_signed', 'report_sent', 'exchanged'])
       with ordinality as step (key, n), ${matters} where ${isNew('m')}`,
    `insert into documents (id, matter_id, reference, "group", title, file_name, media_type, size, sha256, uploaded_by,
       shared_at, signing)
     select gen_random_uuid(), m.id, m.reference || '-' || n, case n when 1 then 'contract' else 'reports' end, 'Letter',
       'l.pdf', 'application/pdf', 1, repeat('0', 64), 'S', now(), case n when 1 then 'simple' end
     from generate_series(1, 2) as n, ${matters} where ${isNew('m')}`,
    `insert into document_reads (document_id, client_id)
     select d.id, c.id from ${matters} ${clientOf('m')} join documents d on d.reference = m.reference || '-2'
     where ${isNew('m')}`,
    `insert into case_searches (id, matter_id, reference, code, name, supplier, explanation, price_net, price_vat_rate,
       price_vat, price_gross, refund_rule, required_by, status, position)
     select gen_random_uuid(), m.id, m.reference || '-' || n, 'X', 'Search', 'T', 'Why', 100, 20, 20, 120, 'All', 'firm',
       'awaiting_payment', n from generate_series(1, 5) as n, ${matters} where ${isNew('m')}`,
    `insert into tasks (id, case_id, reference, kind, title, explanation, status, position, document_id)
     select gen_random_uuid(), k.id, k.reference || '-' || n, kind, 'Do', 'Why', 'open', n,
       (select id from documents where reference = 'M' || substr(k.reference, 2) || '-' || n)
     from unnest(array['sign_document', 'read_document', 'contact_us']) with ordinality as task (kind, n), ${cases}
     where ${isNew('k')}`,
    `insert into bills (id, case_id, reference, number, description, issued_on, net, vat_rate, vat, status, paid_otherwise)
     select gen_random_uuid(), k.id, 'B' || substr(k.reference, 2), k.reference, 'Fees', current_date, 100, 20, 20,
       'issued', 0 from ${cases} where ${isNew('k')}`,
    `insert into payments (id, case_id, matter_id, client_id, kind, status, amount, description, category, lines, provider,
       provider_idempotency_key, last_cause, paid_at, confirmed_by, own_card)
     select gen_random_uuid(), k.id, m.id, c.id, 'other', 'succeeded', 100, 'Money on account', 'money_on_account', '[]',
       'sandbox', gen_random_uuid(), 'test', now(), c.id, true
     from ${cases} ${clientOf('k')} join ${matters} on m.case_id = k.id where ${isNew('k')}`,
    `insert into payment_changes (payment_id, to_status, cause, money)
     select p.id, 'succeeded', 'test', 100 from ${cases} join payments p on p.case_id = k.id where ${isNew('k')}`,
    `insert into payment_mails (payment_id, kind, occasion, client_id, address, written_at)
     select p.id, 'receipt', 1, p.client_id, 'a@example.test', now()
     from ${cases} join payments p on p.case_id = k.id where ${isNew('k')}`,
    `insert into history_entries (id, case_id, reference, occurred_at, category, actor, summary)
     select gen_random_uuid(), k.id, k.reference || '-' || n, now() - n * interval '1 day', 'case', 'S', 'Something'
     from generate_series(1, 50) as n, ${cases} where ${isNew('k')}`,
    `insert into login_failures (subject, failed_at) select sha256(n::text::bytea), now() from ${range}`,
    `insert into sessions (token_hash, client_id, expires_at)
     select sha256(c.reference::bytea), c.id, now() + interval '1 day' from clients c where ${isNew('c')}`,
    // Triggers would have done this.
    `select summarise_cases(array_agg(k.id)) from ${cases} where ${isNew('k')}`,
  ];
}
