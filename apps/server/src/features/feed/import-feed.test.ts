import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPayment, createTestDatabase, type TestDatabase } from '@keyturn/testkit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { importFeed } from './import-feed.ts';
import { FeedFault } from './read-feed.ts';

let testDatabase: TestDatabase;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  mkdirSync(join(folder, 'feed'));
  writeFileSync(join(folder, 'feed', 'letter.pdf'), '%PDF-1.7 a letter');
  writeFileSync(join(folder, 'feed', 'note.txt'), 'only text');
  writeFileSync(join(folder, 'feed', 'empty.pdf'), '');
  writeFileSync(join(folder, 'secret.pdf'), '%PDF-1.7 secret');
  symlinkSync(join(folder, 'secret.pdf'), join(folder, 'feed', 'link.pdf'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.drop());

const firm = {
  name: 'A & B',
  sra_number: '1',
  phone: '0117 496 0100',
  address: ['Bristol'],
  opening_hours: 'Weekdays',
};
const feed = {
  format: 'keyturn-case-feed/1',
  as_of: '2026-11-20',
  firm,
  clients: [
    {
      reference: 'C1',
      first_name: 'Zoë',
      last_name: "O'Brien-Łukasiewicz 李",
      email: 'zoe@example.test',
      password: 'a long enough phrase 9',
    },
  ],
  cases: [
    {
      reference: 'K1',
      title: 'A case',
      status: 'active',
      clients: ['C1'],
      handlers: [{ name: 'R', role: 'C', phone: '1', email: 'r@example.test' }],
    },
  ],
  matters: [
    {
      reference: 'M1',
      case: 'K1',
      matter_type: 'purchase',
      status: 'active',
      property: {
        address_lines: ['1 Road'],
        town: 'Bath',
        postcode: 'BA1 1AA',
        tenure: 'freehold',
        title_number: null,
        price: 100,
      },
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-01' },
        { key: 'identity_checked', status: 'current' },
      ],
    },
  ],
  documents: [
    {
      reference: 'D1',
      matter: 'M1',
      group: 'contract',
      title: 'Letter',
      file: 'letter.pdf',
      uploaded_by: 'R',
      shared_at: '2026-11-01T10:00:00Z',
    },
  ],
  searches: [
    {
      reference: 'S1',
      matter: 'M1',
      code: 'ENVIRO',
      name: 'Environmental',
      supplier: 'T',
      explanation: 'Why',
      price: { net: 3333, vat_rate: 17.5 },
      refund_rule: 'All of it',
      required_by: 'lender',
      status: 'awaiting_payment',
      result_document: 'D1',
    },
  ],
  tasks: [
    {
      reference: 'T1',
      case: 'K1',
      search: 'S1',
      kind: 'pay_search',
      title: 'Pay',
      explanation: 'Now',
      status: 'open',
    },
  ],
  history: [
    {
      reference: 'H1',
      case: 'K1',
      occurred_at: '2026-11-01T09:00:00Z',
      category: 'case',
      actor: 'R',
      summary: 'Opened',
    },
  ],
} as const;

function take(given: unknown, as: 'real' | 'demonstration' = 'real', dryRun = false) {
  const dependencies = {
    database: testDatabase.database,
    files: createFileStore(join(folder, 'stored')),
    clock: () => new Date(),
    hashPassword: async (password: string) => `hash of ${password}`,
    checkPassword: (password: string) => (password.length < 12 ? ['Please use at least 12 characters.'] : []),
  };
  return importFeed(dependencies, { feed: given, folder: join(folder, 'feed'), as, dryRun });
}
const rows = async (sql: string, values: unknown[] = []) => (await testDatabase.pool.query(sql, values)).rows;
const everything = () =>
  rows(`select jsonb_build_array((select jsonb_agg(c order by id) from clients c), (select jsonb_agg(c order by id) from conveyancing_cases c),
    (select jsonb_agg(m order by id) from matters m), (select jsonb_agg(m order by id) from milestones m), (select jsonb_agg(d order by id) from documents d),
    (select jsonb_agg(s order by id) from case_searches s), (select jsonb_agg(t order by id) from tasks t), (select jsonb_agg(h order by id) from history_entries h)) as all_of_it`);
