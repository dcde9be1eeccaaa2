import { documentGroups, matterTypes, type Regulation } from '@keyturn/contract';
import {
  type BankHoliday,
  type CatalogueSearch,
  type DocumentGroupWords,
  type ExportProfile as Format,
  missingRegulation,
} from '@keyturn/contract/staff';
import { withTestDatabase } from '@keyturn/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { firmDataHandlers } from '../doors/staff/firm-data-routes.ts';
import { buildStaff, serveStaff, staffPassword } from '../testing/serve-staff.ts';
import { untilBlocked } from '../testing/until-blocked.ts';

const stored = withTestDatabase();
let served: Awaited<ReturnType<typeof serveStaff>>;
let call: ReturnType<typeof served.openBrowser>['call'];

beforeAll(async () => {
  const { database } = stored;
  served = await serveStaff(stored, {
    requiresSecondFactor: false,
    handlers: (clock) => firmDataHandlers({ database, clock }),
  });
  const { email } = await buildStaff(stored, { role: 'admin', withFactor: false });
  const browser = served.openBrowser();
  await browser.call('POST', '/login', { email, password: staffPassword });
  call = browser.call;
});

const read = async (path: string) => (await call('GET', path)).data;

const lastAudited = async (action: string) =>
  (
    await stored.pool.query(
      `select actor_name, before, after, address from audit_entries
       join audit_links on entry_id = id where action = $1 order by position desc limit 1`,
      [action],
    )
  ).rows[0];

const firm = {
  name: 'Alder & Finch',
  sra_number: '123456',
  phone: '01632 960000',
  address: ['1 Market Place', 'Frome'],
  opening_hours: 'Monday to Friday, 9am to 5pm',
  vat_number: 'GB 123 4567 89',
  order_cutoff: '15:00',
  closed_on: ['2026-12-24'],
};

describe('the firm’s details', () => {
  test('an admin’s change of the firm’s details gets a version, and the audit log has both values', async () => {
    const { version } = await read('/firm');
    const first = await call('PUT', '/firm', { version, value: firm });
    expect(first.data).toMatchObject({
      version: version + 1,
      value: { ...firm, phone: '+441632960000' },
      changed_by: 'Rhian Morgan',
    });
    const value = { ...firm, name: 'Alder & Finch Law', phone: '+441632960111' };
    const second = await call('PUT', '/firm', {
      version: version + 1,
      value: { ...value, phone: '01632 960111' },
    });
    expect(second.data).toMatchObject({ version: version + 2, value });
    expect(await lastAudited('firm.details_changed')).toEqual({
      actor_name: 'Rhian Morgan',
      before: { name: 'Alder & Finch', phone: '+441632960000' },
      after: { name: 'Alder & Finch Law', phone: '+441632960111' },
      address: '203.0.113.7',
    });
    expect((await call('PUT', '/firm', { version: version + 2, value })).data.version).toBe(version + 2);
  });

  test('the firm’s details are not overwritten by a member who read an earlier version', async () => {
    const { version } = await read('/firm');
    await call('PUT', '/firm', { version, value: { ...firm, name: 'First' } });
    const late = await call('PUT', '/firm', { version, value: { ...firm, name: 'Second' } });
    expect([late.status, late.code]).toEqual([409, 'changed_meanwhile']);
    expect((await read('/firm')).value.name).toBe('First');
  });

  test('the firm’s details are not overwritten by a change that overtakes an uncommitted one', async () => {
    const { version } = await read('/firm');
    await call('PUT', '/firm', { version, value: firm });
    const other = await stored.pool.connect();
    await other.query('begin');
    await other.query(`update installation set firm = firm || '{"name": "The other"}'`);
    const late = call('PUT', '/firm', { version: version + 1, value: { ...firm, name: 'Late' } });
    await untilBlocked(stored);
    await other.query('commit');
    other.release();
    expect((await late).code).toBe('changed_meanwhile');
    expect((await read('/firm')).value.name).toBe('The other');
  });

  test.each([
    ['no name', { name: '' }],
    ['a name of spaces', { name: '   ' }],
    ['a name on two lines', { name: 'Alder\nFinch' }],
    ['a hidden character', { name: 'Alder\u202eFinch' }],
    ['a name that is too long', { name: 'x'.repeat(201) }],
    ['words for a phone number', { phone: 'call us' }],
    ['two phone numbers', { phone: '0117 496 0101 or 07700 900123' }],
    ['a script for a phone number', { phone: 'javascript:alert(1)' }],
    ['no address', { address: [] }],
    ['a nine-line address', { address: Array.from({ length: 9 }, () => 'Frome') }],
    ['an impossible time', { order_cutoff: '24:00' }],
    ['a day that does not exist', { closed_on: ['2026-02-30'] }],
    ['a day twice', { closed_on: ['2026-12-24', '2026-12-24'] }],
    ['a VAT number of another country', { vat_number: 'DE123456789' }],
    ['an unknown field', { website: 'https://firm.test' }],
  ])('the firm’s details are rejected with %s', async (_what, change) => {
    const { version } = await read('/firm');
    expect((await call('PUT', '/firm', { version, value: { ...firm, ...change } })).status).toBe(422);
  });
});

