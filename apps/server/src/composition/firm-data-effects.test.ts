import { type CaseFeed, documentGroups, type Firm } from '@keyturn/contract';
import { orderDay } from '@keyturn/format/working-days';
import { buildCase, buildFirm, createTestClock, withFreshTestDatabase } from '@keyturn/testkit';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { payableCases } from '../case-file/cases/payable-cases.ts';
import { caseOf, type StoredCase, toCase } from '../case-file/cases/read-conveyancing-case.ts';
import { readDocuments } from '../case-file/documents/read-documents.ts';
import { readRecords } from '../case-file/records/read-records.ts';
import { findStyleSheet, serveFirmFiles } from '../doors/client/serve-firm-files.ts';
import { importFeed } from '../doors/import/import-feed.ts';
import { changeFirmData } from '../firm/change-firm-data.ts';
import { changeBrand, storeLogo } from '../firm/firm-brand.ts';
import { changeFirmDetails, readFirmDetails } from '../firm/firm-details.ts';
import { releaseSearch } from '../payments/records/payments-store.ts';
import { createClientRead } from '../people/clients/profile/read-client.ts';
import { DomainError } from '../platform/domain-error.ts';
import { readFirmData } from '../platform/firm-data/firm-data.ts';

const stored = withFreshTestDatabase();
const clock = createTestClock('2026-11-23T09:00:00Z');
const dependencies = () => ({ database: stored.database, clock });
const by = { actor: { kind: 'staff', id: '1', name: 'Dana Price' }, address: '203.0.113.7' } as const;

const firm = {
  name: 'Alder & Finch',
  sra_number: '123456',
  phone: '01632 960000',
  address: ['1 Market Place', 'Frome'],
  opening_hours: 'Monday to Friday',
  vat_number: null,
  order_cutoff: '15:00',
  closed_on: ['2026-12-24'],
};

describe('a bank holiday that the firm adds', () => {
  test('a bank holiday that the firm adds moves the day on which a search is ordered, on screens and in emails', async () => {
    await buildFirm(stored.database, firm);
    const built = await buildCase(stored.database);
    const query = { caseId: built.id, matterId: null, payerId: built.clientId };
    const read = createClientRead<StoredCase | null>({
      select: (caseId, client) => caseOf(caseId, client),
      toCase: (found) => found && toCase(found),
    });
    const promised = async () => {
      const described = await payableCases.describe(stored.database, query);
      const { conveyancing_case } = await read().forClient(stored.database, built.clientId);
      return [described?.firm, conveyancing_case?.firm].map((found) =>
        orderDay('2027-06-04T16:00:00Z', found as Firm),
      );
    };
    expect(await promised()).toEqual(['2027-06-07', '2027-06-07']);
    const { version, value } = await readFirmData(stored.database, 'bank_holidays');
    const change = { version, value: [...value, { day: '2027-06-07', name: 'A royal wedding' }] };
    await changeFirmData(dependencies(), 'bank_holidays', change, by);
    expect(await promised()).toEqual(['2027-06-08', '2027-06-08']);
    expect((await payableCases.describe(stored.database, query))?.bankHolidays).toContain('2027-06-07');
  });
});

/** Imports records as `keyturn import` does. */
const importRecords = (lists: Omit<CaseFeed, 'format' | 'as_of'>) =>
  importFeed(
    {
      ...dependencies(),
      files: { put: async () => '', read: async () => null } as never,
      hashPassword: async () => '',
      checkPassword: async () => [],
      releaseSearch,
      findSigningFault: async () => null,
      findViewingFault: async () => null,
      findMalware: async () => null,
      alertOperator: () => {},
    },
    {
      feed: JSON.parse(JSON.stringify({ format: 'keyturn-case-feed/1', as_of: '2026-11-23', ...lists })),
      folder: '.',
      as: 'real',
      actor: { kind: 'system', id: null, name: 'Test' },
    },
  );