const changed = <List extends keyof typeof feed>(list: List, change: object) => ({
  ...feed,
  [list]: (feed[list] as readonly object[]).map((record) => ({ ...record, ...change })),
});

describe('a feed', () => {
  test('is taken whole the first time, and names of every script come out as they went in', async () => {
    expect(await take(feed)).toEqual({ created: 7, updated: 0, unchanged: 0, refused: [] });
    expect(await rows('select last_name, password_hash from clients')).toEqual([
      { last_name: "O'Brien-Łukasiewicz 李", password_hash: 'hash of a long enough phrase 9' },
    ]);
    expect((await rows('select count(*)::int as n from milestones'))[0].n).toBe(20);
    expect(await rows('select price_vat, price_gross from case_searches')).toEqual([
      { price_vat: 583, price_gross: 3916 },
    ]);
  });

  test('that is sent again changes nothing, not even a time', async () => {
    await take(feed);
    const before = await everything();
    expect(await take(feed)).toEqual({ created: 0, updated: 0, unchanged: 7, refused: [] });
    expect(await everything()).toEqual(before);
  });

  test('brings up to date just what has changed', async () => {
    await take(feed);
    expect(await take(changed('searches', { status: 'ordered' }))).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 6,
    });
  });

  test('taken by two at once is taken once', async () => {
    const reports = await Promise.all([take(feed), take(feed), take(feed)]);
    expect(reports.flatMap((report) => report.refused)).toEqual([]);
    expect(reports.reduce((sum, report) => sum + report.created, 0)).toBe(7);
  });

  test('that is only tried out writes nothing', async () => {
    expect(await take(feed, 'real', true)).toMatchObject({ created: 7 });
    expect((await rows('select count(*)::int as n from clients'))[0].n).toBe(0);
    expect(await rows('select holds from installation')).toEqual([{ holds: 'nothing' }]);
  });

  test('takes a new password only while the client has none', async () => {
    await take(feed);
    await take(changed('clients', { password: 'quite another phrase 7', phone: '1' }));
    expect(await rows('select password_hash from clients')).toEqual([
      { password_hash: 'hash of a long enough phrase 9' },
    ]);
  });
});

describe('what clients have signed', () => {
  const toSign = {
    ...feed,
    clients: [...feed.clients, { ...feed.clients[0], reference: 'C2', email: 'tom@example.test' }],
    cases: [{ ...feed.cases[0], clients: ['C1', 'C2'] }],
    documents: [{ ...feed.documents[0], signature_required: true }],
    tasks: [{ ...feed.tasks[0], kind: 'sign_document', search: undefined, document: 'D1' }],
  };
  const sign = (client: string) =>
    rows(
      `insert into document_signatures
         (id, document_id, position, client_id, name, method, consent, signed_at, address, sha256, mac)
       select gen_random_uuid(), d.id, (select count(*) + 1 from document_signatures), c.id, 'N', 'typed', 'yes',
         now(), '::1', d.sha256, decode(repeat('00', 32), 'hex')
       from documents d, clients c where c.reference = $1`,
      [client],
    );
  const statusOfTask = async () => (await rows('select status from tasks'))[0]?.status;

  test('keeps its file: another is to be sent as a new document', async () => {
    writeFileSync(join(folder, 'feed', 'other.pdf'), '%PDF-1.7 another letter');
    const altered = { ...toSign, documents: [{ ...toSign.documents[0], file: 'other.pdf', title: 'New' }] };
    await take(toSign);
    await sign('C1');
    expect((await take(altered)).refused).toMatchObject([
      { place: '/documents/0/file', reason: expect.stringContaining('it is signed') },
    ]);
    expect(await rows('select title from documents')).toEqual([{ title: 'Letter' }]);
    const renamed = { ...toSign, documents: [{ ...toSign.documents[0], title: 'New' }] };
    expect((await take(renamed)).refused).toEqual([]);
  });

  test('needs no more signing, whatever an older feed says, once all have signed', async () => {
    await take(toSign);
    expect(await statusOfTask()).toBe('open');
    const again = (title: string) => take({ ...toSign, tasks: [{ ...toSign.tasks[0], title }] });
    await sign('C1');
    await again('Sign please');
    expect(await statusOfTask()).toBe('open');
    await sign('C2');
    await again('Sign now');
    expect(await statusOfTask()).toBe('done');
  });

  test('a document cannot supersede itself', async () => {
    await take(feed);
    expect((await take(changed('documents', { supersedes: 'D1' }))).refused).toMatchObject([
      { place: '/documents/0/supersedes' },
    ]);
  });
});

