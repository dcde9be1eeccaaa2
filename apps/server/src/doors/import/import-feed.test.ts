import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  buildFirm,
  buildPayment,
  buildRegulation,
  createImportDependencies,
  runLength,
  withFreshTestDatabase,
} from '@keyturn/testkit';
import { changedFeed as changed, fixtureFeed as feed } from '@keyturn/testkit/fixture-feed.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileStore } from '../../adapters/files/file-store.ts';
import { FeedError } from '../../case-file/import/read-feed.ts';
import { changedEmailHandler } from '../../people/clients/record/changed-email-mail.ts';
import type { Mail } from '../../platform/mailer.ts';
import { importFeed } from './import-feed.ts';

const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;

const testDatabase = withFreshTestDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-feed-'));
  mkdirSync(join(folder, 'feed'));
  writeFileSync(join(folder, 'feed', 'letter.pdf'), '%PDF-1.7 a letter');
  writeFileSync(join(folder, 'feed', 'locked.pdf'), '%PDF-1.7 locked');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const alerts: object[] = [];
let scans = 0;

function take(given: unknown, as: 'real' | 'demonstration' = 'real', dryRun = false) {
  const dependencies = createImportDependencies(
    { database: testDatabase.database, files: createFileStore(join(folder, 'stored')) },
    {
      checkPassword: async (password) => (password.length < 12 ? ['Please use at least 12 characters.'] : []),
      findSigningFault: async (document) => (document.includes('locked') ? 'it is locked' : null),
      findMalware: async (document) => {
        scans += 1;
        return document.includes('infected') ? 'Eicar-Test-Signature' : null;
      },
      alertOperator: (message, details) => alerts.push({ message, ...details }),
    },
  );
  return importFeed(dependencies, { feed: given, folder: join(folder, 'feed'), as, actor, dryRun });
}
const rows = async (sql: string, values: unknown[] = []) => (await testDatabase.pool.query(sql, values)).rows;
const everything = () =>
  rows(`select jsonb_build_array((select jsonb_agg(c order by id) from clients c), (select jsonb_agg(c order by id) from conveyancing_cases c),
    (select jsonb_agg(m order by id) from matters m), (select jsonb_agg(m order by id) from milestones m), (select jsonb_agg(d order by id) from documents d),
    (select jsonb_agg(s order by id) from case_searches s), (select jsonb_agg(t order by id) from tasks t), (select jsonb_agg(h order by id) from history_entries h)) as all_of_it`);