const client = { reference: 'C1', first_name: 'Amelia', last_name: 'Okafor', email: 'amelia@example.com' };

test('clients get the firm’s own closed days and the bank holidays, in one order', async () => {
  await buildFirm(stored.database, { ...firm, closed_on: ['2026-12-24', '2026-12-25', '2026-04-02'] });
  const built = await buildCase(stored.database);
  const query = { caseId: built.id, matterId: null, payerId: built.clientId };
  const days = (await payableCases.describe(stored.database, query))?.firm.closed_on ?? [];
  const { value } = await readFirmData(stored.database, 'bank_holidays');
  expect(days).toEqual([...new Set(['2026-12-24', '2026-04-02', ...value.map(({ day }) => day)])].sort());
});

describe('the closed days that clients get', () => {
  const closedDays = async () => {
    const { rows } = await stored.pool.query("select shown_firm -> 'closed_on' as days from installation");
    return new Set<string>(rows[0].days);
  };
  const shows = async (day: string) => (await closedDays()).has(day);

  test.each(['bank holidays', 'details'])(
    'the closed days are those of the latest versions when bank holidays and details change concurrently, the %s first',
    async (first) => {
      await buildFirm(stored.database, firm);
      const changes = [
        `insert into firm_data (kind, version, value) values ('bank_holidays', 2, '[{"day":"2027-06-07","name":"A wedding"}]')`,
        `update installation set firm = firm || '{"closed_on":["2027-06-14"]}'`,
      ];
      if (first === 'details') changes.reverse();
      const [one, two] = [await stored.pool.connect(), await stored.pool.connect()];
      try {
        await one.query('begin');
        await one.query(changes[0] ?? '');
        const blocked = two.query(changes[1] ?? '');
        await expect
          .poll(async () => (await stored.pool.query('select 1 from pg_locks where not granted')).rowCount, {
            timeout: 20_000,
          })
          .toBeGreaterThan(0);
        await one.query('commit');
        await blocked;
      } finally {
        for (const connection of [one, two]) connection.release(true);
      }
      expect(await closedDays()).toEqual(new Set(['2027-06-07', '2027-06-14']));
    },
  );

  test('the closed days include bank holidays when the feed sends the firm, and cannot be set separately', async () => {
    await importRecords({ firm: { ...firm, vat_number: undefined } as never, clients: [client] });
    expect(await shows('2026-12-25')).toBe(true);
    expect(await shows('2026-12-24')).toBe(true);
    await stored.pool.query("update installation set shown_firm = '{}'");
    expect(await shows('2026-12-24')).toBe(true);
  });
});

test('a reworded folder has the firm’s words on the client’s screens, for each type of matter', async () => {
  const built = await buildCase(stored.database, {
    matters: [{ matterType: 'sale' }, { matterType: 'purchase' }],
  });
  const { version, value } = await readFirmData(stored.database, 'document_groups');
  const words = value.map((group) =>
    group.group === 'title'
      ? { ...group, name: 'Your title', empty: { ...group.empty, sale: 'Not yet.' } }
      : group,
  );
  await changeFirmData(dependencies(), 'document_groups', { version, value: words }, by);
  const { meta } = await readDocuments({}).forClient(stored.database, built.clientId);
  expect(meta.folders).toHaveLength(2 * documentGroups.length);
  expect(meta.folders.filter(({ group }) => group === 'title')).toEqual([
    {
      matter_type: 'purchase',
      group: 'title',
      name: 'Your title',
      empty_text: expect.stringContaining('seller’s'),
    },
    { matter_type: 'sale', group: 'title', name: 'Your title', empty_text: 'Not yet.' },
  ]);
});

