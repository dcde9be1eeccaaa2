import type pg from 'pg';

export interface Household {
  caseId: string;
  emails: string[];
}

/** The number of searches to pay for, and of documents to sign, of each client: more than a test uses. */
const tasksPerClient = 40;

/**
 * Adds cases of two clients each, as copies of a case of the demonstration, with searches to pay for and documents to
 * sign. Copies have the columns of whichever release created the database.
 */
export async function addHouseholds(pool: pg.Pool, clients: number): Promise<Household[]> {
  const connection = await pool.connect();
  try {
    // The copies must not broadcast live updates.
    await connection.query('set session_replication_role = replica');
    await connection.query(
      `create temporary table households as
       select number, gen_random_uuid() as case_id, gen_random_uuid() as matter_id from generate_series(1, $1::int) number`,
      [Math.ceil(clients / 2)],
    );
    await connection.query(
      `create temporary table members as
       select number, case_id, gen_random_uuid() as client_id, 'member-' || number || '-' || place || '@example.test' as email
       from households, generate_series(1, 2) place`,
    );
    await connection.query(
      `create temporary table sources as
       select d.id as document_id, m.id as matter_id, m.case_id,
         (select client_id from case_clients where case_id = m.case_id limit 1) as client_id,
         (select id from case_searches where status = 'awaiting_payment' order by reference limit 1) as search_id
       from documents d join matters m on m.id = d.matter_id
       where d.signing = 'simple' and not exists (select from document_signatures where document_id = d.id)
       order by d.reference limit 1`,
    );
    for (const [table, source, changes, series] of copies) {
      await connection.query(
        `insert into ${table} select changed.* from sources, ${table} original, ${series} copy,
           jsonb_populate_record(original, jsonb_build_object(${changes})) changed
         where original.id = sources.${source}`,
        series.startsWith('(') ? [2 * tasksPerClient] : [],
      );
    }
    await connection.query(
      'insert into case_clients (case_id, client_id) select case_id, client_id from members',
    );
    await connection.query('select summarise_cases(array_agg(case_id)) from households');
    const { rows } = await connection.query<Household>(
      `select case_id as "caseId", array_agg(email order by email) as emails from members group by 1`,
    );
    return rows;
  } finally {
    connection.release(true);
  }
}

const tasks = '(select * from households, generate_series(1, $1::int) as task)';

/** For each table: the column that names the original, the changes in a copy, and the rows that each get a copy. */
const copies = [
  [
    'clients',
    'client_id',
    `'id', copy.client_id, 'reference', copy.email, 'email', copy.email, 'active_case_id', copy.case_id`,
    'members',
  ],
  [
    'conveyancing_cases',
    'case_id',
    `'id', copy.case_id, 'reference', 'household-' || copy.number`,
    'households',
  ],
  [
    'matters',
    'matter_id',
    `'id', copy.matter_id, 'case_id', copy.case_id, 'reference', 'household-' || copy.number`,
    'households',
  ],
  [
    'case_searches',
    'search_id',
    `'id', gen_random_uuid(), 'matter_id', copy.matter_id, 'position', copy.task,
     'reference', 'household-' || copy.number || '-' || copy.task, 'feed_hash', null`,
    tasks,
  ],
  [
    'documents',
    'document_id',
    `'id', gen_random_uuid(), 'matter_id', copy.matter_id,
     'reference', 'household-' || copy.number || '-' || copy.task, 'feed_hash', null`,
    tasks,
  ],
] as const;
