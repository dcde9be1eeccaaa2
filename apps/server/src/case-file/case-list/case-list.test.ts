import { randomUUID } from 'node:crypto';
import { foldedLetters, foldName } from '@keyturn/contract';
import type { CaseFilter, CaseList, ListedCase } from '@keyturn/contract/staff';
import {
  buildCase,
  buildHistoryEntry,
  buildMatter,
  buildMilestone,
  type CaseOverrides,
  createTestClock,
  withTestDatabase,
} from '@keyturn/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caseListHandlers } from '../../doors/staff/case-list-routes.ts';
import { migrations } from '../../schema/read-migrations.ts';
import { openSession, serveStaff } from '../../testing/serve-staff.ts';

const stored = withTestDatabase();
const rows = async (sql: string, values: unknown[] = []) => (await stored.pool.query(sql, values)).rows;
const clock = createTestClock('2026-11-23T09:00:00Z');

let desk: Awaited<ReturnType<typeof serveStaff>>;
let rhian: Awaited<ReturnType<typeof openSession>>;
let joel: typeof rhian;
beforeAll(async () => {
  desk = await serveStaff(stored, {
    handlers: () => caseListHandlers({ database: stored.database, clock }),
  });
  rhian = await openSession(stored, desk, { role: 'handler' });
  joel = await openSession(stored, desk, { role: 'finance' });
});
afterAll(() => desk.app.close());

const ask = (query: Record<string, string>, path = '/cases') =>
  rhian.call('GET', `${path}?${new URLSearchParams(query)}`);
async function list(query: CaseFilter & { after?: string } = {}): Promise<CaseList> {
  const { status, data } = await ask(query);
  expect(status).toBe(200);
  return data;
}
const idsOf = async (query: CaseFilter) => (await list(query)).cases.map(({ id }) => id);

/** A handler of the test’s own cases, to tell them from those of other tests. */
const newHandler = () => ({
  name: 'Hannah Alder',
  role: 'Solicitor',
  phone: '0117 496 0101',
  email: `${randomUUID()}@alderfinch.test`,
});
const build = (overrides: CaseOverrides, handler = newHandler()) =>
  buildCase(stored.database, { handlers: [handler], ...overrides });

test('the search of the desk folds names as the contract does', async () => {
  const names = [...Object.keys(foldedLetters), 'Ælfþryð O’Briœn-ŁØßĐ', 'Ħŋıİ Zoë', 'GRÜẞ ﬁ'];
  const folded = await rows(
    'select comparable_text(name) as text from unnest($1::text[]) with ordinality as sent (name, position) order by position',
    [names],
  );
  expect(folded.map(({ text }) => text.replaceAll(/\P{L}/gu, ''))).toEqual(names.map(foldName));
});