describe('the firm’s details and the case feed', () => {
  const take = (sent: object) =>
    importRecords({ firm: { ...firm, vat_number: undefined, ...sent } as never, clients: [client] });
  const name = async () => (await readFirmDetails(stored.database)).value?.name;

  test('an unchanged feed keeps an edit made at the desk, and a feed with a changed firm replaces it', async () => {
    await take({});
    const { version } = await readFirmDetails(stored.database);
    const value = { ...firm, name: 'Alder Law' };
    expect(await changeFirmDetails(dependencies(), { version, value }, by)).toMatchObject({
      version: version + 1,
      changed_by: 'Dana Price',
    });
    await take({});
    await take({ phone: '+44 (0)1632 960000' });
    expect(await name()).toBe('Alder Law');
    // As an earlier release stored it.
    await stored.pool.query('update installation set feed_firm = feed_firm || \'{"phone": "01632 960000"}\'');
    await take({});
    expect(await name()).toBe('Alder Law');
    await take({ phone: '01632 960999' });
    expect(await readFirmDetails(stored.database)).toMatchObject({
      version: version + 2,
      value: { name: 'Alder & Finch', phone: '+441632960999' },
      changed_by: null,
    });
  });

  test('an edit at the desk that is based on the details before a feed is rejected', async () => {
    await take({});
    const { version } = await readFirmDetails(stored.database);
    await take({ phone: '01632 960999' });
    await expect(changeFirmDetails(dependencies(), { version, value: firm }, by)).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
  });
});

describe('a step that the firm adds to the path of a purchase', () => {
  const cases = [
    {
      reference: 'K1',
      title: 'A purchase',
      status: 'active' as const,
      clients: ['C1'],
      handlers: [{ name: 'Rhian', role: 'Conveyancer', phone: '0117 496 0101', email: 'rhian@firm.test' }],
    },
  ];
  const matter = (reference: string, milestones: { key: string; status: 'done' | 'current' }[]) => ({
    reference,
    case: 'K1',
    matter_type: 'purchase' as const,
    status: 'active' as const,
    property: {
      address_lines: ['The Old Chapel'],
      town: 'Frome',
      postcode: 'BA11 1AA',
      tenure: 'freehold' as const,
      title_number: null,
      price: null,
    },
    milestones,
  });
  const take = (reference: string, milestones: Parameters<typeof matter>[1]) =>
    importRecords({
      firm: { ...firm, vat_number: undefined } as never,
      clients: [client],
      cases,
      matters: [matter(reference, milestones)],
    });
  const stepsOf = async (reference: string) =>
    (
      await stored.pool.query(
        `select m.key, m.title, m.stage_title, m.usual_weeks_from from milestones m
         join matters on matters.id = matter_id where reference = $1 order by m.position`,
        [reference],
      )
    ).rows;

  test('usual times that the feed sends for a case have no day of the firm’s figures', async () => {
    const usual_working_days = { from: 1, to: 9 };
    const started = { key: 'instructed', status: 'done' as const, usual_working_days };
    await take('OWN', [started]);
    const { rows } = await stored.pool.query(`select key, figures_of::text from milestones m
      join matters on matters.id = matter_id where reference = 'OWN' order by m.position limit 2`);
    expect(rows).toEqual([
      { key: 'instructed', figures_of: null },
      { key: 'identity_checked', figures_of: '2026-11-01' },
    ]);
  });

  test('a step that the firm adds to a path belongs to new matters, can be sent by the feed, and leaves running matters unchanged', async () => {
    const started = [{ key: 'instructed', status: 'done' as const }];
    expect(await take('OLD', started)).toMatchObject({ created: 3, rejected: [] });
    const before = await stepsOf('OLD');
    const readBefore = await readRecords(stored.database, 'matters', ['OLD']);
    const added = [...started, { key: 'survey_discussed', status: 'current' as const }];
    expect((await take('NEW', added)).rejected).toMatchObject([{ place: '/matters/0/milestones/1/key' }]);

    const { version, value } = await readFirmData(stored.database, 'milestone_path/purchase');
    const survey = {
      key: 'survey_discussed',
      title: 'Your survey',
      explanation: 'We talk about your survey.',
      actor: 'us' as const,
      usual_working_days: { from: 1, to: 3 },
      stage: 0,
      usual_weeks: null,
    };
    const [first, ...others] = value.steps.map((step) =>
      step.key === 'exchanged' ? { ...step, title: 'Exchange day', usual_weeks: { from: 8, to: 16 } } : step,
    );
    const steps = [first as (typeof others)[number], survey, ...others];
    await changeFirmData(
      dependencies(),
      'milestone_path/purchase',
      { version, value: { ...value, steps } },
      by,
    );

    expect((await take('NEW', added)).rejected).toEqual([]);
    const after = await stepsOf('NEW');
    expect(after[1]).toMatchObject({ key: 'survey_discussed', title: 'Your survey', stage_title: 'Opening' });
    expect(after.find(({ key }) => key === 'exchanged')).toMatchObject({
      title: 'Exchange day',
      usual_weeks_from: 8,
    });

    // Texts that equal those of the matter's path are left out.
    expect(await readRecords(stored.database, 'matters', ['OLD'])).toEqual(readBefore);
    const goesOn = [...started, { key: 'identity_checked', status: 'current' as const }];
    expect(await take('OLD', goesOn)).toMatchObject({ updated: 1, rejected: [] });
    expect(await stepsOf('OLD')).toEqual(before);
    expect((await take('OLD', added)).rejected).toMatchObject([{ place: '/matters/0/milestones/1/key' }]);
    // Stored texts that equal those of the matter's path count as unchanged.
    expect(await take('OLD', goesOn)).toMatchObject({ updated: 0 });
  });
});

