import { createHash } from 'node:crypto';
import type { FeedRecord } from '@keyturn/contract';
import { spreadsheetFieldNames } from '@keyturn/contract/staff';
import { buildRegulation, createImportDependencies, withTestDatabase } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editLocked, type RecordEditor } from '../../case-file/editing/edit-case.ts';
import { readRecords } from '../../case-file/records/read-records.ts';
import { spreadsheetCases, spreadsheets } from '../../schema/tables/spreadsheet-tables.ts';
import { deskOrigin, type StaffBrowser, serveStaff } from '../../testing/serve-staff.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { importFeed } from '../import/import-feed.ts';
import { spreadsheetHandlers } from '../staff/spreadsheet-routes.ts';
import { expiredSpreadsheetsHandler } from './uploads/delete-spreadsheets-job.ts';
import { spreadsheetHandler } from './uploads/run-spreadsheet-job.ts';

const stored = withTestDatabase();
let desk: Awaited<ReturnType<typeof serveStaff>>;
let handler: StaffBrowser;
beforeAll(async () => {
  const { database } = stored;
  desk = await serveStaff(stored, {
    handlers: (clock) => spreadsheetHandlers({ database, clock }),
  });
  const { format, as_of, firm } = fixtureFeed;
  const feed = { format, as_of, firm };
  await importFeed(dependencies(), { feed, folder: '.', as: 'real', actor: operator });
});
afterAll(() => desk.app.close());
beforeEach(async () => {
  desk.clock.set('2026-11-23T09:00:00Z');
  handler = await desk.signInAs('handler');
});

const operator = { kind: 'command_line', id: null, name: 'rhian' } as const;
const dependencies = () =>
  createImportDependencies({
    database: stored.database,
    files: { put: async () => '', read: async () => null } as never,
  });
const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;
/** Runs the jobs that wait in the queue, as a server does. */
async function runJobs(work = spreadsheetHandler(dependencies())) {
  const jobs = await rows(
    `delete from graphile_worker._private_jobs where task_id =
       (select id from graphile_worker._private_tasks where identifier = 'run-spreadsheet') returning payload`,
  );
  for (const { payload } of jobs) await work.work(payload);
}

/** Edits cases as a member does at the desk. */
const editAtDesk = <Result>(work: (editor: RecordEditor) => Promise<Result>): Promise<Result> =>
  editLocked(
    { ...dependencies(), readCase: neverRead },
    { actor: operator, address: '203.0.113.7', mayEdit: async () => true },
    (transaction) => transaction.execute('select from conveyancing_cases for no key update'),
    work,
  );
const neverRead = () => Promise.reject(new Error('no conflict is expected'));

let files = 0;
/** Makes a file of cases, with references and addresses that no other test has. */
function makeFile(
  count: number,
  change: (row: Record<string, string>, index: number) => object = (row) => row,
) {
  files += 1;
  const mark = `${process.pid}-${files}`;
  const made = Array.from({ length: count }, (_, index) => ({
    'Case reference': `SH-${mark}-${index + 1}`,
    'Matter type': index % 2 === 0 ? 'Purchase' : 'Sale',
    'Address line 1': `${index + 1} Mill Lane`,
    Town: 'Bath',
    Postcode: 'BA1 2AB',
    Tenure: 'Freehold',
    Price: '£325,000.00',
    'Client 1: full name': `Ada Byrne${index + 1}`,
    'Client 1: email': `ada.${index + 1}.${mark}@example.test`,
    'Client 2: full name': '',
    'Client 2: email': '',
    'Fee earner': 'Sam Hale',
    'Fee earner email': 'sam@firm.test',
    'Current milestone': index % 2 === 0 ? 'Ordering searches' : '',
    'Instructed on': '16/11/2026',
  })).map((row, index) => ({ ...row, ...change(row, index) }) as Record<string, string>);
  return { mark, rows: made, csv: toText(made) };
}
const toText = (made: readonly Record<string, string>[]) =>
  [Object.keys(made[0] ?? {}), ...made.map((row) => Object.values(row))]
    .map((cells) =>
      cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(','),
    )
    .join('\r\n');

const upload = async (csv: string, browser = handler) =>
  (await browser.call('POST', '/spreadsheets?file_name=cases.csv', Buffer.from(csv))).data;