describe('searching for a case', () => {
  let id: string;
  beforeAll(async () => {
    const built = await build({
      reference: 'KT-2031-00777',
      title: 'Purchase of 4 Quarry Steps',
      clients: [
        { firstName: 'Zoë', lastName: 'O’Brien' },
        { lastName: 'Smith-Jones' },
        { firstName: 'Łukasz', lastName: 'Bjørnæs' },
        { lastName: 'Strauss Thorsson' },
      ],
      matters: [
        {
          reference: 'KT-2031-00777-P',
          property: {
            address_lines: ['4 Quarry Steps'],
            town: 'Nunney',
            postcode: 'BA11 4LZ',
            tenure: 'freehold',
            title_number: null,
            price: 1,
          },
        },
      ],
    });
    ({ id } = built);
  });

  test.each([
    ['a first name', 'Zoë'],
    ['a first name without its accent', 'zoe'],
    ['the start of a last name', 'o’bri'],
    ['a last name without its apostrophe', 'OBrien'],
    ['a name of two parts', 'smith-JONES'],
    ['a name without its letters', 'lukasz bjornaes'],
    ['a name with its letters', 'ŁUKASZ Bjørn'],
    ['a name with letters that it is written without', 'Strauß Þorsson'],
    ['first and last name in any order', 'brien zoe'.replace('brien', 'obrien')],
    ['a reference', 'KT-2031-00777'],
    ['a reference without what separates it', 'kt203100777'],
    ['the number of a reference', '777'],
    ['the reference of a matter', 'KT-2031-00777-P'],
    ['a line of the address', '4 Quarry Steps'],
    ['a town', 'Nunney'],
    ['a postcode', 'BA11 4LZ'],
    ['a postcode without its space', 'ba114lz'],
    ['the start of a postcode', 'BA11 4'],
    ['name and postcode', 'zoe ba11'],
  ])('a search for a case finds it by %s', async (_, q) => {
    expect(await idsOf({ q })).toContain(id);
  });

  test('a case that was stored before letters were folded is found without them after the upgrade', async () => {
    const old = "update case_summaries set words = array_to_tsvector(array['łukasz']) where case_id = $1";
    await rows(old, [id]);
    expect(await idsOf({ q: 'lukasz' })).not.toContain(id);
    await rows(migrations.find(({ number }) => number === 2)?.sql ?? '');
    expect(await idsOf({ q: 'lukasz' })).toContain(id);
  });

  test.each([
    ['another name', 'Zora'],
    ['the middle of a word', 'uarry'],
    ['one word that matches and one that does not', 'Zoe Bath'],
    ['a percent sign', '%'],
    ['underscores', '___'],
    ['quotes', `'"`],
    ['an emoji', '🏡'],
    ['operators of a search', '& | ! <->'],
    ['a backslash', '\\'],
  ])('a search for a case does not find it by %s', async (_, q) => {
    expect(await idsOf({ q })).not.toContain(id);
  });

  test.each([
    `zoe' or 1=1 --`,
    `zoe:*`,
    `zoe & !zoe`,
    `zoe')::tsquery`,
    'zoe\t\nzoe',
    `${'zoe '.repeat(25)}`,
  ])('the case list accepts %j as search text', async (q) => {
    const { status } = await ask({ q });
    expect(status).toBe(200);
  });

  test('a search for a case rejects a text of more than 100 characters, and one with a hidden character', async () => {
    for (const q of ['ﷺ'.repeat(101), 'a\0b', 'a\u202eb']) {
      expect(await ask({ q })).toMatchObject({ status: 422, code: 'invalid_input' });
    }
    expect(await ask({ q: 'ﷺ'.repeat(100) })).toMatchObject({ status: 200 });
  });

  test('a search for a case reflects that a client changes their name, joins the case or leaves it', async () => {
    const { id, clientId } = await build({ clients: [{ lastName: 'Before' }] });
    await rows(`update clients set last_name = 'Afterwards' where id = $1`, [clientId]);
    expect(await idsOf({ q: 'Before' })).toEqual([]);
    expect(await idsOf({ q: 'Afterwards' })).toEqual([id]);
    await rows('delete from case_clients where case_id = $1', [id]);
    expect(await idsOf({ q: 'Afterwards' })).toEqual([]);
    await rows('insert into case_clients values ($1, $2)', [id, clientId]);
    expect(await idsOf({ q: 'Afterwards' })).toEqual([id]);
  });
});

describe('filtering cases', () => {
  test('filters cases by handler, ignoring the letter case of the address', async () => {
    const handler = newHandler();
    const { id } = await build({}, { ...handler, email: handler.email.toUpperCase() });
    expect(await idsOf({ handler: handler.email })).toEqual([id]);
    expect((await ask({}, '/case-filters')).data.handlers).toContainEqual({
      email: handler.email,
      name: 'Hannah Alder',
    });
    await rows(`update conveyancing_cases set handlers = '[]' where id = $1`, [id]);
    expect(await idsOf({ handler: handler.email })).toEqual([]);
    expect(JSON.stringify((await ask({}, '/case-filters')).data)).not.toContain(handler.email);
  });

  test('filters cases by status, matter type, step, and whose turn it is', async () => {
    const handler = newHandler();
    const milestones = (key: string, actor: 'us' | 'you') => [
      { key, title: `Step ${key}`, status: 'current' as const, actor },
      { key: 'later', status: 'upcoming' as const, actor: 'third_party' as const },
    ];
    const one = await build(
      { matters: [{ matterType: 'sale', milestones: milestones('a_step', 'us') }] },
      handler,
    );
    const two = await build(
      { status: 'on_hold', matters: [{ milestones: milestones('b_step', 'you') }] },
      handler,
    );
    const done = await build(
      { status: 'completed', matters: [{ milestones: milestones('c_step', 'you') }] },
      handler,
    );
    const of = (filter: CaseFilter) => idsOf({ handler: handler.email, sort: 'reference', ...filter });
    const both = (ids: string[]) => expect.arrayContaining(ids);
    expect(await of({ status: 'open' })).toEqual(both([one.id, two.id]));
    expect(await of({ status: 'open' })).toHaveLength(2);
    expect(await of({ status: 'completed' })).toEqual([done.id]);
    expect(await of({ matter_type: 'sale' })).toEqual([one.id]);
    expect(await of({ step: 'b_step' })).toEqual([two.id]);
    expect(await of({ step: 'later' })).toEqual([]);
    // Nothing is under way in a case that is completed.
    expect(await of({ step: 'c_step' })).toEqual([]);
    expect(await of({ waiting_on: 'us' })).toEqual([one.id]);
    expect(await of({ waiting_on: 'you' })).toEqual([two.id]);
    expect(await of({ waiting_on: 'third_party' })).toEqual([]);
    expect((await ask({}, '/case-filters')).data.steps).toContainEqual({
      key: 'a_step',
      title: 'Step a_step',
    });
  });

  test('filters missed promises and cases under way without a promise', async () => {
    const handler = newHandler();
    const promising = (nextUpdateBy: string | null) =>
      build({ matters: [{ milestones: [{ status: 'current', nextUpdateBy }] }] }, handler);
    const missed = await promising('2026-11-22');
    await promising('2026-11-23');
    const none = await promising(null);
    expect(await idsOf({ handler: handler.email, promise: 'missed' })).toEqual([missed.id]);
    expect(await idsOf({ handler: handler.email, promise: 'none' })).toEqual([none.id]);
    await rows(`update conveyancing_cases set status = 'completed' where id = any($1)`, [
      [missed.id, none.id],
    ]);
    expect(await idsOf({ handler: handler.email, promise: 'missed' })).toEqual([]);
    expect(await idsOf({ handler: handler.email, promise: 'none' })).toEqual([]);
  });

  test('the list of cases rejects a filter that does not exist', async () => {
    for (const query of [{ status: 'any' }, { sort: 'price' }, { matter_type: '%' }, { limit: '1000' }]) {
      expect(await ask(query as never)).toMatchObject({ status: 422, code: 'invalid_input' });
    }
  });
});