describe('importFeed', () => {
  test('fault 59: an import stores everything the first time, and names of every script unchanged', async () => {
    expect(await take(feed)).toEqual({ created: 7, updated: 0, unchanged: 0, rejected: [] });
    expect(await rows('select last_name from clients')).toEqual([{ last_name: "O'Brien-Łukasiewicz 李" }]);
    expect((await rows('select count(*)::int as n from milestones'))[0].n).toBe(20);
    expect(await rows('select price_vat, price_gross from case_searches')).toEqual([
      { price_vat: 583, price_gross: 3916 },
    ]);
  });

  test('dates the firm’s waiting-for words by their last change, not by the last import of the matter', async () => {
    const send = (waiting_for: string | undefined, more: object = {}) =>
      take(
        changed('matters', {
          milestones: [{ key: 'identity_checked', status: 'current', waiting_for }],
          ...more,
        }),
      );
    const setAt = async () =>
      (await rows("select waiting_set_at from milestones where key = 'identity_checked'"))[0].waiting_set_at;
    await take(feed);
    expect(await setAt()).toBeNull();
    await send('You');
    const first = await setAt();
    expect(first).toBeInstanceOf(Date);
    await send('You', { target_exchange_on: '2027-01-15' });
    expect(await setAt()).toEqual(first);
    await send('The freeholder');
    expect((await setAt()).getTime()).toBeGreaterThan(first.getTime());
    await send(undefined);
    expect(await setAt()).toBeNull();
  });

  test('ends password links and sessions only when a client’s email changes', async () => {
    await take(feed);
    await rows("update clients set password_hash = 'x'");
    const [{ id }] = await rows('select id from clients');
    await rows(
      `insert into password_links (token_hash, client_id, purpose, created_at, expires_at)
       values (sha256('a'), $1, 'invitation', now(), now() + interval '1 day')`,
      [id],
    );
    await rows(
      "insert into sessions (token_hash, client_id, expires_at) values (sha256('b'), $1, now() + interval '1 day')",
      [id],
    );
    const open = () =>
      rows(`select (select count(*)::int from password_links where used_at is null) as links,
        (select count(*)::int from sessions where revoked_at is null) as sessions`);
    const reports = () =>
      rows(`select payload from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
        where task.identifier = 'report-changed-email'`);
    const [client] = feed.clients;
    await take(changed('clients', { phone: '01632 960001', email: client?.email.toUpperCase() }));
    expect(await open()).toEqual([{ links: 1, sessions: 1 }]);
    expect(await reports()).toEqual([]);
    await take(changed('clients', { email: 'someone.else@example.test' }));
    await take(changed('clients', { email: 'someone.else@example.test' }));
    expect(await open()).toEqual([{ links: 0, sessions: 0 }]);
    const [report, ...others] = await reports();
    expect(others).toEqual([]);
    const mails: Mail[] = [];
    const mailer = { send: async (mail: Mail) => `${mails.push(mail)}` };
    for (let attempt = 0; attempt < 2; attempt += 1)
      await changedEmailHandler({ mailer }).work(report.payload);
    expect(mails[0]).toMatchObject({
      to: { address: client?.email.toUpperCase() },
      subject: 'Your email address was changed',
    });
    expect(JSON.stringify(mails)).not.toContain('someone.else');
    expect(mails[0]?.identity).toBeDefined();
    // The same email, of which mail servers drop the second.
    expect(mails[1]?.identity).toEqual(mails[0]?.identity);
    await take(changed('clients', { email: 'third@example.test' }));
    expect(await reports()).toHaveLength(1);
    await rows("update clients set email_change_mailed_at = email_change_mailed_at - interval '1 hour'");
    await take(changed('clients', { email: 'fourth@example.test' }));
    expect((await reports()).map(({ payload }) => payload.email).sort()).toEqual([
      client?.email.toUpperCase(),
      'third@example.test',
    ]);
    await rows('update clients set password_hash = null, email_change_mailed_at = null');
    await take(changed('clients', { email: 'fifth@example.test', password: undefined }));
    expect(await reports()).toHaveLength(2);
  });

  test('an import keeps the phone number that a client has chosen until the feed sends another one', async () => {
    const send = (phone: string, first_name = 'Zoë') => take(changed('clients', { phone, first_name }));
    await send('01632 960123');
    await rows(
      `update clients set phone = '+447700900456', replaced_feed_phone = phone, former_phone = phone,
       phone_changed_at = '2026-11-20T09:00:00Z', recent_phones = array[null, '+447700900456']`,
    );
    const stored = () =>
      rows(
        'select first_name, phone, replaced_feed_phone, former_phone, phone_changed_at, recent_phones from clients',
      );
    await send('+44 (0)1632 960123', 'Zoe');
    expect(await stored()).toEqual([
      {
        first_name: 'Zoe',
        phone: '+447700900456',
        replaced_feed_phone: '+441632960123',
        former_phone: '+441632960123',
        phone_changed_at: new Date('2026-11-20T09:00:00Z'),
        recent_phones: [null, '+447700900456'],
      },
    ]);
    await send('01632 960777');
    expect(await stored()).toEqual([
      {
        first_name: 'Zoë',
        phone: '+441632960777',
        replaced_feed_phone: null,
        former_phone: null,
        phone_changed_at: null,
        recent_phones: [],
      },
    ]);
  });

  test('an import changes nothing when the same feed is sent again', async () => {
    await take(feed);
    const before = await everything();
    expect(await take(feed)).toEqual({ created: 0, updated: 0, unchanged: 7, rejected: [] });
    expect(await everything()).toEqual(before);
  });

  test('leaves records of version 0.1 unchanged, although their hashes depend on the order of the fields', async () => {
    await take(feed);
    const [client] = feed.clients;
    await rows("update clients set last_name = 'Kept', feed_hash = sha256($1)", [JSON.stringify(client)]);
    const { email, ...others } = feed.clients[0];
    expect(await take({ ...feed, clients: [{ email, ...others }] })).toMatchObject({ updated: 1 });
    await rows("update clients set last_name = 'Kept', feed_hash = sha256($1)", [JSON.stringify(client)]);
    expect(await take(feed)).toMatchObject({ updated: 0 });
    expect(await rows('select last_name from clients')).toEqual([{ last_name: 'Kept' }]);
  });

  test('an import updates only changed records', async () => {
    await take(feed);
    expect(await take(changed('searches', { status: 'ordered' }))).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 6,
    });
  });

  test('imports a feed once when two imports run at the same time', async () => {
    const reports = await Promise.all([take(feed), take(feed), take(feed)]);
    expect(reports.flatMap((report) => report.rejected)).toEqual([]);
    expect(reports.reduce((sum, report) => sum + report.created, 0)).toBe(7);
  });

  test('rejects a timestamp that does not exist and imports the rest', async () => {
    const [entry] = feed.history;
    const history = [
      { ...entry, reference: 'H0', occurred_at: '2026-06-30T23:59:60Z' },
      entry,
      { ...entry, reference: 'H2' },
    ];
    expect(await take({ ...feed, history })).toMatchObject({ created: 8, rejected: [{ reference: 'H0' }] });
  });

  test('a dry run reports the same outcomes as the import', async () => {
    const other = { ...feed.clients[0], reference: 'C2' };
    const given = {
      ...feed,
      clients: [
        ...feed.clients,
        other,
        { ...other, reference: 'C3', email: 'c3@example.test', password: 'short' },
      ],
      cases: feed.cases.map((record) => ({ ...record, clients: ['C1', 'C2'] })),
      searches: changed('searches', { price: { net: 1, vat_rate: 0, gross: 2 } }).searches,
    };
    const tried = await take(given, 'real', true);
    expect(tried.rejected.map(({ place }) => place)).toEqual([
      '/clients/1',
      '/clients/2/password',
      '/cases/0/clients/1',
      '/matters/0/case',
      '/documents/0/matter',
      '/searches/0/matter',
      '/tasks/0/case',
      '/history/0/case',
    ]);
    expect(await take(given)).toEqual(tried);
  });

  test('leaves every row and file unchanged in a dry run over existing data', async () => {
    await take(feed);
    const before = await everything();
    const later = changed('searches', { status: 'ordered', name: 'X' });
    expect(await take(later, 'real', true)).toMatchObject({ updated: 1, unchanged: 6 });
    writeFileSync(join(folder, 'feed', 'tried.pdf'), '%PDF-1.7 tried out only');
    expect(await take(changed('documents', { file: 'tried.pdf' }), 'real', true)).toMatchObject({
      updated: 1,
    });
    expect(await everything()).toEqual(before);
    const sha256 = createHash('sha256').update('%PDF-1.7 tried out only').digest('hex');
    expect(await createFileStore(join(folder, 'stored')).has(sha256)).toBe(false);
  });

  test('an import refuses a document with malware by name and imports the rest, and does not scan an unchanged one again', async () => {
    writeFileSync(join(folder, 'feed', 'bad.pdf'), '%PDF-1.7 infected');
    const [letter] = feed.documents;
    const given = { ...feed, documents: [letter, { ...letter, reference: 'D-bad', file: 'bad.pdf' }] };
    const refused = {
      rejected: [
        {
          place: '/documents/1/file',
          reference: 'D-bad',
          reason: expect.stringMatching(/^contains malware \(Eicar-Test-Signature\)/),
        },
      ],
    };
    scans = 0;
    expect(await take(given)).toMatchObject({ created: 7, ...refused });
    expect(await take(given)).toMatchObject({ unchanged: 7, ...refused });
    expect(scans).toBe(3);
    const sha256 = createHash('sha256').update('%PDF-1.7 infected').digest('hex');
    expect(await createFileStore(join(folder, 'stored')).has(sha256)).toBe(false);
    expect(alerts).toMatchObject([
      { document: 'D-bad', sha256 },
      { document: 'D-bad', sha256 },
    ]);
    expect(
      await rows("select subject_id from audit_entries where action = 'document.malware_found'"),
    ).toEqual([{ subject_id: 'D-bad' }, { subject_id: 'D-bad' }]);
  });

  test('an import claims the installation if it stores at least the firm, but not if every record is rejected', async () => {
    const wrong = {
      ...feed,
      clients: [{ reference: 'C1' }],
      cases: [],
      matters: [],
      documents: [],
      searches: [],
      tasks: [],
      history: [],
    };
    expect((await take(wrong)).rejected).toHaveLength(1);
    expect(await rows('select holds, firm from installation')).toEqual([{ holds: 'nothing', firm: null }]);
    expect(await take({ ...wrong, clients: [] })).toMatchObject({ created: 0, rejected: [] });
    const firm = {
      ...feed.firm,
      phone: '+441174960100',
      vat_number: null,
      order_cutoff: '15:00',
      closed_on: [],
    };
    expect(await rows('select holds, firm from installation')).toEqual([{ holds: 'real', firm }]);
  });

  test('an import stores the VAT number, the cut-off time and the closed days of the firm', async () => {
    const more = { vat_number: 'GB 123 4567 89', order_cutoff: '16:30', closed_on: ['2026-12-24'] };
    await take({ ...feed, firm: { ...feed.firm, ...more } });
    expect((await rows('select firm from installation'))[0].firm).toEqual({
      ...feed.firm,
      phone: '+441174960100',
      ...more,
    });
  });

  test('an import writes nothing in a dry run', async () => {
    expect(await take(feed, 'real', true)).toMatchObject({ created: 7 });
    expect((await rows('select count(*)::int as n from clients'))[0].n).toBe(0);
    expect(await rows('select holds from installation')).toEqual([{ holds: 'nothing' }]);
  });

  test('an import sets no password before the firm has entered what it must show', async () => {
    const withPassword = changed('clients', { password });
    const { rejected } = await take(withPassword);
    expect(rejected[0]).toMatchObject({
      place: '/clients/0/password',
      reason: expect.stringMatching(
        /^cannot be set yet\. No client can be invited yet\. .*Missing: .*Legal form;/,
      ),
    });
    expect(await rows('select reference from clients')).toEqual([]);
    await enterFirm();
    expect(await take(withPassword)).toMatchObject({ created: 7, rejected: [] });
  });

  test('an import sets a password only while the client has none', async () => {
    await enterFirm();
    await take(changed('clients', { password }));
    await take(changed('clients', { password: 'quite another phrase 7', phone: '0117 496 0101' }));
    expect(await rows('select password_hash from clients')).toEqual([
      { password_hash: `hash of ${password}` },
    ]);
  });

  test('an import sets a password sent later, even if nothing else changed', async () => {
    await enterFirm();
    await take(feed);
    expect((await take(changed('clients', { password: 'short' }))).rejected).toMatchObject([
      { place: '/clients/0/password' },
    ]);
    const withPassword = changed('clients', { password });
    expect(await take(withPassword)).toMatchObject({ updated: 1, unchanged: 6 });
    expect(await rows('select password_hash from clients')).toEqual([
      { password_hash: `hash of ${password}` },
    ]);
    expect(await take(withPassword)).toMatchObject({ updated: 0, unchanged: 7 });
    await take(changed('clients', { password: 'short' }));
    expect(await take(changed('clients', { password: 'short' }))).toMatchObject({
      unchanged: 7,
      rejected: [],
    });
  });

  const password = 'a long enough phrase 9';
  /** Enters what a firm needs before its clients can sign in. */
  async function enterFirm() {
    await buildFirm(testDatabase.database);
    await buildRegulation(testDatabase.database);
  }
});

