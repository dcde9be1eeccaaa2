import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createImportDependencies,
  createTestDatabase,
  type TestDatabase,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { fixtureFeed as feed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileStore } from '../../../adapters/files/file-store.ts';
import { importFeed } from '../../../doors/import/import-feed.ts';
import type { ImportDependencies } from './batch-context.ts';

const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-batches-'));
  writeFileSync(join(folder, 'letter.pdf'), '%PDF-1.7 a letter');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function take(
  given: unknown,
  { database }: TestDatabase = testDatabase,
  change: Partial<ImportDependencies> = {},
) {
  const stored = { database, files: createFileStore(join(folder, 'stored')) };
  const clock = () => new Date('2026-11-20T12:00:00Z');
  const dependencies = createImportDependencies(stored, { clock, ...change });
  return importFeed(dependencies, { feed: given, folder, as: 'real', actor });
}
const rows = async (sql: string) => (await testDatabase.pool.query(sql)).rows;
const times = <Item>(length: number, make: (index: number) => Item) =>
  Array.from({ length }, (_, index) => make(index));

const [client, conveyancingCase, matter, document, search, task, entry] = [
  feed.clients[0],
  feed.cases[0],
  feed.matters[0],
  feed.documents[0],
  feed.searches[0],
  feed.tasks[0],
  feed.history[0],
];
const base = { ...feed, documents: [], searches: [], tasks: [], history: [] };
const matters = (count: number) => times(count, (index) => ({ ...matter, reference: `M${index}` }));
const clients = (count: number) =>
  times(count, (index) => ({
    reference: `C${index}`,
    first_name: 'A',
    last_name: 'B',
    email: `client${index}@example.test`,
  }));

/** A feed with several batches of each list, and a separate case for each record. */
const manyRecords = (count: number) => ({
  ...feed,
  clients: clients(count),
  cases: times(count, (index) => ({ ...conveyancingCase, reference: `K${index}`, clients: [`C${index}`] })),
  matters: times(count, (index) => ({ ...matter, reference: `M${index}`, case: `K${index}` })),
  documents: times(count, (index) => ({ ...document, reference: `D${index}`, matter: `M${index}` })),
  searches: times(2 * count, (index) => ({
    ...search,
    reference: `S${index}`,
    matter: `M${index % count}`,
    result_document: `D${index % count}`,
  })),
  tasks: times(count, (index) => ({
    ...task,
    reference: `T${index}`,
    case: `K${index}`,
    search: `S${index}`,
  })),
  history: times(count, (index) => ({ ...entry, reference: `H${index}`, case: `K${index}` })),
});

/** Reads everything that an import writes, without generated ids and times. */
const everything = async ({ pool }: TestDatabase) =>
  (
    await pool.query(`select jsonb_build_object(
      'clients', (select jsonb_agg(to_jsonb(c) - '{id,created_at,updated_at}'::text[] order by reference) from clients c),
      'on cases', (select jsonb_agg(array[k.reference, c.reference] order by k.reference, c.reference)
        from case_clients join clients c on c.id = client_id join conveyancing_cases k on k.id = case_id),
      'matters', (select jsonb_agg(array[k.reference, m.reference, m.position::text, encode(m.feed_hash, 'hex')]
        order by m.reference) from matters m join conveyancing_cases k on k.id = m.case_id),
      'milestones', (select jsonb_agg(array[m.reference, s.key, s.status] order by m.reference, s.key)
        from milestones s join matters m on m.id = s.matter_id),
      'searches', (select jsonb_agg(array[m.reference, s.reference, s.position::text, d.reference,
        encode(s.feed_hash, 'hex')] order by s.reference) from case_searches s join matters m on m.id = s.matter_id
        left join documents d on d.id = s.result_document_id),
      'tasks', (select jsonb_agg(array[k.reference, t.reference, s.reference, encode(t.feed_hash, 'hex')]
        order by t.reference) from tasks t join conveyancing_cases k on k.id = t.case_id
        left join case_searches s on s.id = t.case_search_id),
      'history', (select jsonb_agg(array[k.reference, h.reference, encode(h.feed_hash, 'hex')] order by h.reference)
        from history_entries h join conveyancing_cases k on k.id = h.case_id)) as found`)
  ).rows[0].found;

