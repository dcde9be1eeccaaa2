import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { World } from './system/start-system.ts';

/** One payment to start, by a client who is signed in. */
export interface PaymentToStart {
  authorization: string;
  /** Each client has a different IP address, because payments are rate-limited by address. */
  address: string;
  search: string;
}

/** The number of searches of each client. It is at most the number of payments that a client may start in an hour. */
const searchesPerClient = 10;

/**
 * Adds clients to pay for searches, as copies of the world's first client and case, each signed in and with a case.
 * @returns a payment for each search; payments of one client are far apart
 */
export async function addManyPayers({ pool, clients }: World, payments: number): Promise<PaymentToStart[]> {
  const payers = Array.from({ length: Math.ceil(payments / searchesPerClient) }, (_, number) => ({
    number,
    client_id: randomUUID(),
    case_id: randomUUID(),
    matter_id: randomUUID(),
    token: `kt_${randomBytes(32).toString('base64url')}`,
    address: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
  }));
  const [first] = clients;
  const connection = await pool.connect();
  try {
    // The copies must not broadcast live updates.
    await connection.query('set session_replication_role = replica');
    await connection.query(
      'create temporary table payers (number int, client_id uuid, case_id uuid, matter_id uuid)',
    );
    await connection.query(
      'insert into payers select * from jsonb_to_recordset($1) as payer (number int, client_id uuid, case_id uuid, matter_id uuid)',
      [JSON.stringify(payers)],
    );
    const copy = (table: string, changes: string, condition: string) =>
      connection.query(
        `insert into ${table} select changed.* from payers, generate_series(1, $2::int) search, ${table} source,
           jsonb_populate_record(source, jsonb_build_object(${changes})) changed
         where ${condition}`,
        [first?.id, table === 'case_searches' ? searchesPerClient : 1],
      );
    const ofFirstCase = '(select case_id from case_clients where client_id = $1 limit 1)';
    await copy(
      'clients',
      `'id', client_id, 'reference', source.reference || number, 'email', number || source.email`,
      'source.id = $1',
    );
    await copy(
      'conveyancing_cases',
      `'id', payers.case_id, 'reference', source.reference || number`,
      `source.id = ${ofFirstCase}`,
    );
    await connection.query(
      'insert into case_clients (case_id, client_id) select case_id, client_id from payers',
    );
    await copy(
      'matters',
      `'id', payers.matter_id, 'case_id', payers.case_id, 'reference', source.reference || number`,
      `source.case_id = ${ofFirstCase}`,
    );
    await copy(
      'case_searches',
      `'id', gen_random_uuid(), 'matter_id', payers.matter_id, 'reference', source.reference || number || '-' || search`,
      `source.matter_id in (select id from matters where case_id = ${ofFirstCase})`,
    );
    await connection.query(
      `insert into sessions (token_hash, client_id, expires_at)
       select decode(hash, 'hex'), client_id, now() + interval '1 day'
       from jsonb_to_recordset($1) as session (hash text, client_id uuid)`,
      [
        JSON.stringify(
          payers.map(({ token, client_id }) => ({
            client_id,
            hash: createHash('sha256').update(token).digest('hex'),
          })),
        ),
      ],
    );
    await connection.query('set session_replication_role = default');
    const { rows } = await connection.query<{ id: string; number: number }>(
      `select search.id, number from case_searches search join payers on payers.matter_id = search.matter_id
       order by row_number() over (partition by number), number`,
    );
    await connection.query('vacuum analyze');
    return rows.map(({ id, number }) => {
      const { token = '', address = '' } = payers[number] ?? {};
      return { authorization: `Bearer ${token}`, address, search: id };
    });
  } finally {
    connection.release(true);
  }
}