describe('a record is refused with its place and reason, and nothing of it is written', () => {
  test.each([
    ['searches', { price: { net: -1, vat_rate: 20 } }, '/searches/0/price/net', /must be >= 0/],
    [
      'searches',
      { price: { net: 100, vat_rate: 20, vat: 20, gross: 121 } },
      '/searches/0/price/gross',
      /not net and VAT together/,
    ],
    ['searches', { status: 'sent' }, '/searches/0/status', /must be one of awaiting_payment/],
    ['searches', { colour: 'red' }, '/searches/0/colour', /not known here/],
    ['searches', { matter: 'M9' }, '/searches/0/matter', /names "M9", which is not there/],
    ['searches', { name: 'a\u0000b' }, '/searches/0/name', /no text/],
    ['searches', { name: '\ud800' }, '/searches/0/name', /no text/],
    [
      'matters',
      { milestones: [{ key: 'lunch', status: 'done' }] },
      '/matters/0/milestones/0/key',
      /not a step of a purchase/,
    ],
    [
      'matters',
      { target_exchange_on: '2026-02-30' },
      '/matters/0/target_exchange_on',
      /must match format "date"/,
    ],
    ['clients', { email: 'nobody' }, '/clients/0/email', /must match format "email"/],
    ['clients', { password: 'short' }, '/clients/0/password', /at least 12 characters/],
    ['clients', { first_name: undefined }, '/clients/0/first_name', /is required/],
    ['documents', { file: 'note.txt' }, '/documents/0/file', /neither PDF, PNG nor JPEG/],
    ['documents', { file: 'empty.pdf' }, '/documents/0/file', /is empty/],
    ['documents', { file: 'gone.pdf' }, '/documents/0/file', /is not there/],
    ['documents', { file: '../secret.pdf' }, '/documents/0/file', /inside the folder/],
    ['documents', { file: 'link.pdf' }, '/documents/0/file', /inside the folder/],
    ['documents', { file: '/etc/passwd' }, '/documents/0/file', /relative/],
    ['tasks', { search: undefined }, '/tasks/0/search', /is required/],
  ] as const)('%s with %j at %s', async (list, change, place, reason) => {
    const report = await take(
      JSON.parse(JSON.stringify(changed(list, change)).replaceAll('"\\ud800"', '"\\ud800"')),
    );
    const [first] = report.refused;
    expect(first).toMatchObject({ place, reason: expect.stringMatching(reason) });
    const table = {
      searches: 'case_searches',
      matters: 'matters',
      clients: 'clients',
      documents: 'documents',
      tasks: 'tasks',
    }[list];
    expect((await rows(`select count(*)::int as n from ${table}`))[0].n).toBe(0);
  });

  test('a matter whose seventh milestone is wrong leaves no matter and no milestone, and what hangs on it is refused too', async () => {
    const keys = [
      'instructed',
      'identity_checked',
      'funds_checked',
      'searches_paid',
      'title_reviewed',
      'exchanged',
    ];
    const milestones = [
      ...keys.map((key) => ({ key, status: 'upcoming' })),
      { key: 'completed', status: 'done', expected_from: '2026-02-02', expected_to: '2026-02-01' },
    ];
    const report = await take(changed('matters', { milestones }));
    expect(report.refused.map(({ place }) => place)).toEqual([
      '/matters/0/milestones/6/expected_to',
      '/documents/0/matter',
      '/searches/0/matter',
      '/tasks/0/search',
    ]);
    expect(
      await rows('select (select count(*) from matters)::int + (select count(*) from milestones)::int as n'),
    ).toEqual([{ n: 0 }]);
    expect(report.created).toBe(3);
  });

  test('an email that another client has', async () => {
    await take(feed);
    const report = await take({
      ...feed,
      clients: [{ reference: 'C2', first_name: 'A', last_name: 'B', email: 'ZOE@example.test' }],
    });
    expect(report.refused).toEqual([
      { place: '/clients/0', reference: 'C2', reason: 'has an email address that another client has' },
    ]);
  });

  test('a reference that stands twice, and a record that would move to another case', async () => {
    const twice = await take({ ...feed, clients: [...feed.clients, ...feed.clients] });
    expect(twice.refused).toMatchObject([
      { place: '/clients/1/reference', reason: 'stands twice in this feed' },
    ]);
    const moved = await take({
      ...feed,
      cases: [...feed.cases, { ...feed.cases[0], reference: 'K2' }],
      history: feed.history.map((entry) => ({ ...entry, case: 'K2' })),
    });
    expect(moved.refused).toMatchObject([
      { place: '/history/0/case', reason: expect.stringMatching(/cannot change/) },
    ]);
  });
});