describe('what a regulated firm must show', () => {
  const regulation: Regulation = {
    legal_form: 'llp',
    legal_name: 'Alder & Finch LLP',
    company_number: 'OC123456',
    registered_in: 'england_and_wales',
    registered_office: ['1 Market Place', 'Frome'],
    member_names: [],
    members_list_at: 'our registered office',
    regulator: 'clc',
    complaints_name: 'Rhian Morgan',
    complaints_email: 'complaints@firm.test',
    data_protection_name: 'Ann Lee',
    data_protection_email: 'privacy@firm.test',
    terms: [{ name: 'Terms of business', url: 'https://www.firm.test/terms' }],
    insurer_name: 'An Insurer plc',
    insurer_contact: '1 Insurance Row, London',
    insurer_cover: 'England and Wales',
    ombudsman_text: ['You can ask the Legal Ombudsman.'],
    badge_url: 'https://cdn.yoshki.com/iframe/55845r.html',
    has_none_of: [],
    bank_details_adopted_on: '2026-11-02',
  };

  test('an admin enters what the firm must show, and the audit log has what changed', async () => {
    const { version, value } = await read('/regulation');
    expect(Object.keys(value).sort()).toEqual(Object.keys(regulation).sort());
    const first = await call('PUT', '/regulation', { version, value: regulation });
    expect(first.data).toMatchObject({ version: version + 1, value: regulation, changed_by: 'Rhian Morgan' });
    const changed = { ...regulation, complaints_name: 'Ann Lee' };
    await call('PUT', '/regulation', { version: version + 1, value: changed });
    expect(await lastAudited('firm.regulation_changed')).toMatchObject({
      before: { complaints_name: 'Rhian Morgan' },
      after: { complaints_name: 'Ann Lee' },
    });
    expect(missingRegulation(changed)).toEqual([]);
  });

  test('every invalid field of what the firm must show is named at once', async () => {
    const { version } = await read('/regulation');
    const value = {
      ...regulation,
      company_number: '12',
      complaints_email: 'not an address',
      terms: [{ name: 'Terms', url: 'javascript:alert(1)' }],
      insurer_cover: 'x'.repeat(301),
      bank_details_adopted_on: '2026-02-30',
    };
    const { status, body } = await call('PUT', '/regulation', { version, value });
    expect(status).toBe(422);
    for (const field of ['company_number', 'complaints_email', 'url', 'insurer_cover', 'adopted_on'])
      expect(Object.keys(body.errors).some((path) => path.includes(field))).toBe(true);
  });

  test.each([
    ['a badge of another host', 'https://evil.test/iframe/55845r.html'],
    ['a badge whose host only starts like the known one', 'https://cdn.yoshki.com.evil.test/iframe/1r.html'],
    ['a script for a badge', '<script src="https://cdn.yoshki.com/iframe/1r.html"></script>'],
    ['a badge without encryption', 'http://cdn.yoshki.com/iframe/55845r.html'],
    ['a badge with another path', 'https://cdn.yoshki.com/iframe/../a.html'],
  ])('what the firm must show is rejected with %s', async (_what, badge_url) => {
    const { version } = await read('/regulation');
    expect((await call('PUT', '/regulation', { version, value: { ...regulation, badge_url } })).status).toBe(
      422,
    );
  });

  test('a firm of each legal form lacks what its form asks for', () => {
    const none = { ...regulation, company_number: null, registered_in: null, members_list_at: null };
    const missing = (legal_form: Regulation['legal_form']) => missingRegulation({ ...none, legal_form });
    expect(missing('company')).toEqual(['company_number', 'registered_in']);
    expect(missing('llp')).toEqual(['company_number', 'registered_in', 'members_list_at']);
    expect(missing('partnership')).toEqual(['members_list_at']);
    expect(missing('sole_practitioner')).toEqual([]);
    expect(missing(null)).toEqual(['legal_form']);
    expect(missingRegulation({ ...none, legal_form: 'partnership', member_names: ['Ann Lee'] })).toEqual([]);
  });
});