describe('a batch of records', () => {
  test('a batch reports a record that the database rejects, and imports all others', async () => {
    const sent = matters(21).map((record, index) =>
      index === 10
        ? {
            ...record,
            milestones: [{ key: 'instructed', status: 'done', usual_working_days: { from: 1, to: 3e9 } }],
          }
        : record,
    );
    const report = await take({ ...base, matters: sent, searches: [{ ...search, matter: 'M10' }] });
    expect(report).toMatchObject({
      created: 22,
      rejected: [
        { place: '/matters/10', reference: 'M10', reason: expect.stringContaining('out of range') },
        { place: '/searches/0/matter', reference: 'S1' },
      ],
    });
    expect(await rows('select count(distinct matter_id)::int as n from milestones')).toEqual([{ n: 20 }]);
  });

  test('a batch rejects a client with the email of an earlier client, ignoring letter case', async () => {
    const [, second] = clients(2);
    const sent = [
      ...clients(5),
      { ...second, reference: 'X', email: 'CLIENT3@example.test' },
      ...clients(9).slice(5),
    ];
    expect(await take({ ...base, clients: sent, cases: [], matters: [] })).toMatchObject({
      created: 9,
      rejected: [{ place: '/clients/5', reason: 'has an email address that another client has' }],
    });
  });

  test('a batch can move an email from one client to a new one', async () => {
    await take(base);
    const sent = [
      { ...client, email: 'new@example.test' },
      { ...client, reference: 'C2' },
    ];
    expect((await take({ ...base, clients: sent })).rejected).toEqual([]);
    expect(await rows('select reference, email from clients order by reference')).toEqual([
      { reference: 'C1', email: 'new@example.test' },
      { reference: 'C2', email: client.email },
    ]);
  });

  test('a batch rejects clients that swap their emails', async () => {
    await take({ ...base, clients: clients(3), cases: [], matters: [] });
    const [first, second, third] = clients(3);
    const swapped = [{ ...first, email: second?.email }, { ...second, email: first?.email }, third];
    const report = await take({ ...base, clients: swapped, cases: [], matters: [] });
    expect(report.rejected.map(({ place }) => place)).toEqual(['/clients/0', '/clients/1']);
    expect(report.unchanged).toBe(1);
  });

  test.each([0, 250])(
    'a batch imports documents that supersede later ones, with %i in between',
    async (between) => {
      const version = (reference: string, supersedes?: string) => ({ ...document, reference, supersedes });
      const others = times(between, (index) => version(`D${index}`));
      const sent = JSON.parse(
        JSON.stringify([version('third', 'second'), ...others, version('second', 'first'), version('first')]),
      );
      const report = await take({ ...base, documents: sent });
      expect(report.rejected).toEqual([]);
      expect(
        await rows(`select d.reference, s.reference as supersedes from documents d
        join documents s on s.id = d.supersedes_id order by 1`),
      ).toEqual([
        { reference: 'second', supersedes: 'first' },
        { reference: 'third', supersedes: 'second' },
      ]);
      expect(await take({ ...base, documents: sent })).toMatchObject({ created: 0, updated: 0 });
    },
  );

  test('a batch rejects documents that supersede each other, each once', async () => {
    const sent = [
      { ...document, reference: 'D1', supersedes: 'D2' },
      { ...document, reference: 'D2', supersedes: 'D1' },
    ];
    expect((await take({ ...base, documents: sent })).rejected.map(({ place }) => place)).toEqual([
      '/documents/0/supersedes',
      '/documents/1/supersedes',
    ]);
  });

  test.each([5, 1_200])(
    'a batch of %i rejects the second of two records with the same reference',
    async (count) => {
      const history = times(count, (index) => ({ ...entry, reference: `H${index}` }));
      const sent = [...history, { ...entry, reference: 'H2', summary: 'Another' }];
      expect(await take({ ...base, history: sent })).toMatchObject({
        created: count + 3,
        rejected: [{ place: `/history/${count}/reference`, reference: 'H2', reason: 'duplicate reference' }],
      });
      expect(await rows("select summary from history_entries where reference = 'H2'")).toEqual([
        { summary: entry.summary },
      ]);
    },
  );

  test('a batch updates and announces only changed records', async () => {
    const sent = manyRecords(30);
    await take(sent);
    const versions = () => rows(`select reference, xmin::text as version from searches_and_more order by 1`);
    await testDatabase.pool.query(`create view searches_and_more as
      select reference, xmin from case_searches union all select reference, xmin from matters
      union all select reference, xmin from clients union all select reference, xmin from conveyancing_cases
      union all select m.reference || s.key, s.xmin from milestones s join matters m on m.id = s.matter_id
      union all select reference, xmin from documents union all select reference, xmin from tasks
      union all select reference, xmin from history_entries`);
    const before = await versions();
    await rows('delete from broadcast_events');
    const searches = sent.searches.map((each, index) => (index === 17 ? { ...each, name: 'Renamed' } : each));
    expect(await take({ ...sent, searches })).toMatchObject({ created: 0, updated: 1, rejected: [] });
    const changed = (await versions()).filter(({ version }, index) => version !== before[index].version);
    expect(changed).toMatchObject([{ reference: 'S17' }]);
    expect(await rows('select event, cardinality(ids) as n, channel from broadcast_events')).toEqual([
      {
        event: 'CaseSearchUpdated',
        n: 1,
        channel: `private-case.${(await rows("select id from conveyancing_cases where reference = 'K17'"))[0].id}`,
      },
    ]);
  });

  test('a changed matter keeps its unchanged milestones', async () => {
    await take(base);
    const versions = () => rows('select key, xmin::text as version from milestones order by position');
    const before = await versions();
    const milestones = [matter.milestones[0], { key: 'identity_checked', status: 'done' }];
    await take({ ...base, matters: [{ ...matter, milestones }] });
    const changed = (await versions()).filter(({ version }, index) => version !== before[index].version);
    expect(changed).toMatchObject([{ key: 'identity_checked' }]);
  });

  test('removes a client from a case without touching the others', async () => {
    await take({ ...base, clients: clients(3), cases: [{ ...conveyancingCase, clients: ['C0', 'C1'] }] });
    await rows('delete from broadcast_events');
    await take({ ...base, clients: clients(3), cases: [{ ...conveyancingCase, clients: ['C1', 'C2'] }] });
    const ids = Object.fromEntries(
      (await rows('select reference, id from clients')).map((row) => [row.reference, row.id]),
    );
    const [ended] = await rows("select ids from broadcast_events where channel = '#access'");
    expect(ended.ids).toEqual([ids.C0]);
    expect(
      await rows('select c.reference from case_clients join clients c on c.id = client_id order by 1'),
    ).toEqual([{ reference: 'C1' }, { reference: 'C2' }]);
  });

  test('updates the statistics of the tables after a large import', async () => {
    const estimate = async () =>
      (await rows("select reltuples from pg_class where relname = 'history_entries'"))[0];
    await take({ ...base, history: times(900, (index) => ({ ...entry, reference: `H${index}` })) });
    const before = await estimate();
    await take({ ...base, history: times(2_000, (index) => ({ ...entry, reference: `H${index}` })) });
    expect([before, await estimate()]).toEqual([{ reltuples: expect.any(Number) }, { reltuples: 2_000 }]);
    expect(before.reltuples).toBeLessThan(900);
  });

  test('an import that is killed within a batch and repeated stores the same', async () => {
    const sent = manyRecords(450);
    const killer = testDatabase.pool;
    let planned = 0;
    let kill: Promise<unknown> | undefined;
    const clock = () => {
      planned += 1;
      // In the second of three batches of matters, after as many cases.
      if (planned === 450 + 300) {
        kill = killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`);
      }
      return new Date('2026-11-20T12:00:00Z');
    };
    const own = await createTestDatabase({ poolSize: 2 });
    try {
      await expect(take(sent, testDatabase, { clock })).rejects.toThrow();
      await kill;
      expect(await rows('select count(*)::int as n from matters')).toEqual([{ n: 200 }]);
      expect(await take(sent)).toMatchObject({ unchanged: 1_100, rejected: [] });
      await take(sent, own);
      expect(await everything(testDatabase)).toEqual(await everything(own));
    } finally {
      await own.drop();
    }
  });
});