describe('the firm’s colour and logo', () => {
  const serve = async () => {
    const app = Fastify();
    await app.register(serveFirmFiles(stored.database));
    return (url: string) => app.inject(url);
  };

  test('the firm’s colour and logo reach the dashboard as a style sheet and an image that run and load nothing else', async () => {
    expect(await findStyleSheet(stored.database)).toBeNull();
    const logo = await storeLogo(dependencies(), picture.toString('base64'));
    const value = { colour: '#5b2a86', logo: logo.id, logo_has_name: true };
    await changeBrand(dependencies(), { version: 1, value }, by);
    const path = (await findStyleSheet(stored.database)) ?? '';
    const get = await serve();
    const sheet = await get(path);
    expect(sheet.headers).toMatchObject({
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(sheet.body).toContain(':root{--brand:#5b2a86}');
    expect(sheet.body).toContain(`url(${logo.url})`);
    const sent = await get(logo.url);
    expect(sent.rawPayload.equals(picture)).toBe(true);
    expect(sent.headers).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await get(path.replace(/-.*\./, '-0000000000000000.'))).headers['cache-control']).toBe(
      'no-cache',
    );
    expect((await get(`/firm/logo-${'0'.repeat(64)}.png`)).statusCode).toBe(404);
  });

  test('an unreadable colour is rejected with its contrast and the nearest readable colour', async () => {
    const value = { colour: '#ffcc00', logo: null, logo_has_name: false };
    const refused = changeBrand(dependencies(), { version: 1, value }, by);
    await expect(refused).rejects.toBeInstanceOf(DomainError);
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      errors: { 'value.colour': [expect.stringMatching(/contrast of 1\.\d\d to 1.*#[0-9a-f]{6}\.$/)] },
    });
  });

  test('a logo that is not stored is rejected', async () => {
    const value = { colour: null, logo: 'f'.repeat(64), logo_has_name: false };
    await expect(changeBrand(dependencies(), { version: 1, value }, by)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('a logo that was never shown is deleted after a day', async () => {
    const { id } = await storeLogo(dependencies(), picture.toString('base64'));
    await stored.pool.query("update firm_logos set created_at = created_at - interval '25 hours'");
    await storeLogo(dependencies(), otherPicture.toString('base64'));
    const { rows } = await stored.pool.query('select id from firm_logos');
    expect(rows).toHaveLength(1);
    expect(rows[0].id).not.toBe(id);
  });
});

/** A transparent PNG of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
/** A red PNG of one pixel. */
const otherPicture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