test('a listed case has its clients, property, steps and promise', async () => {
  const handler = newHandler();
  const { id, reference } = await build(
    {
      title: 'Sale and purchase',
      clients: [
        { reference: '1', firstName: 'Amelia', lastName: 'Okafor' },
        { reference: '2', firstName: 'Tom' },
      ],
      matters: [
        {
          milestones: [
            { title: 'Mortgage offer', status: 'blocked', actor: 'third_party', position: 0 },
            { title: 'Searches', status: 'current', actor: 'you', nextUpdateBy: '2026-11-25', position: 1 },
          ],
        },
      ],
      history: [
        { occurredAt: new Date('2026-11-20T10:00:00Z') },
        { occurredAt: new Date('2026-11-21T10:00:00Z'), reference: null },
      ],
    },
    handler,
  );
  expect((await list({ handler: handler.email })).cases).toEqual([
    {
      id,
      reference,
      title: 'Sale and purchase',
      status: 'active',
      clients: ['Amelia Okafor', 'Tom Ashdown'],
      handlers: ['Hannah Alder'],
      matters: [
        {
          id: expect.any(String),
          matter_type: 'purchase',
          address: 'The Old Chapel, Church Lane, Frome, BA11 1AA',
          step: { title: 'Searches', actor: 'you' },
        },
      ],
      promised_on: '2026-11-25',
      last_update_at: '2026-11-20T10:00:00.000Z',
      cursor: expect.any(String),
    },
  ]);
});