const fieldsOf = ({ columns }: { columns: { field: string | null }[] }) => columns.map(({ field }) => field);
async function check(uploaded: { id: string; columns: { field: string | null }[] }) {
  await handler.call('POST', `/spreadsheets/${uploaded.id}/check`, { columns: fieldsOf(uploaded) });
  await runJobs();
  return (await handler.call('GET', `/spreadsheets/${uploaded.id}`)).data;
}
async function importAll(csv: string) {
  const { id } = await check(await upload(csv));
  await handler.call('POST', `/spreadsheets/${id}/import`);
  await runJobs();
  return (await handler.call('GET', `/spreadsheets/${id}`)).data;
}
const recordOf = async (list: 'cases' | 'matters', reference: string) =>
  (await readRecords(stored.database, list, [reference])).get(reference)?.record;
const everything = () =>
  rows(`select jsonb_build_array((select jsonb_agg(c order by id) from clients c), (select jsonb_agg(c order by id) from conveyancing_cases c),
    (select jsonb_agg(m order by id) from matters m), (select jsonb_agg(m order by id) from milestones m),
    (select jsonb_agg(c order by case_id, client_id) from case_clients c)) as everything`);

describe('importing a spreadsheet at the desk', () => {
  test('a spreadsheet states until when clients can cancel, with the notice that was given', async () => {
    const cells: [string, string][] = [
      ['', ''],
      ['None', ''],
      ['30/11/2026', 'yes'],
      ['30/11/2026', ''],
    ];
    const { mark, csv } = makeFile(4, (row, index) => ({
      ...row,
      'Right to cancel': cells[index]?.[0],
      'Cancellation notice given': cells[index]?.[1],
    }));
    const imported = await importAll(csv);
    expect(imported.report.problems).toEqual([
      expect.objectContaining({ column: 'Cancellation notice given' }),
    ]);
    expect(await recordOf('cases', `SH-${mark}-1`)).not.toHaveProperty('cancellation');
    expect(await recordOf('cases', `SH-${mark}-2`)).toMatchObject({ cancellation: 'none' });
    expect(await recordOf('cases', `SH-${mark}-3`)).toMatchObject({
      cancellation: 'ends_on',
      cancellation_ends_on: '2026-11-30',
      cancellation_notice_given: true,
    });
    expect(await recordOf('cases', `SH-${mark}-4`)).toBeUndefined();
  });

  test('a spreadsheet of 30 cases is checked without storing any, is imported, and changes nothing the second time', async () => {
    const { mark, csv } = makeFile(30);
    const before = await everything();
    const checked = await check(await upload(csv));
    expect(checked).toMatchObject({
      state: 'checked',
      rows: 30,
      done: 30,
      report: {
        cases: { created: 30, updated: 0, unchanged: 0 },
        clients: { created: 30, existing: 0 },
        rejected_rows: 0,
        problems: [],
      },
    });
    expect(await everything()).toEqual(before);
    await handler.call('POST', `/spreadsheets/${checked.id}/import`);
    await runJobs();
    const { data: imported } = await handler.call('GET', `/spreadsheets/${checked.id}`);
    expect(imported).toMatchObject({
      state: 'imported',
      report: checked.report,
      new_clients: 30,
      invited: 0,
    });
    expect(await recordOf('cases', `SH-${mark}-1`)).toMatchObject({
      title: 'Purchase of 1 Mill Lane',
      status: 'active',
      handlers: [{ name: 'Sam Hale', role: 'Your conveyancer', phone: '+441174960100' }],
    });
    const matter = await recordOf('matters', `SH-${mark}-1-P`);
    expect(matter).toMatchObject({ property: { town: 'Bath', price: 32_500_000 } });
    expect((matter as { milestones: object[] }).milestones.slice(0, 1)).toEqual([
      { key: 'instructed', status: 'done', reached_on: '2026-11-16' },
    ]);
    expect((matter as { milestones: object[] }).milestones.at(-1)).toEqual({
      key: 'searches_ordered',
      status: 'current',
    });
    const after = await everything();
    expect((await importAll(csv)).report).toMatchObject({
      cases: { created: 0, updated: 0, unchanged: 30 },
      clients: { created: 0, existing: 30 },
    });
    expect(await everything()).toEqual(after);
  });

  test('a changed cell of a spreadsheet is imported, and later edits and fields that the file lacks are kept', async () => {
    const { mark, rows: made, csv } = makeFile(1);
    await importAll(csv);
    const reference = `SH-${mark}-1`;
    const matter = await recordOf('matters', `${reference}-P`);
    const edited = {
      ...matter,
      property: { ...(matter as { property: object }).property, town: 'Bristol' },
      exchanged_on: '2026-11-20',
    };
    const { format, as_of } = fixtureFeed;
    await importFeed(dependencies(), {
      feed: { format, as_of, matters: [edited] },
      folder: '.',
      as: 'real',
      actor: operator,
    });
    const repeated = await importAll(csv);
    expect(repeated.report.cases).toMatchObject({ unchanged: 1 });
    const changed = await importAll(toText([{ ...made[0], Price: '£330,000', Tenure: '' }]));
    expect(changed.report.cases).toMatchObject({ updated: 1 });
    expect(await recordOf('matters', `${reference}-P`)).toMatchObject({
      property: { town: 'Bristol', price: 33_000_000, tenure: 'freehold' },
      exchanged_on: '2026-11-20',
    });
  });

  test('edits made at the desk while a spreadsheet is being imported are kept', async () => {
    const { mark, rows: made, csv } = makeFile(1);
    await importAll(csv);
    const reference = `SH-${mark}-1-P`;
    const { id } = await check(await upload(toText([{ ...made[0], Price: '£330,000' }])));
    await handler.call('POST', `/spreadsheets/${id}/import`);
    const { importing } = await editAtDesk(async ({ read, store }) => {
      const running = runJobs();
      // The import has read the matter, and is paused.
      await untilBlocked(stored, 1);
      const matter = (await read('matters', reference)) as FeedRecord<'matters'>;
      await store('matters', [{ ...matter, exchanged_on: '2026-11-20' }]);
      return { importing: running };
    });
    await importing;
    expect((await handler.call('GET', `/spreadsheets/${id}`)).data.report).toMatchObject({
      cases: { updated: 1 },
      rejected_rows: 0,
    });
    expect(await recordOf('matters', reference)).toMatchObject({
      property: { price: 33_000_000 },
      exchanged_on: '2026-11-20',
    });
  });

  test('an imported spreadsheet moves the current milestone forwards and backwards', async () => {
    const { mark, rows: made, csv } = makeFile(1);
    const milestones = async () =>
      ((await recordOf('matters', `SH-${mark}-1-P`)) as { milestones: { key: string; status: string }[] })
        .milestones;
    await importAll(csv);
    await importAll(toText([{ ...made[0], 'Current milestone': 'Exchange of contracts' }]));
    expect((await milestones()).at(-1)).toEqual({ key: 'exchanged', status: 'current' });
    expect((await milestones()).map(({ key }) => key)).not.toContain('auction_pack');
    await importAll(toText([{ ...made[0], 'Current milestone': 'identity_checked' }]));
    expect(await milestones()).toEqual([
      { key: 'instructed', status: 'done', reached_on: '2026-11-16' },
      { key: 'identity_checked', status: 'current' },
    ]);
  });

  test('creates one client for an email address in two cases, and a second client from an extra row', async () => {
    const { mark, csv } = makeFile(3, (row, index) => ({
      ...(index === 1
        ? {
            'Client 1: full name': 'Ada Byrne1',
            'Client 1: email': row['Client 1: email']?.replace('ada.2', 'ADA.1'),
          }
        : {}),
      ...(index === 2
        ? {
            'Case reference': row['Case reference']?.replace(/3$/, '1'),
            'Matter type': '',
            'Address line 1': '',
            'Client 2: full name': 'Tom Byrne',
            'Client 2: email': `tom.${files}@example.test`,
          }
        : {}),
    }));
    const { report } = await importAll(csv);
    expect(report).toMatchObject({
      cases: { created: 2 },
      clients: { created: 3, existing: 0 },
      rejected_rows: 0,
    });
    expect(await recordOf('cases', `SH-${mark}-1`)).toMatchObject({ clients: { length: 3 } });
    const shared = await rows(
      `select count(*)::int as cases from case_clients join clients on clients.id = client_id where lower(email) = $1`,
      [`ada.1.${mark}@example.test`],
    );
    expect(shared).toEqual([{ cases: 2 }]);
  });

  test('creates two matters from two rows with the same reference and different types', async () => {
    const { mark, csv } = makeFile(2, (row, index) =>
      index === 1
        ? {
            'Case reference': row['Case reference']?.replace(/2$/, '1'),
            'Client 1: full name': '',
            'Client 1: email': '',
          }
        : {},
    );
    expect((await importAll(csv)).report).toMatchObject({ cases: { created: 1 }, rejected_rows: 0 });
    expect(await recordOf('cases', `SH-${mark}-1`)).toMatchObject({
      title: 'Purchase of 1 Mill Lane and sale of 2 Mill Lane',
    });
    expect(await recordOf('matters', `SH-${mark}-1-S`)).toMatchObject({ matter_type: 'sale' });
  });

  test('valid rows of a spreadsheet are imported, and the others returned with row, column and reason', async () => {
    const { mark, csv } = makeFile(
      6,
      (row, index) =>
        [
          {},
          { Price: 'a lot', Tenure: '' },
          { 'Client 1: email': 'not an address' },
          { 'Case reference': '', Town: '=HYPERLINK("http://evil.test")' },
          {
            'Client 1: email': `ada.1.${row['Client 1: email']?.slice(6)}`,
            'Client 1: full name': 'Eve Other',
          },
          { 'Fee earner': 'x'.repeat(201) },
        ][index] ?? {},
    );
    const imported = await importAll(csv);
    expect(imported.report).toMatchObject({ cases: { created: 1 }, rejected_rows: 5 });
    expect(imported.report.problems).toEqual([
      { row: 3, column: 'Price', reason: '“a lot” isn’t an amount in pounds, such as £325,000.00' },
      { row: 3, column: 'Tenure', reason: 'is empty' },
      { row: 4, column: 'Client 1: email', reason: 'isn’t an email address' },
      { row: 5, column: 'Case reference', reason: 'is empty' },
      {
        row: 6,
        column: 'Client 1: email',
        reason: 'is the address of Ada Byrne1 in row 2. Each client needs their own',
      },
      { row: 7, column: 'Fee earner', reason: 'has more than 200 characters' },
    ]);
    expect(
      await rows('select reference from conveyancing_cases where reference like $1', [`SH-${mark}-%`]),
    ).toHaveLength(1);
    const { text: rejected } = await handler.call('GET', `/spreadsheets/${imported.id}/rejected-rows`);
    const lines = rejected.trim().split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[1]).toContain(
      'Price “a lot” isn’t an amount in pounds, such as £325,000.00; Tenure is empty',
    );
    expect(lines[3]).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
  });

  test.each<[string, Record<string, string>, object]>([
    [
      'a name that is refused',
      { 'Client 1: full name': 'Byrne' },
      { column: 'Client 1: full name', reason: '“Byrne” needs a first and a last name' },
    ],
    [
      'a reference that is too long',
      { 'Case reference': 'A'.repeat(101) },
      { column: 'Case reference', reason: 'has more than 100 characters' },
    ],
    [
      'a reference that the spreadsheet program has shortened',
      { 'Case reference': '1.23E+05' },
      {
        column: 'Case reference',
        reason:
          '1.23E+05 was shortened by the spreadsheet. Format the column as text, and enter the number again',
      },
    ],
  ])('a row with %s has that one problem', async (_, cells, problem) => {
    const { report } = await check(await upload(makeFile(1, () => cells).csv));
    expect(report.problems).toEqual([{ row: 2, ...problem }]);
  });

  test('a telephone number and an email address are checked although the name of their client is refused', async () => {
    const { report } = await check(
      await upload(
        makeFile(1, () => ({
          'Client 1: full name': 'Ben & Ann Lee',
          'Client 1: phone': '07700 900124 / 07700 900125',
          'Client 1: email': 'ben@example',
        })).csv,
      ),
    );
    expect(report.problems).toHaveLength(3);
    expect(report.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ row: 2, column: 'Client 1: full name' }),
        { row: 2, column: 'Client 1: email', reason: 'isn’t an email address' },
        {
          row: 2,
          column: 'Client 1: phone',
          reason: expect.stringContaining('more than one telephone number'),
        },
      ]),
    );
  });

  test('a text that is too long is reported together with a cell that cannot be read', async () => {
    const { report } = await check(
      await upload(makeFile(1, () => ({ Price: 'soon', 'Fee earner': 'S'.repeat(201), Postcode: '' })).csv),
    );
    expect(report.problems).toHaveLength(3);
    expect(report.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ column: 'Price' }),
        { row: 2, column: 'Postcode', reason: 'is empty' },
        { row: 2, column: 'Fee earner', reason: 'has more than 200 characters' },
      ]),
    );
  });

  test('an email address of the handler is checked although another cell of the row is refused', async () => {
    const { report } = await check(
      await upload(makeFile(1, () => ({ Price: 'soon', 'Fee earner email': 'sam@firm' })).csv),
    );
    expect(report.problems).toMatchObject([{ column: 'Price' }, { column: 'Fee earner email' }]);
  });

  test('cells with line breaks, invisible characters and separate accents are stored as they look', async () => {
    const { mark, csv } = makeFile(1, (row) => ({
      'Case reference': row['Case reference']?.replace('-', '-\n'),
      'Client 1: full name': `Anna\u200bMaria ${'Nguyễn'.normalize('NFD')}\u00ad`,
      'Address line 1': 'Flat 2\nMill Lane',
    }));
    await importAll(csv);
    expect(
      await rows('select first_name, last_name from clients where email = $1', [
        `ada.1.${mark}@example.test`,
      ]),
    ).toEqual([{ first_name: 'AnnaMaria', last_name: 'Nguyễn'.normalize('NFC') }]);
    const reference = `SH-${mark}-1`;
    expect(await recordOf('cases', reference)).toMatchObject({ reference });
    expect(await recordOf('matters', `${reference}-P`)).toMatchObject({
      property: { address_lines: ['Flat 2, Mill Lane'] },
    });
  });

  test('a spreadsheet needs the handler’s number or the firm’s details', async () => {
    await rows('update installation set firm = null, feed_firm = null');
    try {
      const { report } = await importAll(makeFile(1).csv);
      expect(report.problems).toMatchObject([
        {
          column: 'Handler: phone',
          reason: expect.stringMatching(
            /no number of the firm to show instead\. Fill it in, or enter the firm’s details/,
          ),
        },
      ]);
    } finally {
      const { format, as_of, firm } = fixtureFeed;
      await importFeed(dependencies(), {
        feed: { format, as_of, firm },
        folder: '.',
        as: 'real',
        actor: operator,
      });
    }
  });

  test('does not add a client to a case if the email address belongs to a different name', async () => {
    const first = makeFile(1);
    await importAll(first.csv);
    const second = makeFile(1, () => ({
      'Client 1: email': first.rows[0]?.['Client 1: email'],
      'Client 1: full name': 'Eve Other',
    }));
    expect((await importAll(second.csv)).report.problems).toEqual([
      { row: 2, column: 'Client 1: email', reason: expect.stringContaining('is the address of Ada Byrne1.') },
    ]);
    expect(await recordOf('cases', `SH-${second.mark}-1`)).toBeUndefined();
  });

  test.each(['in one row', 'in two rows'])(
    'rejects a case whose two clients have one email address, %s, and loses neither silently',
    async (where) => {
      const { csv, mark } = makeFile(where === 'in one row' ? 1 : 2, (row, index) => {
        const tom = {
          'Client 2: full name': 'Tom Byrne',
          'Client 2: email': row['Client 1: email']?.replace(/^ada\.\d/, 'ADA.1'),
        };
        if (index === 0) return where === 'in one row' ? tom : {};
        const reference = row['Case reference']?.replace(/2$/, '1');
        const noClient = { 'Client 1: full name': '', 'Client 1: email': '' };
        return { ...noClient, ...tom, 'Case reference': reference, 'Matter type': '', 'Address line 1': '' };
      });
      expect((await importAll(csv)).report.problems).toEqual([
        {
          row: where === 'in one row' ? 2 : 3,
          column: 'Client 2: email',
          reason: expect.stringContaining(
            'is the address of Ada Byrne1 in row 2. Each client needs their own',
          ),
        },
      ]);
      expect(await recordOf('cases', `SH-${mark}-1`)).toBeUndefined();
    },
  );

  test('never changes an existing client, nor removes one from a case', async () => {
    const { mark, rows: made, csv } = makeFile(1);
    await importAll(csv);
    const changed = {
      ...made[0],
      'Client 1: full name': 'Tom Byrne',
      'Client 1: email': `tom.${mark}@example.test`,
    };
    expect((await importAll(toText([changed]))).report.cases).toMatchObject({ updated: 1 });
    expect(await recordOf('cases', `SH-${mark}-1`)).toMatchObject({ clients: { length: 2 } });
  });

  test('the import of spreadsheets remembers for the whole firm what a column contains', async () => {
    const { csv } = makeFile(1);
    const renamed = csv.replace('Fee earner,', `Colour ${files},`);
    const uploaded = await upload(renamed);
    const columns = fieldsOf(uploaded).map((field, index) =>
      uploaded.columns[index].heading === `Colour ${files}` ? 'handler_name' : field,
    );
    expect(fieldsOf(uploaded)).not.toContain('handler_name');
    await handler.call('POST', `/spreadsheets/${uploaded.id}/check`, { columns });
    await runJobs();
    await handler.call('POST', `/spreadsheets/${uploaded.id}/import`);
    await runJobs();
    const colleague = await desk.signInAs('admin');
    expect(fieldsOf(await upload(renamed, colleague))).toContain('handler_name');
  });
});