describe('bank holidays', () => {
  test('Keyturn ships the bank holidays of England and Wales until 2028, eight weekdays a year', async () => {
    const days: string[] = (await read('/bank-holidays')).value.map(({ day }: BankHoliday) => day);
    for (const year of ['2026', '2027', '2028'])
      expect(days.filter((day) => day.startsWith(year))).toHaveLength(8);
    expect(days.filter((day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 === 0)).toEqual([]);
    expect([...new Set(days)].sort()).toEqual(days);
  });

  test('bank holidays are stored sorted by day, with the change in the audit log', async () => {
    const shipped = await read('/bank-holidays');
    const value = [{ day: '2027-06-07', name: 'A royal wedding' }, ...shipped.value];
    const changed = await call('PUT', '/bank-holidays', { version: shipped.version, value });
    expect(changed.data.version).toBe(shipped.version + 1);
    expect(changed.data.value.map(({ day }: BankHoliday) => day)).toEqual(value.map(({ day }) => day).sort());
    const { before, after } = await lastAudited('firm.bank_holidays_changed');
    expect([before['2027-06-07.name'], after['2027-06-07.name']]).toEqual([null, 'A royal wedding']);
  });

  test.each([
    ['a day twice', ['2027-06-07', '2027-06-07'], 'One'],
    ['a day that does not exist', ['2027-13-01'], 'One'],
    ['a name without a letter', ['2027-06-07'], ' '],
  ])('bank holidays are rejected with %s', async (_what, days, name) => {
    const { version } = await read('/bank-holidays');
    const value = days.map((day) => ({ day, name }));
    expect((await call('PUT', '/bank-holidays', { version, value })).status).toBe(422);
  });
});

describe('the folders of documents', () => {
  test('document folders are shipped with texts for each matter type, and can be reworded', async () => {
    const { version, value } = await read('/document-groups');
    expect(value.map(({ group }: DocumentGroupWords) => group).sort()).toEqual([...documentGroups].sort());
    expect(new Set(value.map(({ name }: DocumentGroupWords) => name)).size).toBe(documentGroups.length);
    for (const { name, empty } of value) {
      expect(name).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
      for (const matterType of matterTypes) expect(empty[matterType]).toMatch(/^[A-Z].{20,}\.$/);
    }
    const [first, ...others] = value;
    const changed = [{ ...first, name: 'Please sign' }, ...others];
    const answer = await call('PUT', '/document-groups', { version, value: changed });
    expect(answer.data).toMatchObject({ version: version + 1, value: changed });
    expect(await lastAudited('firm.document_groups_changed')).toMatchObject({
      before: { 'to-sign.name': 'To sign' },
      after: { 'to-sign.name': 'Please sign' },
    });
    await call('PUT', '/document-groups', { version: version + 1, value });
  });

  test.each<[string, (groups: DocumentGroupWords[]) => object[]]>([
    ['a missing group', (groups) => groups.slice(1)],
    [
      'a group twice',
      ([first, _second, ...others]) => [{ ...first, name: 'One' }, { ...first, name: 'Two' }, ...others],
    ],
    [
      'a name twice',
      ([first, second, ...others]) => [{ ...first }, { ...second, name: first?.name }, ...others],
    ],
    ['no name', ([first, ...others]) => [{ ...first, name: '' }, ...others]],
    [
      'words on two lines',
      ([first, ...others]) => [{ ...first, empty: { ...first?.empty, sale: 'A\nB' } }, ...others],
    ],
    [
      'no words for a type of matter',
      ([first, ...others]) => [{ ...first, empty: { sale: 'A' } }, ...others],
    ],
  ])('document folders are rejected with %s', async (_what, change) => {
    const { version, value } = await read('/document-groups');
    expect((await call('PUT', '/document-groups', { version, value: change(value) })).status).toBe(422);
  });
});

describe('the search catalogue', () => {
  test('the search catalogue is shipped with seventeen searches with editable prices', async () => {
    const { version, value } = await read('/search-catalogue');
    expect(value).toHaveLength(17);
    const dearer = value.map((search: CatalogueSearch) => ({ ...search, net: search.net + 100 }));
    const changed = await call('PUT', '/search-catalogue', { version, value: dearer });
    expect(changed.data).toMatchObject({ version: version + 1, value: dearer });
    const { before, after } = await lastAudited('firm.search_catalogue_changed');
    expect(after['ENVIRO.net'] - before['ENVIRO.net']).toBe(100);
    expect(Object.keys(after)).toHaveLength(17);
  });

  test.each([
    ['a negative price', { net: -1 }],
    ['a price with a fraction of a penny', { net: 10.5 }],
    ['a price of more than £100,000', { net: 10_000_001 }],
    ['VAT above 100%', { vat_rate: 101 }],
    ['VAT with three digits after the point', { vat_rate: 17.555 }],
    ['a code with a space', { code: 'LA REG' }],
    ['a code that another search has', { code: 'ENVIRO' }],
    ['a duration that ends before it starts', { usual_working_days: { from: 5, to: 4 } }],
    ['an explanation that is too long', { explanation: 'x'.repeat(1_001) }],
    ['an unknown requirement', { required_by: 'council' }],
  ])('the search catalogue is rejected with %s', async (_what, change) => {
    const { version, value } = await read('/search-catalogue');
    const [first, ...rest] = value;
    const sent = { version, value: [{ ...first, ...change }, ...rest] };
    expect((await call('PUT', '/search-catalogue', sent)).status).toBe(422);
  });

  test('the search catalogue accepts one of two concurrent changes and rejects the other', async () => {
    const { version, value } = await read('/search-catalogue');
    const changes = [1, 2].map((net) =>
      call('PUT', '/search-catalogue', {
        version,
        value: value.map((search: CatalogueSearch) => ({ ...search, net })),
      }),
    );
    expect((await Promise.all(changes)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read('/search-catalogue')).version).toBe(version + 1);
  });
});

describe('the waiting texts', () => {
  test('an admin changes the waiting texts, with the change in the audit log', async () => {
    const { version, value } = await read('/waiting-texts');
    expect(value).toContain('Everyone in the chain');
    const changed = await call('PUT', '/waiting-texts', { version, value: [...value, 'The freeholder'] });
    expect(changed.data).toMatchObject({ version: version + 1, value: [...value, 'The freeholder'] });
    const { after } = await lastAudited('firm.waiting_texts_changed');
    expect(Object.values(after)).toContain('The freeholder');
  });

  test.each<[string, string[]]>([
    ['no text', []],
    ['a text twice', ['Us', 'Us']],
    ['a text that starts with “You”', ['You, then the bank']],
    ['an empty text', ['']],
  ])('waiting texts are rejected with %s', async (_what, value) => {
    const { version } = await read('/waiting-texts');
    expect((await call('PUT', '/waiting-texts', { version, value })).status).toBe(422);
  });
});

describe('the path of a type of matter', () => {
  const purchase = '/milestone-paths/purchase';

  test('a path gets another step, with the change in the audit log', async () => {
    const { version, value } = await read(purchase);
    const step = {
      key: 'survey_discussed',
      title: 'Your survey',
      explanation: 'We talk about your survey.',
      actor: 'us',
      usual_working_days: null,
      stage: 4,
      usual_weeks: null,
    };
    const changed = { ...value, steps: [...value.steps.slice(0, 5), step, ...value.steps.slice(5)] };
    const answer = await call('PUT', purchase, { version, value: changed });
    expect(answer.data).toMatchObject({ version: version + 1, value: changed });
    const { before, after } = await lastAudited('firm.milestone_path_changed');
    expect([before['steps.survey_discussed.title'], after['steps.survey_discussed.title']]).toEqual([
      null,
      'Your survey',
    ]);
    expect(after['steps.order']).toContain(
      'contract_pack_received, survey_discussed, auction_pack, new_home_papers',
    );
    const restored = { version: version + 1, value };
    expect((await call('PUT', purchase, restored)).data.version).toBe(version + 2);
  });

  interface SentPath {
    stages: object[];
    steps: Record<string, unknown>[];
    figures_of?: string;
  }
  test.each<[string, (path: SentPath) => SentPath]>([
    [
      'no completion, which Keyturn depends on',
      ({ steps, ...path }) => ({ ...path, steps: steps.filter(({ key }) => key !== 'completed') }),
    ],
    ['a key twice', ({ steps, ...path }) => ({ ...path, steps: [...steps, ...steps.slice(0, 1)] })],
    [
      'a stage that does not exist',
      ({ steps, ...path }) => ({ ...path, steps: steps.map((step) => ({ ...step, stage: 29 })) }),
    ],
    [
      'a stage without steps',
      ({ stages, ...path }) => ({
        ...path,
        stages: [...stages, { title: 'Empty', key_moment: false }],
      }),
    ],
    [
      'a step that Keyturn depends on, for some matters only',
      ({ steps, ...path }) => ({
        ...path,
        steps: steps.map((step) => (step.key === 'completed' ? { ...step, features: ['auction'] } : step)),
      }),
    ],
    ['usual times without the day of their figures', ({ figures_of: _day, ...path }) => path],
    ['figures of a day in the future', (path) => ({ ...path, figures_of: '2099-01-01' })],
    [
      'a key with capitals',
      ({ steps, ...path }) => ({ ...path, steps: [...steps, { ...steps[0], key: 'Survey' }] }),
    ],
    [
      'usual weeks of a step that is neither exchange nor completion',
      ({ steps, ...path }) => ({
        ...path,
        steps: steps.map((step, index) =>
          index === 1 ? { ...step, usual_weeks: { from: 1, to: 2 } } : step,
        ),
      }),
    ],
  ])('a path is rejected with %s', async (_what, change) => {
    const { version, value } = await read(purchase);
    expect((await call('PUT', purchase, { version, value: change(value) })).status).toBe(422);
    expect((await read(purchase)).version).toBe(version);
  });
});

describe('what is stored as whole versions', () => {
  const changes: [path: string, change: (value: ReturnType<typeof JSON.parse>) => unknown][] = [
    ['/bank-holidays', (value) => [...value, { day: '2029-01-01', name: 'New Year’s Day' }]],
    ['/brand', (value) => ({ ...value, colour: '#123456' })],
    ['/search-catalogue', (value) => value.slice(1)],
    ['/document-groups', ([first, ...others]) => [{ ...first, name: 'Please sign' }, ...others]],
    [
      '/milestone-paths/remortgage',
      ({ stages: [first, ...others], ...path }) => ({
        ...path,
        stages: [{ ...first, title: 'The start' }, ...others],
      }),
    ],
  ];

  test.each(changes)('%s is not overwritten by a member who read another version', async (path, change) => {
    const { version, value } = await read(path);
    for (const other of [version - 1, version + 1])
      expect(await call('PUT', path, { version: other, value: change(value) })).toMatchObject({
        status: 409,
        code: 'changed_meanwhile',
      });
    expect(await read(path)).toMatchObject({ version, value });
    expect((await call('PUT', path, { version, value: change(value) })).data.version).toBe(version + 1);
  });

  test('firm data is not overwritten by a change that overtakes an uncommitted one', async () => {
    const { version, value } = await read('/bank-holidays');
    const other = await stored.pool.connect();
    await other.query('begin');
    await other.query("insert into firm_data (kind, version, value) values ('bank_holidays', $1, '[]')", [
      version + 1,
    ]);
    const late = call('PUT', '/bank-holidays', { version, value: value.slice(1) });
    await untilBlocked(stored);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    expect((await read('/bank-holidays')).value).toEqual([]);
  });
});

test('every version of firm data stays stored, and none can be changed', async () => {
  await expect(stored.pool.query('update firm_data set version = 7')).rejects.toThrow();
  await expect(stored.pool.query('delete from firm_data')).rejects.toThrow();
});

// This test is the last one, because it advances the clock.
test('changing the firm’s details needs a recent confirmation of the member’s identity', async () => {
  const { version } = await read('/firm');
  served.clock.advance(6 * 60_000);
  const refused = await call('PUT', '/firm', { version, value: firm });
  expect([refused.status, refused.code]).toEqual([403, 'identity_not_confirmed']);
});

describe('the formats of ledger exports', () => {
  test('a change of the export formats is rejected with every fault at once, and stored and audited without one', async () => {
    const { version, value } = await read('/ledger-exports');
    expect(value.map(({ name }: { name: string }) => name)).toEqual(['Movements', 'General cashier']);
    const [first, second] = value;
    const column = { heading: 'Type', field: 'fixed_text', text: null };
    const faulty = [
      first,
      { ...second, name: 'movements', columns: [column, { heading: 'Day', field: 'date', text: 'x' }] },
    ];
    const refused = await call('PUT', '/ledger-exports', { version, value: faulty });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      {
        'value.1.name': ['is the name of another format'],
        'value.1.columns.0.text': ['is missing'],
        'value.1.columns.1.text': ['is only for a fixed text'],
      },
    ]);
    const changed = [first, { ...second, name: 'Our cashier', columns: [{ ...column, text: 'SR' }] }];
    const saved = await call('PUT', '/ledger-exports', { version, value: changed });
    expect(saved.data).toMatchObject({ version: version + 1, value: changed });
    expect(await lastAudited('firm.ledger_exports_changed')).toMatchObject({ actor_name: 'Rhian Morgan' });
  });

  test.each([
    ['no format', () => []],
    [
      'a field that Keyturn does not have',
      ([first]: Format[]) => [{ ...first, columns: [{ heading: 'A', field: 'iban', text: null }] }],
    ],
    ['no column', ([first]: Format[]) => [{ ...first, columns: [] }]],
    [
      'a code on two lines',
      ([first]: Format[]) => [
        { ...first, codes: { ...first?.codes, bank: { client: 'A\nB', business: null } } },
      ],
    ],
  ])('the export formats are rejected with %s', async (_what, change) => {
    const { version, value } = await read('/ledger-exports');
    expect((await call('PUT', '/ledger-exports', { version, value: change(value) })).status).toBe(422);
  });
});
