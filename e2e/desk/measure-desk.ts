import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseFilter } from '@keyturn/contract/staff';
import pg from 'pg';
import { connectDatabase } from '../../apps/server/src/adapters/postgres/connect.ts';
import { startEmbeddedCluster } from '../../apps/server/src/adapters/postgres/embedded-cluster.ts';
import { listCases } from '../../apps/server/src/case-file/case-list/list-cases.ts';
import { readToday } from '../../apps/server/src/case-file/today/read-today.ts';
import { migrate } from '../../apps/server/src/schema/migrate.ts';

/** The median and 95th-percentile duration of a query, in milliseconds. */
export interface QueryMeasurement {
  name: string;
  p50: number;
  p95: number;
  /** The number of cases or items found. */
  found: number;
}

/**
 * Measures the desk’s lists in an embedded PostgreSQL that waits for the disk, as in production. The cases have a few
 * hundred surnames and streets and ten handlers. Most have a promised update, of which 1 % was missed.
 */
export async function measureDesk({
  cases,
  runs,
}: {
  cases: number;
  runs: number;
}): Promise<QueryMeasurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keyturn-desk-'));
  const cluster = await startEmbeddedCluster({ dataDirectory: join(folder, 'data') });
  const url = cluster.urlOf('postgres');
  const connected = connectDatabase({ url, size: 2 });
  try {
    await migrate(url);
    await generate(url, cases);
    const now = new Date('2026-11-23T09:00:00Z');
    const list = async (filter: CaseFilter, after?: string) =>
      listCases(connected.database, { filter, after, now });
    const deep = (await list({ sort: 'reference', status: 'open' })).cases.at(-1)?.cursor;
    const found = ({ count, cases: listed }: Awaited<ReturnType<typeof list>>) => count ?? listed.length;
    const measured: QueryMeasurement[] = [];
    const measure = async (name: string, read: () => Promise<number>) => {
      const times: number[] = [];
      let last = 0;
      for (let run = 0; run < runs; run += 1) {
        const start = performance.now();
        last = await read();
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      const percentile = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
      measured.push({ name, p50: percentile(0.5), p95: percentile(0.95), found: last });
    };
    const lists: [string, CaseFilter, (string | undefined)?][] = [
      ['first page', { status: 'open' }],
      ['second page by reference', { status: 'open', sort: 'reference' }, deep],
      ['search for a name', { q: 'surname77' }],
      ['search for a name and a postcode', { q: 'surname77 ba1' }],
      ['search for a reference', { q: '54321' }],
      ['search for one letter', { q: 's' }],
      ['search without results', { q: 'zzz' }],
      ['one handler', { status: 'open', handler: 'handler3@example.test' }],
      ['one handler, missed', { handler: 'handler3@example.test', promise: 'missed' }],
      ['a step, by last update', { step: 'step7', sort: 'last_update' }],
      [
        'all filters combined',
        {
          ...{ q: 'surname7', status: 'open', handler: 'handler3@example.test', matter_type: 'sale' },
          ...{ waiting_on: 'us', promise: 'missed', sort: '-last_update' },
        },
      ],
      ['a status that few cases have', { status: 'on_hold', sort: '-reference' }],
    ];
    for (const [name, filter, after] of lists)
      await measure(name, async () => found(await list(filter, after)));
    const member = {
      id: '00000000-0000-4000-8000-000000000000',
      email: 'handler3@example.test',
      role: 'admin',
    } as const;
    for (const scope of ['all', 'mine'] as const)
      await measure(
        `Today: ${scope}`,
        async () => (await readToday(connected.database, { member, list: scope, now })).counts[scope],
      );
    return measured;
  } finally {
    await connected.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function generate(url: string, cases: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Triggers are off: the summaries are derived at the end.
  await client.query('set session_replication_role = replica');
  const range = `generate_series(1, ${cases}) n`;
  const id = (kind: string) => `md5('${kind}' || n)::uuid`;
  for (const statement of [
    `insert into conveyancing_cases (id, reference, title, status, handlers)
     select ${id('case')}, 'KT-2026-' || lpad(n::text, 6, '0'), 'Purchase of ' || n % 400 || ' Street' || n % 700,
       case when n % 500 = 0 then 'on_hold' when n % 5 = 0 then 'active' else 'completed' end,
       jsonb_build_array(jsonb_build_object('name', 'Handler ' || n / 5 % 10, 'role', 'Solicitor', 'phone', '1',
         'email', 'handler' || n / 5 % 10 || '@example.test')) from ${range}`,
    `insert into clients (id, reference, first_name, last_name, email)
     select ${id('client')}, 'C' || n, 'First' || n % 300, 'Surname' || n % 900, 'c' || n || '@example.test' from ${range}`,
    `insert into case_clients select ${id('case')}, ${id('client')} from ${range}`,
    `insert into matters (id, case_id, reference, matter_type, status, property, position)
     select ${id('matter')}, ${id('case')}, 'M' || n, case n % 2 when 0 then 'sale' else 'purchase' end, 'active',
       jsonb_build_object('address_lines', jsonb_build_array(n % 400 || ' Street' || n % 700), 'town', 'Bath',
         'postcode', 'BA' || n % 20 || ' ' || n % 9 || 'AA', 'tenure', 'freehold'), 0 from ${range}`,
    `insert into milestones (id, matter_id, key, title, explanation, stage_title, stage_position, actor, status, position,
       next_update_by)
     select md5('step' || n || step)::uuid, ${id('matter')}, 'step' || (n / 5 + step) % 15, 'Step', 'Why', 'Stage', 0,
       case n % 3 when 0 then 'us' when 1 then 'you' else 'other_side' end, case when step < 3 then 'current' else 'upcoming' end, step,
       case when n % 100 = 5 then date '2026-11-20' when n % 7 > 0 then date '2026-11-24' + n % 40 end
     from ${range}, generate_series(1, 6) step`,
    `insert into history_entries (id, case_id, reference, occurred_at, category, actor, summary)
     select md5('entry' || n || entry)::uuid, ${id('case')}, n || '-' || entry, timestamptz '2026-11-01' - n % 300 * interval '1 day',
       'case', 'The firm', 'Something' from ${range}, generate_series(1, 3) entry`,
    `select summarise_cases(array_agg(id)) from conveyancing_cases`,
    'vacuum analyze',
  ])
    await client.query(statement);
  await client.end();
}