describe('an uploaded spreadsheet', () => {
  test('asks how a file of unknown encoding reads, and reads it as the member chooses', async () => {
    const unknown = Buffer.from('Case reference,Client name\r\nKT-1,Ada \xd7\xf7\xa6 Byrne', 'latin1');
    const send = (more = '') => handler.call('POST', `/spreadsheets?file_name=cases.csv${more}`, unknown);
    const { status, body } = await send();
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'spreadsheet_unreadable',
      errors: { 'windows-1252': ['Ada ×÷¦ Byrne'], macintosh: ['Ada ◊˜¶ Byrne'], cp850: ['Ada Î¸ª Byrne'] },
    });
    const { data } = await send('&encoding=macintosh');
    expect(data.columns[1].samples).toEqual(['Ada ◊˜¶ Byrne']);
    expect((await send('&encoding=utf-7')).status).toBe(422);
  });

  test('an uploaded spreadsheet is visible only to its member', async () => {
    const { csv } = makeFile(1);
    const uploaded = await check(await upload(csv));
    const other = await desk.signInAs('admin');
    const path = `/spreadsheets/${uploaded.id}`;
    const calls = [
      other.call('GET', path),
      other.call('DELETE', path),
      other.call('POST', `${path}/check`, { columns: fieldsOf(uploaded) }),
      other.call('POST', `${path}/import`),
      other.call('GET', `${path}/rejected-rows`),
      other.call('POST', `${path}/invitations`),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(404);
    expect((await handler.call('GET', path)).status).toBe(200);
    expect((await handler.call('DELETE', path)).status).toBe(204);
    expect((await handler.call('GET', path)).status).toBe(404);
  });

  test('an uploaded spreadsheet is deleted with the import, or after an hour', async () => {
    const { csv } = makeFile(1);
    const { id } = await importAll(csv);
    expect(
      await rows(`select content, columns::text ~ 'Mill Lane' as has_cells from spreadsheets where id = $1`, [
        id,
      ]),
    ).toEqual([{ content: null, has_cells: false }]);
    const waiting = await upload(csv);
    await rows(`update spreadsheets set expires_at = now() - interval '1 second' where id = $1`, [
      waiting.id,
    ]);
    expect(await handler.call('GET', `/spreadsheets/${waiting.id}`)).toMatchObject({
      status: 404,
      message: expect.stringContaining('Files are deleted after an hour'),
    });
    const clock = () => new Date();
    await expiredSpreadsheetsHandler({ database: stored.database, clock }).work({});
    expect(await rows('select 1 from spreadsheets where id = $1', [waiting.id])).toEqual([]);
    expect(await rows('select 1 from spreadsheets where id = $1', [id])).toHaveLength(1);
  });

  test('the oldest uploaded spreadsheet is deleted when a member uploads a fourth', async () => {
    const { csv } = makeFile(1);
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push((await upload(csv)).id);
    const statuses = await Promise.all(
      ids.map(async (id) => (await handler.call('GET', `/spreadsheets/${id}`)).status),
    );
    expect(statuses).toEqual([404, 200, 200, 200]);
  });

  test('an upload is rejected above 10 MB, as JSON, and if it is not a spreadsheet', async () => {
    const send = (body: object) => handler.call('POST', '/spreadsheets?file_name=x.csv', body);
    expect(await send(Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).toMatchObject({ status: 413 });
    expect(await send({ a: 1 })).toMatchObject({ status: 415 });
    expect(await send(Buffer.from('%PDF-1.7'))).toMatchObject({
      status: 422,
      code: 'spreadsheet_unreadable',
    });
  });

  test('an uploaded spreadsheet is imported only after a check, with a recent confirmation, and by a permitted member', async () => {
    const { csv, mark } = makeFile(1);
    const uploaded = await upload(csv);
    const start = () => handler.call('POST', `/spreadsheets/${uploaded.id}/import`);
    expect(await start()).toMatchObject({ status: 409, code: 'spreadsheet_state' });
    await check(uploaded);
    desk.clock.advance(5 * 60_000);
    expect(await start()).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
    desk.clock.advance(-5 * 60_000);
    expect(await start()).toMatchObject({ status: 200 });
    await rows(
      `update staff set role = 'finance' where id = (select staff_id from spreadsheets where id = $1)`,
      [uploaded.id],
    );
    await runJobs();
    expect(await rows('select state, failure from spreadsheets where id = $1', [uploaded.id])).toEqual([
      { state: 'failed', failure: 'You may no longer import cases.' },
    ]);
    expect(await recordOf('cases', `SH-${mark}-1`)).toBeUndefined();
  });

  test('an uploaded spreadsheet needs a column with references, and each field once', async () => {
    const uploaded = await upload(makeFile(1).csv);
    const path = `/spreadsheets/${uploaded.id}/check`;
    const none = uploaded.columns.map(() => null);
    for (const columns of [
      none,
      none.slice(1),
      uploaded.columns.map(() => 'case_reference'),
      [...none, 'lunch'],
    ]) {
      expect(await handler.call('POST', path, { columns })).toMatchObject({
        status: 422,
        code: 'invalid_input',
      });
    }
  });

  /** Imports on a server that is killed when it first writes to a table outside of a transaction. */
  async function importUntilKilled(id: string, table: typeof spreadsheets | typeof spreadsheetCases) {
    await handler.call('POST', `/spreadsheets/${id}/import`);
    const queued = await rows(
      `select payload from graphile_worker._private_jobs where payload ->> 'id' = $1`,
      [id],
    );
    const killed = {
      ...dependencies(),
      database: new Proxy(stored.database, {
        get: (target, name) => {
          const value = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            if ((name === 'insert' || name === 'update') && args[0] === table) throw new Error('killed');
            return value.apply(target, args);
          };
        },
      }),
    };
    await expect(spreadsheetHandler(killed).work(queued[0]?.payload)).rejects.toThrow('killed');
  }

  test('an import is continued by another server after a kill, and counts each case once', async () => {
    const { csv } = makeFile(3);
    const { id } = await check(await upload(csv));
    // The cases are stored, but not how far the import is.
    await importUntilKilled(id, spreadsheets);
    await runJobs();
    expect((await handler.call('GET', `/spreadsheets/${id}`)).data).toMatchObject({
      state: 'imported',
      report: { cases: { created: 3, updated: 0, unchanged: 0 } },
      new_clients: 3,
    });
  });

  test('an import keeps what the desk changes between a kill and the continuation', async () => {
    const { csv, mark } = makeFile(1);
    const { id } = await check(await upload(csv));
    // The records are written, and nothing else is.
    await importUntilKilled(id, spreadsheetCases);
    await editAtDesk(async ({ read, store }) => {
      const found = (await read('cases', `SH-${mark}-1`)) as FeedRecord<'cases'>;
      const [first] = found.handlers;
      await store('cases', [
        {
          ...found,
          title: 'The Mill',
          handlers: first ? [{ ...first, name: 'Ann Lee' }] : [],
        },
      ]);
      const matter = (await read('matters', `SH-${mark}-1-P`)) as FeedRecord<'matters'>;
      const property = { ...matter.property, town: 'Bristol' };
      await store('matters', [{ ...matter, property, exchanged_on: '2026-11-20' }]);
    });
    await runJobs();
    expect(await recordOf('cases', `SH-${mark}-1`)).toMatchObject({
      title: 'The Mill',
      handlers: [{ name: 'Ann Lee' }],
    });
    expect(await recordOf('matters', `SH-${mark}-1-P`)).toMatchObject({
      property: { town: 'Bristol' },
      exchanged_on: '2026-11-20',
    });
    expect((await handler.call('GET', `/spreadsheets/${id}`)).data).toMatchObject({
      state: 'imported',
      report: { cases: { created: 1 }, rejected_rows: 0 },
    });
    expect((await importAll(csv)).report.cases).toMatchObject({ unchanged: 1 });
  });
});

