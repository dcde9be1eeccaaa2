import { randomUUID } from 'node:crypto';
import type { DeskMatter } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

const [purchase] = deskFeed.matters;
/** A case with a purchase and a sale. */
const twoMatters = {
  ...deskFeed,
  matters: [purchase, { ...purchase, reference: 'M2', matter_type: 'sale', milestones: [] }],
};

const matterOf = async (browser: DeskMember, reference = 'M1') =>
  (await desk.readCase(browser)).matters.find((matter) => matter.reference === reference) as DeskMatter;

async function change(browser: DeskMember, matters: object[], more: object = {}) {
  const { id } = await desk.readCase(browser);
  return browser.call('PUT', `/cases/${id}/status`, { matters, update: null, ...more });
}

const named = ({ id, version }: DeskMatter, fields: object) => ({ id, version, ...fields });
const statuses = async (browser: DeskMember) => {
  const { status, matters } = await desk.readCase(browser);
  return [status, ...matters.map((matter) => matter.status)];
};

describe('the status of a case at the desk', () => {
  test('a case is put on hold with its matter, sent to the clients, audited, and active again after an undo', async () => {
    const browser = await desk.signIn();
    const before = await matterOf(browser);
    await desk.rows('delete from broadcast_events');
    const held = await change(browser, [named(before, { status: 'on_hold' })]);
    expect(held).toMatchObject({ status: 200, data: { status: 'on_hold' } });
    expect(await statuses(browser)).toEqual(['on_hold', 'on_hold']);
    const channels = await desk.rows('select distinct channel from broadcast_events');
    expect(channels).toEqual(expect.arrayContaining([{ channel: expect.stringMatching(/^private-case\./) }]));
    const { id } = await desk.readCase(browser);
    const undone = await browser.call('PUT', `/cases/${id}/status`, held.data.undo);
    expect(undone).toMatchObject({ status: 200, data: { status: 'active' } });
    expect(await matterOf(browser)).toEqual(before);
    expect(
      await desk.rows(
        "select subject_id, after from audit_entries join audit_links on entry_id = id where action = 'desk.record_changed' order by position",
      ),
    ).toEqual([
      { subject_id: 'M1', after: { status: 'on_hold' } },
      { subject_id: 'K1', after: { status: 'on_hold' } },
      { subject_id: 'M1', after: { status: 'active' } },
      { subject_id: 'K1', after: { status: 'active' } },
    ]);
  });

  test('a case is completed with the day of completion, which an undo removes again', async () => {
    const browser = await desk.signIn();
    const before = await matterOf(browser);
    const completed = await change(browser, [
      named(before, { status: 'completed', completed_on: '2026-11-20' }),
    ]);
    expect(completed).toMatchObject({ status: 200, data: { status: 'completed' } });
    expect(await matterOf(browser)).toMatchObject({ status: 'completed', completed_on: '2026-11-20' });
    expect(await desk.rows('select closed_at is not null as closed from conveyancing_cases')).toEqual([
      { closed: true },
    ]);
    const { id } = await desk.readCase(browser);
    await browser.call('PUT', `/cases/${id}/status`, completed.data.undo);
    expect(await matterOf(browser)).toMatchObject({ status: 'active', completed_on: null });
    expect(await desk.rows('select closed_at is not null as closed from conveyancing_cases')).toEqual([
      { closed: false },
    ]);
  });

  test.each([
    [['on_hold', 'active'], 'active'],
    [['on_hold', 'completed'], 'on_hold'],
    [['abandoned', 'completed'], 'completed'],
    [['abandoned', 'abandoned'], 'abandoned'],
  ])('a case whose matters are %j is %s', async ([first = '', second = ''], expected) => {
    const browser = await desk.signIn();
    await desk.importing(twoMatters);
    const [one, other] = [await matterOf(browser), await matterOf(browser, 'M2')];
    const edits = [
      [one, first],
      [other, second],
    ] as const;
    const changed = await change(
      browser,
      edits.map(([matter, status]) =>
        named(matter, { status, ...(status === 'completed' ? { completed_on: '2026-11-20' } : {}) }),
      ),
    );
    expect(changed).toMatchObject({ status: 200, data: { status: expected } });
    expect(await statuses(browser)).toEqual([expected, first, second]);
  });

  test('the retention of an abandoned case that is completed later counts from its completion', async () => {
    const browser = await desk.signIn();
    const edit = async (fields: object) =>
      expect(await change(browser, [named(await matterOf(browser), fields)])).toMatchObject({ status: 200 });
    const closedAt = async () =>
      (await desk.rows('select closed_at from conveyancing_cases'))[0].closed_at?.toISOString();
    await edit({ status: 'abandoned' });
    expect(await closedAt()).toBe(desk.clock().toISOString());
    const earlier = '2018-01-01T00:00:00.000Z';
    await desk.rows('update conveyancing_cases set closed_at = $1', [earlier]);
    await desk.importing({
      ...deskFeed,
      cases: [{ ...deskFeed.cases[0], status: 'abandoned', title: 'Renamed' }],
    });
    expect(await closedAt()).toBe(earlier);
    await edit({ status: 'completed', completed_on: '2026-11-20' });
    expect(await closedAt()).toBe(desk.clock().toISOString());
  });

  test('an update is sent with the change once, however often the request is repeated', async () => {
    const browser = await desk.signIn();
    const matter = await matterOf(browser);
    const update = { id: randomUUID(), text: 'Your buyer has withdrawn. We are sorry.' };
    const send = () => change(browser, [named(matter, { status: 'abandoned' })], { update });
    expect(await send()).toMatchObject({ status: 200, data: { status: 'abandoned', undo: null } });
    expect(await send()).toMatchObject({ status: 200, data: { status: 'abandoned', undo: null } });
    expect(
      (await desk.readCase(browser)).history.filter(({ summary }) => summary === update.text),
    ).toMatchObject([{ actor: 'Rhian Morgan', category: 'message' }]);
  });

  test('nothing is stored if one part of the change is refused', async () => {
    const browser = await desk.signIn();
    const matter = await matterOf(browser);
    const update = { id: randomUUID(), text: 'Done.' };
    const refusals: [object, object][] = [
      [{ status: 'completed' }, { status: 422, code: 'invalid_input' }],
      [
        { status: 'completed', completed_on: '2026-11-24' },
        { status: 422, code: 'invalid_input' },
      ],
      [
        { status: 'abandoned', completed_on: '2026-11-20' },
        { status: 409, code: 'edit_not_possible' },
      ],
      [{ status: 'closed' }, { status: 422, code: 'invalid_input' }],
    ];
    for (const [fields, answer] of refusals)
      expect(await change(browser, [named(matter, fields)], { update })).toMatchObject(answer);
    expect(await statuses(browser)).toEqual(['active', 'active']);
    expect(await desk.rows("select from audit_entries where action like 'desk.%'")).toEqual([]);
  });

  test('a matter that a colleague has changed, and one of another case, are refused', async () => {
    const [first, second] = [await desk.signIn('handler', 'Joel Adeyemi'), await desk.signIn('admin')];
    const read = await matterOf(second);
    await change(first, [named(read, { status: 'on_hold' })]);
    const refused = await change(second, [named(read, { status: 'abandoned' })]);
    expect(refused).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    expect(refused.body.message).toContain('Joel Adeyemi changed this');
    expect(await statuses(second)).toEqual(['on_hold', 'on_hold']);
    const [oneCase] = deskFeed.cases;
    await desk.importing({
      ...deskFeed,
      cases: [oneCase, { ...oneCase, reference: 'K2' }],
      matters: [...deskFeed.matters, { ...purchase, reference: 'M3', case: 'K2' }],
    });
    const [other] = await desk.rows("select id from matters where reference = 'M3'");
    expect(await change(second, [{ id: other.id, version: read.version, status: 'on_hold' }])).toMatchObject({
      status: 409,
      code: 'edit_not_possible',
    });
  });

  test('the status that the firm’s system sends later wins, and an unchanged record keeps that of the desk', async () => {
    const browser = await desk.signIn();
    await change(browser, [named(await matterOf(browser), { status: 'on_hold' })]);
    await desk.importing(deskFeed);
    expect(await statuses(browser)).toEqual(['on_hold', 'on_hold']);
    const [oneCase] = deskFeed.cases;
    await desk.importing({ ...deskFeed, cases: [{ ...oneCase, title: 'Renamed' }] });
    expect(await statuses(browser)).toEqual(['active', 'on_hold']);
  });
});