describe('importing signed documents', () => {
  const toSign = {
    ...feed,
    clients: [...feed.clients, { ...feed.clients[0], reference: 'C2', email: 'tom@example.test' }],
    cases: [{ ...feed.cases[0], clients: ['C1', 'C2'] }],
    documents: [{ ...feed.documents[0], signing: 'simple' }],
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
  test('imports how a document is signed, even without a possible signed copy, and when it was received', async () => {
    const deed = { ...feed.documents[0], signing: 'deed', binds_on: 'completion', file: 'locked.pdf' };
    expect((await take({ ...feed, documents: [deed] })).rejected).toEqual([]);
    const stored = () => rows('select signing, binds_on, received_on::text from documents');
    expect(await stored()).toEqual([{ signing: 'deed', binds_on: 'completion', received_on: null }]);
    await take({ ...feed, documents: [{ ...deed, received_on: '2026-11-20' }] });
    expect(await stored()).toMatchObject([{ received_on: '2026-11-20' }]);
  });

  test('rejects a change to signing on paper once the document is signed', async () => {
    await take(toSign);
    await sign('C1');
    const deed = { ...toSign, documents: [{ ...feed.documents[0], signing: 'deed' }] };
    expect((await take(deed)).rejected).toMatchObject([
      { place: '/documents/0/signing', reason: expect.stringContaining('because the document is signed') },
    ]);
  });

  test('imports whether clients confirm their identity when they sign, which a signed document keeps', async () => {
    const asking = { ...toSign, documents: [{ ...toSign.documents[0], confirm_identity: true }] };
    const stored = () => rows('select title, confirm_identity from documents');
    await take(asking);
    expect(await stored()).toEqual([{ title: 'Letter', confirm_identity: true }]);
    await take(toSign);
    expect(await stored()).toEqual([{ title: 'Letter', confirm_identity: true }]);
    await sign('C1');
    const without = { ...toSign, documents: [{ ...toSign.documents[0], title: 'New' }] };
    expect((await take(without)).rejected).toEqual([]);
    expect(await stored()).toEqual([{ title: 'New', confirm_identity: true }]);
    const off = { ...toSign, documents: [{ ...toSign.documents[0], confirm_identity: false }] };
    expect((await take(off)).rejected).toMatchObject([
      {
        place: '/documents/0/confirm_identity',
        reason: expect.stringContaining('because the document is signed'),
      },
    ]);
  });

  test.each(['rhian', 'a@b.example?bcc=thief@evil.example', 'a@b.example,thief@evil.example', ''])(
    'rejects a handler whose email address is %j',
    async (email) => {
      const handlers = [{ name: 'R', role: 'C', phone: '0117 496 0101', email }];
      const altered = { ...feed, cases: [{ ...feed.cases[0], handlers }] };
      expect((await take(altered)).rejected).toContainEqual(
        expect.objectContaining({ place: '/cases/0/handlers/0/email' }),
      );
    },
  );

  const statusOfTask = async () => (await rows('select status from tasks'))[0]?.status;

  test('rejects another file for a signed document', async () => {
    writeFileSync(join(folder, 'feed', 'other.pdf'), '%PDF-1.7 another letter');
    const altered = { ...toSign, documents: [{ ...toSign.documents[0], file: 'other.pdf', title: 'New' }] };
    await take(toSign);
    await sign('C1');
    expect((await take(altered)).rejected).toMatchObject([
      { place: '/documents/0/file', reason: expect.stringContaining('is signed') },
    ]);
    expect(await rows('select title from documents')).toEqual([{ title: 'Letter' }]);
    const renamed = { ...toSign, documents: [{ ...toSign.documents[0], title: 'New' }] };
    expect((await take(renamed)).rejected).toEqual([]);
  });

  test('an import leaves a signing task done once every client has signed', async () => {
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

  test('accepts a document that cannot be signed when no signature is required', async () => {
    expect(await take(changed('documents', { file: 'locked.pdf' }))).toMatchObject({
      created: 7,
      rejected: [],
    });
  });

  test('rejects a document that supersedes itself', async () => {
    await take(feed);
    expect((await take(changed('documents', { supersedes: 'D1' }))).rejected).toMatchObject([
      { place: '/documents/0/supersedes' },
    ]);
  });
});

describe('rejected records', () => {
  test('rejects a matter with an invalid milestone completely, and its dependent records', async () => {
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
    expect(report.rejected.map(({ place }) => place)).toEqual([
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

  test('accepts references whose digits look like a card number, because a firm cannot change them', async () => {
    const number = '4242424242424242';
    const renamed = JSON.parse(
      JSON.stringify(feed).replaceAll(/"(C1|K1|M1|D1|S1|T1|H1)"/g, `"$1 ${number}"`),
    );
    expect(await take(renamed)).toMatchObject({ created: 7, rejected: [] });
  });

  test('rejects an email that another client has', async () => {
    await take(feed);
    const report = await take({
      ...feed,
      clients: [{ reference: 'C2', first_name: 'A', last_name: 'B', email: 'ZOE@example.test' }],
    });
    expect(report.rejected).toEqual([
      { place: '/clients/0', reference: 'C2', reason: 'has an email address that another client has' },
    ]);
  });

  test('rejects a duplicate reference and a record that would move to another case', async () => {
    const twice = await take({ ...feed, clients: [...feed.clients, ...feed.clients] });
    expect(twice.rejected).toMatchObject([{ place: '/clients/1/reference', reason: 'duplicate reference' }]);
    const moved = await take({
      ...feed,
      cases: [...feed.cases, { ...feed.cases[0], reference: 'K2' }],
      history: feed.history.map((entry) => ({ ...entry, case: 'K2' })),
    });
    expect(moved.rejected).toMatchObject([
      { place: '/history/0/case', reason: expect.stringMatching(/cannot change/) },
    ]);
  });
});

describe('importing a search', () => {
  const say = (change: object) => take(changed('searches', change));
  const statusNow = async () => (await rows('select status from case_searches'))[0].status;
  const startPayment = async (status: 'processing' | 'cancelled' | 'succeeded') => {
    const [of] = await rows(
      'select s.id, m.case_id, m.id as matter_id, c.id as client_id from clients c, case_searches s join matters m on m.id = s.matter_id',
    );
    await buildPayment(testDatabase.database, {
      caseId: of.case_id,
      clientId: of.client_id,
      matterId: of.matter_id,
      caseSearchId: of.id,
      amount: 3916,
      status,
    });
  };

  test('an import rejects an earlier status of a search and writes nothing of the record', async () => {
    await say({ status: 'returned' });
    for (const status of ['awaiting_payment', 'paid', 'ordered', 'cancelled']) {
      expect((await say({ status, name: 'Another' })).rejected).toMatchObject([
        { place: '/searches/0/status', reason: `cannot go from returned to ${status}` },
      ]);
    }
    expect(await rows('select status, name from case_searches')).toEqual([
      { status: 'returned', name: 'Environmental' },
    ]);
    expect((await say({ status: 'reviewed' })).rejected).toEqual([]);
  });

  test('an import cannot cancel, pay or order a search while its payment is in progress', async () => {
    await take(feed);
    await startPayment('cancelled');
    await startPayment('processing');
    for (const status of ['cancelled', 'paid', 'ordered']) {
      expect((await say({ status })).rejected).toMatchObject([
        { place: '/searches/0/status', reason: expect.stringMatching(/a payment is in progress/) },
      ]);
    }
    expect((await say({ name: 'Another name' })).rejected).toEqual([]);
    expect(await statusNow()).toBe('awaiting_payment');
  });

  test('an import can change the status of a search after its payment was cancelled', async () => {
    await take(feed);
    await startPayment('cancelled');
    expect((await say({ status: 'cancelled' })).rejected).toEqual([]);
    expect(await statusNow()).toBe('cancelled');
  });

  test('does not move an ordered search back to paid', async () => {
    await take(feed);
    await startPayment('succeeded');
    await testDatabase.pool.query("update case_searches set status = 'paid'");
    await say({ status: 'ordered' });
    expect((await say({ status: 'awaiting_payment', name: 'X' })).rejected).toHaveLength(1);
    expect(await statusNow()).toBe('ordered');
  });
});

describe('importing a search that was paid in Keyturn', () => {
  test('a search that was paid in Keyturn stays paid and its task done when an older feed says otherwise', async () => {
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
    expect(dearer.rejected).toMatchObject([
      { place: '/searches/0/price', reason: expect.stringMatching(/payment was started/) },
    ]);
  });
});

describe('references between records', () => {
  const { status: _status, ...otherSearch } = feed.searches[0];
  const twoCases = {
    ...feed,
    cases: [...feed.cases, { ...feed.cases[0], reference: 'K2' }],
    matters: [
      ...feed.matters,
      { ...feed.matters[0], reference: 'M1b' },
      { ...feed.matters[0], reference: 'M2', case: 'K2' },
    ],
    documents: [
      ...feed.documents,
      { ...feed.documents[0], reference: 'D1b', matter: 'M1b' },
      { ...feed.documents[0], reference: 'D2', matter: 'M2' },
    ],
    searches: [
      ...feed.searches,
      { ...otherSearch, reference: 'S1b', matter: 'M1b', status: 'ordered', result_document: 'D1b' },
      { ...otherSearch, reference: 'S2', matter: 'M2', status: 'ordered', result_document: 'D2' },
    ],
  };

  test.each([
    ['tasks', { matter: 'M2', search: 'S2' }, '/tasks/0/matter', /"M2", which belongs to another case/],
    ['tasks', { search: 'S2' }, '/tasks/0/search', /"S2", which belongs to another case/],
    ['tasks', { document: 'D2' }, '/tasks/0/document', /"D2", which belongs to another case/],
    ['tasks', { matter: 'M1', search: 'S1b' }, '/tasks/0/search', /"S1b", which belongs to another matter/],
    ['searches', { result_document: 'D2' }, '/searches/0/result_document', /"D2", which belongs to another/],
    ['searches', { result_document: 'D1b' }, '/searches/0/result_document', /another matter/],
    ['documents', { supersedes: 'D2' }, '/documents/0/supersedes', /"D2", which belongs to another/],
  ] as const)(
    'rejects %s that refers to another case or matter with %j',
    async (list, change, place, reason) => {
      expect((await take(twoCases)).rejected).toEqual([]);
      const [record] = feed[list];
      const sent = { ...feed, [list]: [{ ...record, ...change }] };
      // Both cases behave the same: the referenced record was imported before, or is in this feed.
      for (const given of [sent, { ...twoCases, [list]: sent[list] }]) {
        expect((await take(given)).rejected).toMatchObject([
          { place, reason: expect.stringMatching(reason) },
        ]);
      }
    },
  );
});

describe('bills', () => {
  const bill = {
    reference: 'B1',
    case: 'K1',
    matter: 'M1',
    number: '1',
    description: 'Our fee',
    issued_on: '2026-11-18',
    net: 100,
    vat_rate: 20,
    vat: 20,
    status: 'issued' as const,
  };

  test('imported bills are due when issued, on a day, or on completion', async () => {
    const { rejected } = await take({
      ...feed,
      bills: [
        bill,
        { ...bill, reference: 'B2', due_on: '2026-12-01' },
        { ...bill, reference: 'B3', due_on_completion: true },
      ],
    });
    expect(rejected).toEqual([]);
    expect(
      await rows('select due_on::text, due_on_completion as completion from bills order by reference'),
    ).toEqual([
      { due_on: null, completion: false },
      { due_on: '2026-12-01', completion: false },
      { due_on: null, completion: true },
    ]);
  });

  test.each([
    [{ due_on: '2026-12-01' }, '/bills/0/due_on', 'cannot be set with due_on_completion'],
    [{ matter: undefined }, '/bills/0/matter', 'is needed for due_on_completion'],
  ])('bills due on completion are rejected with %j', async (change, place, reason) => {
    const { matter, ...others } = { ...bill, due_on_completion: true, ...change };
    const sent = matter === undefined ? others : { ...others, matter };
    expect((await take({ ...feed, bills: [sent] })).rejected).toMatchObject([{ place, reason }]);
  });

  const { net: _net, vat_rate: _rate, vat: _vat, ...unpriced } = bill;
  const fee = { description: 'Our fee', net: 12_345, vat_code: 'standard', money: 'office' } as const;
  const registration = {
    description: 'HM Land Registry fee',
    net: 4_500,
    vat_code: 'outside_scope',
    money: 'client',
  } as const;

  test('a bill with lines has the sum of their net amounts and VAT, which is rounded half up for each line', async () => {
    const lines = [fee, registration, { ...fee, net: 12_343 }];
    expect(await take({ ...feed, bills: [{ ...unpriced, lines }] })).toMatchObject({ rejected: [] });
    const stored = { net: 29_188, vat: 2_469 + 2_469, rate: 20 };
    const select = 'select net, vat, vat_rate as rate from bills';
    expect(await rows(select)).toEqual([stored].map(({ rate, ...sums }) => ({ ...sums, rate })));
    expect(await take({ ...feed, bills: [{ ...unpriced, lines }] })).toMatchObject({ updated: 0 });
  });

  test('a bill that was sent with a net amount and a rate is one line, and can be sent with lines later', async () => {
    await take({ ...feed, bills: [bill] });
    expect(await rows('select lines from bills')).toEqual([{ lines: null }]);
    await take({ ...feed, bills: [{ ...unpriced, lines: [fee, registration] }] });
    expect(await rows('select jsonb_array_length(lines) as lines, net from bills')).toEqual([
      { lines: 2, net: 16_845 },
    ]);
  });

  test('a server of 0.2 that changes the amounts of a bill leaves no lines with other amounts', async () => {
    await take({ ...feed, bills: [{ ...unpriced, lines: [fee, registration] }] });
    await rows("update bills set net = 100, vat_rate = 20, vat = 20 where reference = 'B1'");
    expect(await rows('select lines from bills')).toEqual([{ lines: null }]);
  });

  test.each([
    [{ lines: [fee], net: 12_345 }, '/bills/0/net', /^cannot be set with lines$/],
    [{ net: 100 }, '/bills/0/vat_rate', /^is needed for a bill without lines$/],
    [{ lines: [{ ...fee, vat: 2_471 }] }, '/bills/0/lines/0/vat', /^must be 20% of the net amount/],
    [{ lines: [fee, { ...registration, vat: 1 }] }, '/bills/0/lines/1/vat', /^must be 0/],
    [{ lines: [{ ...fee, net: 90_000_000 }] }, '/bills/0/lines', /^add up to more than £1,000,000\.00$/],
    [{ lines: [fee], document: 'D9' }, '/bills/0/document', /"D9", which does not exist/],
  ])('a bill is rejected with %j', async (change, place, reason) => {
    expect((await take({ ...feed, bills: [{ ...unpriced, ...change }] })).rejected).toMatchObject([
      { place, reason: expect.stringMatching(reason) },
    ]);
  });
});

describe('order of records', () => {
  const search = (reference: string, change = {}) => ({ ...feed.searches[0], reference, ...change });
  const inOrder = async () =>
    (await rows('select reference, position from case_searches order by position')).map(
      ({ reference, position }) => `${position} ${reference}`,
    );

  test('an import keeps the position of a record sent alone and puts a new one last', async () => {
    await take({ ...feed, searches: [search('S1'), search('S2'), search('S3')] });
    expect(await take({ ...feed, searches: [search('S3')] })).toMatchObject({ updated: 0, unchanged: 7 });
    expect(await take({ ...feed, searches: [search('S3', { name: 'X' })] })).toMatchObject({ updated: 1 });
    await take({ ...feed, searches: [search('S4'), search('S2')] });
    expect(await inOrder()).toEqual(['0 S1', '1 S2', '2 S3', '3 S4']);
  });

  test('an import takes the order of a matter’s records from a feed that has all of them', async () => {
    const matters = [...feed.matters, { ...feed.matters[0], reference: 'M2' }];
    const other = search('O1', { matter: 'M2', result_document: undefined });
    await take({ ...feed, matters, searches: [search('S1'), other, search('S2')] });
    expect(await rows("select position from case_searches where reference = 'S2'")).toEqual([
      { position: 1 },
    ]);
    await take({ ...feed, matters, searches: [search('S2'), search('S1')] });
    expect(await inOrder()).toEqual(expect.arrayContaining(['0 S2', '1 S1', '0 O1']));
  });

  test('an import creates only the new entry in a list without an order', async () => {
    const entry = (index: number) => ({ ...feed.history[0], reference: `H${index}` });
    const history = Array.from({ length: 50 }, (_, index) => entry(index + 1));
    await take({ ...feed, history });
    expect(await take({ ...feed, history: [entry(0), ...history] })).toEqual({
      created: 1,
      updated: 0,
      unchanged: 56,
      rejected: [],
    });
  });
});

describe('invalid feeds', () => {
  test.each([
    ['null', null],
    ['a list', []],
    ['another format', { ...feed, format: 'x' }],
    ['a list that is an object', { ...feed, tasks: {} }],
    ['an unknown list', { ...feed, pets: [] }],
    ['no firm, the first time', { ...feed, firm: undefined }],
    ['a wrong VAT number', { ...feed, firm: { ...feed.firm, vat_number: '12' } }],
    ['a cut-off time that is no time', { ...feed, firm: { ...feed.firm, order_cutoff: '3pm' } }],
    ['a closed day that is no day', { ...feed, firm: { ...feed.firm, closed_on: ['2026-02-30'] } }],
  ])('an import rejects %s with one line', async (_what, given) => {
    await expect(take(given === null ? null : JSON.parse(JSON.stringify(given)))).rejects.toThrow(FeedError);
  });

  test('an import never mixes real cases with the demonstration', async () => {
    await take(feed, 'demonstration');
    await expect(take(feed, 'real')).rejects.toThrow(/holds the demonstration firm/);
  });

  test('an import neither crashes nor writes a record partially for any JSON', async () => {
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
            if (!(error instanceof FeedError)) throw error;
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
      { numRuns: runLength({ short: 80, long: 500 }) },
    );
  });
});

describe('documentation of the case feed', () => {
  const docs = join(import.meta.dirname, '../../../../../docs');

  test('the documented example of the case feed can be imported unchanged', async () => {
    const [, example = ''] =
      /```json\n([\s\S]*?)```/.exec(readFileSync(join(docs, 'case-feed.md'), 'utf8')) ?? [];
    expect((await take(JSON.parse(example))).rejected).toEqual([]);
  });
});