describe('the clients of an import', () => {
  /** Those of the addresses for which an invitation waits in the queue. */
  const invitedBy = async (emails: string[]) =>
    (
      await rows(
        `select payload->>'email' as email from graphile_worker._private_jobs
         where payload->>'purpose' = 'invitation' and payload->>'email' = any($1) order by 1`,
        [emails],
      )
    ).map(({ email }) => email);

  // The other tests need what this one enters.
  test('the clients of an import are not invited before the firm has entered what it must show', async () => {
    const { csv, rows: made } = makeFile(2);
    const { id } = await importAll(csv);
    const emails = made.map((row) => row['Client 1: email'] ?? '');
    const invite = () => handler.call('POST', `/spreadsheets/${id}/invitations`);
    expect(await invite()).toMatchObject({
      status: 409,
      code: 'firm_data_missing',
      message: expect.stringContaining('Legal form'),
    });
    expect(await invitedBy(emails)).toEqual([]);
    await buildRegulation(stored.database);
    expect((await invite()).data).toMatchObject({ new_clients: 2, invited: 2 });
    expect(await invitedBy(emails)).toEqual(emails);
  });

  test('the clients of an import are invited once each, even by a second call, unless they have a password', async () => {
    const { csv, rows: made } = makeFile(3);
    const { id } = await importAll(csv);
    const emails = made.map((row) => row['Client 1: email'] ?? '');
    await rows(`update clients set password_hash = 'x' where email = $1`, [emails[2]]);
    const invite = () => handler.call('POST', `/spreadsheets/${id}/invitations`);
    const answers = await Promise.all([invite(), invite()]);
    for (const { data } of answers) expect(data).toMatchObject({ new_clients: 3, invited: 3 });
    expect(await invitedBy(emails)).toEqual(emails.slice(0, 2));
    const audited = await rows(
      `select count(*)::int as invitations from audit_entries where action = 'client.invited' and actor_kind = 'staff'
         and subject_id in (select id::text from clients where email = any($1))`,
      [emails],
    );
    expect(audited).toEqual([{ invitations: 2 }]);
    expect((await importAll(csv)).new_clients).toBe(2);
  });

  test('the clients of an import are not invited before it, nor if they have an invitation', async () => {
    const { csv, rows: made } = makeFile(1);
    await importAll(csv);
    await rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       select $2, id, 'invitation', now(), now() + interval '1 day' from clients where email = $1`,
      [made[0]?.['Client 1: email'], createHash('sha256').update(csv).digest()],
    );
    expect((await importAll(csv)).new_clients).toBe(0);
    const checked = await check(await upload(csv));
    expect(await handler.call('POST', `/spreadsheets/${checked.id}/invitations`)).toMatchObject({
      status: 409,
    });
  });
});

test('the template is a CSV file with every heading', async () => {
  const { text } = await handler.call('GET', '/spreadsheets/template', undefined, { origin: deskOrigin });
  expect(text.split('\r\n')[0]?.split(',')).toHaveLength(spreadsheetFieldNames.length);
});