describe('paging', () => {
  const pageSize = 50;
  /** Groups of three cases share a promise, and every second case has a history. */
  async function buildMany(count: number) {
    const handler = newHandler();
    const prefix = randomUUID().slice(0, 8);
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const { id } = await build(
        {
          reference: `${prefix}-${String(n).padStart(3, '0')}`,
          matters: [
            {
              milestones: [
                {
                  status: 'current',
                  nextUpdateBy:
                    n % 5 === 0 ? null : `2026-12-${String(1 + (Math.floor(n / 3) % 28)).padStart(2, '0')}`,
                },
              ],
              searches: [],
            },
          ],
          history: n % 2 === 0 ? [{ occurredAt: new Date(Date.UTC(2026, 10, 1 + (n % 7))) }] : [],
        },
        handler,
      );
      ids.push(id);
    }
    return { handler: handler.email, ids };
  }
  let many: Awaited<ReturnType<typeof buildMany>>;
  beforeAll(async () => {
    many = await buildMany(pageSize * 2 + 3);
  });

  async function readAll(
    query: CaseFilter,
    between = async (_page: ListedCase[]) => {},
  ): Promise<ListedCase[]> {
    const all: ListedCase[] = [];
    for (let after: string | undefined; ; ) {
      const page = await list({ ...query, ...(after === undefined ? {} : { after }) });
      all.push(...page.cases);
      if (!page.has_more) return all;
      expect(page.cases).toHaveLength(pageSize);
      after = page.cases.at(-1)?.cursor;
      await between(page.cases);
    }
  }

  test.each(['promise', 'last_update', '-last_update', 'reference', '-reference'] as const)(
    'paging by %s lists each case once and in order',
    async (sort) => {
      const { handler, ids } = many;
      const all = await readAll({ handler, sort });
      expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
      const keys = all.map(({ promised_on, last_update_at, reference }) =>
        sort === 'promise'
          ? `${promised_on ?? 'none'} ${reference}`
          : sort.endsWith('last_update')
            ? `${last_update_at ?? '0'} ${reference}`
            : reference,
      );
      expect(keys).toEqual(sort.startsWith('-') ? [...keys].sort().reverse() : [...keys].sort());
    },
  );

  test('paging counts the cases of a list with its first page only', async () => {
    const { handler, ids } = many;
    const first = await list({ handler });
    expect(first).toMatchObject({ today: '2026-11-23', count: ids.length, has_more: true });
    const second = await list({ handler, after: first.cases.at(-1)?.cursor ?? '' });
    expect(second.count).toBeNull();
  });

  test('paging through the case list neither skips nor repeats a case while other cases change, appear and disappear', async () => {
    const { handler, ids } = await buildMany(pageSize + 20);
    const [first] = (await list({ handler })).cases;
    const untouched = new Set(ids);
    let round = 0;
    const all = await readAll({ handler }, async (page) => {
      round += 1;
      // A listed case moves behind the page, a later one moves before it, and another one is deleted.
      const listed = page[0]?.id ?? '';
      const later = ids.find((id) => !page.some((shown) => shown.id === id)) ?? '';
      const deleted = page.at(-1)?.id ?? '';
      for (const id of [listed, later, deleted]) untouched.delete(id);
      const promise = `update milestones set next_update_by = $2
        where matter_id = (select id from matters where case_id = $1)`;
      await rows(promise, [listed, '2027-01-01']);
      await rows(promise, [later, '2026-01-01']);
      await rows('update clients set active_case_id = null where active_case_id = $1', [deleted]);
      await rows('delete from conveyancing_cases where id = $1', [deleted]);
      const [{ handlers }] = await rows('select handlers from conveyancing_cases where id = $1', [first?.id]);
      await buildCase(stored.database, { handlers });
    });
    expect(round).toBe(1);
    const listed = all.map(({ id }) => id).filter((id) => untouched.has(id));
    expect(listed.sort()).toEqual([...untouched].sort());
  });

  test('finds the next case of a list, even after the previous one has moved or was deleted', async () => {
    const { handler } = many;
    const [one, two, three] = (await list({ handler, sort: 'reference' })).cases;
    const next = (after: string) => ask({ handler, sort: 'reference', after }, '/next-case');
    expect(await next(one?.cursor ?? '')).toMatchObject({
      data: { id: two?.id, reference: two?.reference, title: two?.title, cursor: two?.cursor },
    });
    expect(await next(two?.cursor ?? '')).toMatchObject({ data: { id: three?.id } });
    const last = (await list({ handler, sort: '-reference' })).cases[0];
    // References are random, so the search may find others too.
    const { cases } = await list({ handler, q: last?.reference ?? '', sort: 'reference' });
    const end = cases.find(({ reference }) => reference === last?.reference);
    expect(await next(end?.cursor ?? '')).toMatchObject({ status: 200, data: null });
    expect((await ask({ handler, sort: 'reference' }, '/next-case')).data.id).toBe(one?.id);
  });

  test('rejects a forged cursor, and a cursor of another order', async () => {
    const { handler } = many;
    const [first] = (await list({ handler, sort: 'reference' })).cases;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const after of [
      first?.cursor ?? '',
      'x',
      '',
      encode(null),
      encode(['promise', "2026-01-01'; drop table clients", 'K']),
      encode(['promise', '2026-19-40', 'K']),
      encode(['promise', '2026-02-31', 'K']),
      encode(['promise', '2026-01-01', 'K\0']),
      encode(['promise', '2026-01-01', 5]),
    ]) {
      for (const path of ['/cases', '/next-case'])
        expect(await ask({ after }, path), after).toMatchObject({ status: 422, code: 'invalid_input' });
    }
  });
});