describe('a search that was paid here', () => {
  test('does not await payment again, whatever an older feed says, and neither does its task', async () => {
    await take(feed);
    const [search] = await rows(
      'select s.id, m.case_id, m.id as matter_id from case_searches s join matters m on m.id = s.matter_id',
    );
    const [client] = await rows('select id from clients');
    await buildPayment(testDatabase.database, {
      caseId: search.case_id,
      clientId: client.id,
      matterId: search.matter_id,
      caseSearchId: search.id,
      amount: 3916,
      status: 'succeeded',
    });
    await testDatabase.pool.query(
      "update case_searches set status = 'paid'; update tasks set status = 'done'",
    );
    const older = changed('searches', { name: 'Environmental search' });
    await take({ ...older, tasks: feed.tasks.map((task) => ({ ...task, title: 'Please pay' })) });
    expect(await rows('select status, name from case_searches')).toEqual([
      { status: 'paid', name: 'Environmental search' },
    ]);
    expect(await rows('select status, title from tasks')).toEqual([{ status: 'done', title: 'Please pay' }]);

    const dearer = await take(changed('searches', { price: { net: 9999, vat_rate: 20 } }));
    expect(dearer.refused).toMatchObject([
      { place: '/searches/0/price', reason: expect.stringMatching(/payment was started/) },
    ]);
  });
});

describe('what cannot be a feed at all', () => {
  test.each([
    ['null', null],
    ['a list', []],
    ['another format', { ...feed, format: 'x' }],
    ['a list that is none', { ...feed, tasks: {} }],
    ['an unknown list', { ...feed, pets: [] }],
    ['no firm, the first time', { ...feed, firm: undefined }],
  ])('is refused in a line: %s', async (_what, given) => {
    await expect(take(given === null ? null : JSON.parse(JSON.stringify(given)))).rejects.toThrow(FeedFault);
  });

  test('demonstration and real cases never mix', async () => {
    await take(feed, 'demonstration');
    await expect(take(feed, 'real')).rejects.toThrow(/holds the demonstration firm/);
  });

  test('whatever JSON is sent, nothing crashes and nothing is half written', async () => {
    const anything = fc.jsonValue({ maxDepth: 3 });
    const anyRecord = fc.oneof(
      anything,
      fc.dictionary(
        fc.constantFrom('reference', 'case', 'matter', 'status', 'clients', 'price', 'milestones'),
        anything,
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('clients', 'cases', 'matters', 'documents', 'searches', 'tasks', 'history'),
          fc.array(anyRecord),
        ),
        async (lists) => {
          await take({
            ...feed,
            clients: [],
            cases: [],
            matters: [],
            documents: [],
            searches: [],
            tasks: [],
            history: [],
            ...lists,
          }).catch((error) => {
            if (!(error instanceof FeedFault)) throw error;
          });
          expect(
            (
              await rows(
                'select count(*)::int as n from matters where id not in (select matter_id from milestones)',
              )
            )[0].n,
          ).toBe(0);
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe('the documentation', () => {
  const docs = join(import.meta.dirname, '../../../../../docs');

  test('has an example that is taken as it stands', async () => {
    const [, example = ''] =
      /```json\n([\s\S]*?)```/.exec(readFileSync(join(docs, 'case-feed.md'), 'utf8')) ?? [];
    expect((await take(JSON.parse(example))).refused).toEqual([]);
  });

  test('has the JSON Schema of this build', async () => {
    const { feedSchema } = await import('./import-command.ts');
    expect(readFileSync(join(docs, 'case-feed.schema.json'), 'utf8')).toBe(feedSchema());
  });
});