test('the summary of a case has both of two concurrent changes', async () => {
  const handler = newHandler();
  const { id, matterId } = await build({ matters: [{ milestones: [] }] }, handler);
  const [first, second] = [await stored.pool.connect(), await stored.pool.connect()];
  await first.query('begin');
  const insert = `insert into milestones (id, matter_id, key, title, explanation, stage_title, stage_position, actor, status, position)
    values (gen_random_uuid(), $1, $2, 'T', 'E', 'S', 0, 'us', 'current', 0)`;
  await first.query(insert, [matterId, 'first']);
  const blocked = second.query(insert, [matterId, 'second']);
  await expect
    .poll(async () => (await rows('select 1 from pg_locks where not granted')).length, { timeout: 20_000 })
    .toBeGreaterThan(0);
  await first.query('commit');
  await blocked;
  first.release();
  second.release();
  expect(await idsOf({ handler: handler.email, step: 'first' })).toEqual([id]);
  expect(await idsOf({ handler: handler.email, step: 'second' })).toEqual([id]);
});

test('the summary of a case reflects its matters and its history', async () => {
  const handler = newHandler();
  const { id } = await build({ matters: [] }, handler);
  const found = async () => (await list({ handler: handler.email })).cases[0];
  expect(await found()).toMatchObject({ matters: [], promised_on: null, last_update_at: null });
  const matter = await buildMatter(stored.database, { caseId: id, milestones: [], matterType: 'remortgage' });
  await buildMilestone(stored.database, {
    matterId: matter.id,
    status: 'current',
    nextUpdateBy: '2026-12-01',
  });
  const entry = await buildHistoryEntry(stored.database, {
    caseId: id,
    occurredAt: new Date('2026-11-20T10:00:00Z'),
  });
  expect(await found()).toMatchObject({
    promised_on: '2026-12-01',
    last_update_at: '2026-11-20T10:00:00.000Z',
  });
  expect(await idsOf({ handler: handler.email, matter_type: 'remortgage' })).toEqual([id]);
  await rows(`update matters set status = 'on_hold' where id = $1`, [matter.id]);
  expect(await found()).toMatchObject({ promised_on: null });
  await rows('delete from history_entries where id = $1', [entry.id]);
  await rows('delete from matters where id = $1', [matter.id]);
  expect(await found()).toMatchObject({ matters: [], last_update_at: null });
  expect(await idsOf({ handler: handler.email, matter_type: 'remortgage' })).toEqual([]);
});

describe('saved views', () => {
  const filter = { q: 'Okafor', status: 'open', sort: '-last_update' } as const;

  test('a saved view is visible only to its member', async () => {
    const { data } = await rhian.call('POST', '/case-views', { name: 'Mine ', filter });
    expect(data).toEqual({ id: expect.any(String), name: 'Mine', filter });
    expect((await rhian.call('GET', '/case-views')).data).toEqual([data]);
    expect((await joel.call('GET', '/case-views')).data).toEqual([]);
    expect(await joel.call('DELETE', `/case-views/${data.id}`)).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    expect((await rhian.call('GET', '/case-views')).data).toEqual([data]);
    expect(await rhian.call('DELETE', `/case-views/${data.id}`)).toMatchObject({ status: 204 });
    expect((await rhian.call('GET', '/case-views')).data).toEqual([]);
    expect(await rhian.call('DELETE', '/case-views/none')).toMatchObject({ status: 404 });
  });

  test('a view replaces the member’s view of the same name, and no one else’s', async () => {
    const { data } = await joel.call('POST', '/case-views', { name: 'Slow', filter: {} });
    await rhian.call('POST', '/case-views', { name: 'Slow', filter: {} });
    await joel.call('POST', '/case-views', { name: 'SLOW', filter });
    expect((await joel.call('GET', '/case-views')).data).toEqual([{ id: data.id, name: 'SLOW', filter }]);
    expect((await rhian.call('GET', '/case-views')).data).toMatchObject([{ name: 'Slow', filter: {} }]);
  });

  test('a view with an unknown filter, a cursor or a blank name is rejected', async () => {
    for (const sent of [
      { name: 'x', filter: { price: 1 } },
      { name: 'x', filter: { after: 'x' } },
      { name: ' ', filter: {} },
      { name: 'x'.repeat(61), filter: {} },
      { name: 'x', filter: { q: 'x'.repeat(101) } },
    ]) {
      expect(await rhian.call('POST', '/case-views', sent)).toMatchObject({ status: 422 });
    }
  });

  test('a member has at most 50 views', async () => {
    const dana = await openSession(stored, desk, { role: 'admin' });
    await rows(
      `insert into case_views select gen_random_uuid(), $1, 'View ' || n, '{}', now() from generate_series(1, 49) n`,
      [dana.id],
    );
    const both = await Promise.all(
      ['A', 'B'].map((name) => dana.call('POST', '/case-views', { name, filter: {} })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await dana.call('GET', '/case-views')).data).toHaveLength(50);
  });
});
