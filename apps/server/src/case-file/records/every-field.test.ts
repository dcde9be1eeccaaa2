import { type FeedList, feedRecords } from '@keyturn/contract';
import type { MilestonePath } from '@keyturn/contract/staff';
import { buildRegulation } from '@keyturn/testkit';
import { fixtureFeed } from '@keyturn/testkit/fixture-feed.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { withDeskCase } from '../../testing/serve-desk-case.ts';
import { readRecords } from './read-records.ts';

const desk = withDeskCase();
// A feed can set passwords only for a firm that can invite clients.
beforeEach(() => buildRegulation(desk.testDatabase.database));

const [client, theCase, matter, document, search, task, entry] = [
  fixtureFeed.clients[0],
  fixtureFeed.cases[0],
  fixtureFeed.matters[0],
  fixtureFeed.documents[0],
  fixtureFeed.searches[0],
  fixtureFeed.tasks[0],
  fixtureFeed.history[0],
];

/** A feed whose records have a value in every field of the contract, in at least one record of each list. */
const everyField = {
  ...fixtureFeed,
  clients: [{ ...client, title: 'Dr', phone: '0117 496 0199', password: 'a long enough phrase 9' }],
  cases: [
    {
      ...theCase,
      cancellation: 'ends_on',
      cancellation_ends_on: '2026-12-01',
      cancellation_notice_given: true,
    },
  ],
  matters: [
    {
      ...matter,
      property: { ...matter.property, title_number: 'AV12345' },
      target_exchange_on: '2026-12-11',
      target_completion_on: '2026-12-18',
      exchanged_on: '2026-11-10',
      completed_on: '2026-11-19',
      parties: [
        { role: 'lender', name: 'The Bank', contact: 'Ann' },
        { role: 'estate_agent', name: 'The Agents', contact: null },
      ],
      exchange: {
        deposit: { amount: 5_200_000, held_as: 'agent' },
        authorised_by: 'Rhian Morgan',
        authorised_on: '2026-11-09',
      },
      features: ['leasehold', 'auction'],
      ledger: { client: 120_000, office: -4_500, on: '2026-11-18' },
      milestones: [
        { key: 'instructed', status: 'done', reached_on: '2026-11-01' },
        {
          key: 'identity_checked',
          status: 'current',
          title: 'Your identity',
          explanation: 'We check who you are.',
          actor: 'us',
          waiting_for: 'You',
          waiting_since: '2026-11-02',
          expected_from: '2026-11-20',
          expected_to: '2026-11-27',
          usual_working_days: { from: 1, to: 4 },
          next_update_by: '2026-11-25',
        },
      ],
    },
  ],
  documents: [
    { ...document, pages: 2, confirm_identity: true },
    { ...document, reference: 'D3', for_client: 'C1' },
    {
      ...document,
      reference: 'D2',
      supersedes: 'D1',
      signing: 'deed',
      binds_on: 'completion',
      received_on: '2026-11-12',
      originals: [{ client: 'C1', received_on: '2026-11-11' }],
    },
  ],
  searches: [
    {
      ...search,
      price: { ...search.price, vat: 580, gross: 3913 },
      supplier_cost: 3_000,
      rebate: 200,
      estimate: 3_000,
      above_estimate: 'The supplier has raised its fee.',
      status: 'reviewed',
      expected_on: '2026-11-15',
      paid_at: '2026-11-03T10:00:00Z',
      ordered_at: '2026-11-04T10:00:00Z',
      returned_at: '2026-11-14T10:00:00.500Z',
      valid_until: '2027-05-14',
      delayed_reason: 'The council is busy',
      outcome: 'clear',
      outcome_summary: 'Nothing to worry about',
    },
  ],
  tasks: [
    { ...task, matter: 'M1', document: 'D1', due_on: '2026-11-30', status: 'done' },
    { ...task, reference: 'T2', kind: 'pay', amount: 5_000 },
  ],
  bills: [
    {
      reference: 'B1',
      case: 'K1',
      matter: 'M1',
      number: '1001',
      description: 'Our fees',
      issued_on: '2026-11-01',
      due_on_completion: true,
      net: 10_000,
      vat_rate: 20,
      vat: 2_000,
      status: 'issued',
      estimate: 11_000,
      above_estimate: 'The title took more work.',
      paid: 500,
    },
    {
      reference: 'B2',
      case: 'K1',
      number: '1002',
      description: 'Copies',
      issued_on: '2026-11-01',
      due_on: '2026-11-30',
      lines: [
        { description: 'Copies', net: 1_000, vat_code: 'standard', vat: 201, money: 'office' },
        { description: 'Land Registry fee', net: 700, vat_code: 'outside_scope', money: 'client' },
      ],
      document: 'D1',
      status: 'issued',
    },
  ],
  history: [entry],
};
const lists = Object.keys(feedRecords) as FeedList[];
const sentOf = (list: FeedList) => everyField[list] as readonly { reference: string }[];

/** Reads every record in the form in which the feed sends it. */
const stored = async () => {
  const found: Record<string, Record<string, object>> = {};
  for (const list of lists) {
    const references = sentOf(list).map(({ reference }) => reference);
    const records = await readRecords(desk.testDatabase.database, list, references);
    found[list] = Object.fromEntries([...records].map(([reference, { record }]) => [reference, record]));
  }
  return found;
};

/** Converts stored records to a feed. The file and the password are not part of what is read. */
const asFeed = (records: Awaited<ReturnType<typeof stored>>) => ({
  ...everyField,
  ...Object.fromEntries(
    lists.map((list) => [list, sentOf(list).map(({ reference }) => records[list]?.[reference])]),
  ),
});

describe('every field of every record', () => {
  test.each(lists)('the records of %s in this test have every field of the contract', (list) => {
    const used = new Set(sentOf(list).flatMap((record) => Object.keys(record)));
    expect([...used].sort()).toEqual(Object.keys(feedRecords[list].properties).sort());
  });

  test('every field of a milestone is set', () => {
    const used = new Set(everyField.matters[0]?.milestones.flatMap((milestone) => Object.keys(milestone)));
    expect([...used].sort()).toEqual(
      Object.keys(feedRecords.matters.properties.milestones.items.properties).sort(),
    );
  });

  test('every field that was sent is read back, and sending it back changes nothing', async () => {
    expect((await desk.importing(everyField)).rejected).toEqual([]);
    const records = await stored();
    for (const list of lists) {
      for (const sent of sentOf(list)) {
        const { password: _password, gross: _gross, ...fields } = sent as Record<string, unknown>;
        const isOff = (value: unknown) => value === false;
        const expected = Object.keys(fields).filter((field) => !isOff(fields[field]));
        expect(Object.keys(records[list]?.[sent.reference] ?? {}).sort(), sent.reference).toEqual(
          expected.sort(),
        );
      }
    }
    expect(await desk.importing(asFeed(records))).toMatchObject({ created: 0, updated: 0, rejected: [] });
    expect(await stored()).toEqual(records);
  });

  test('an edit of one field at the desk, its undo and a changed path keep all other fields', async () => {
    await desk.importing(everyField);
    const before = await stored();
    const handler = await desk.signIn('handler');
    const found = await desk.readCase(handler);
    const [shown] = found.matters;
    if (!shown) throw new Error('the case has no matter');
    const current = async () => (await desk.readCase(handler)).matters[0] ?? shown;

    const dates = await handler.call('PUT', `/matters/${shown.id}/dates`, {
      version: shown.version,
      changes: { target_completion_on: '2026-12-21' },
    });
    expect(await stored()).toEqual({
      ...before,
      matters: { M1: { ...before.matters?.M1, target_completion_on: '2026-12-21' } },
    });
    await handler.call('PUT', `/matters/${shown.id}/dates`, dates.data.undo);
    expect(await stored()).toEqual(before);

    const features = await handler.call('PUT', `/matters/${shown.id}/features`, {
      version: (await current()).version,
      changes: { features: ['new_build'] },
    });
    expect(features.status).toBe(200);
    await handler.call('PUT', `/matters/${shown.id}/features`, features.data.undo);
    expect(await stored()).toEqual(before);

    const step = (await current()).milestones.find(({ key }) => key === 'identity_checked');
    const reached = await handler.call('PUT', `/milestones/${step?.id}`, {
      version: step?.version,
      changes: { status: 'done', reached_on: '2026-11-20' },
    });
    expect(reached.status).toBe(200);
    await handler.call('PUT', `/milestones/${step?.id}`, reached.data.undo);
    expect(await stored()).toEqual(before);

    const status = await handler.call('PUT', `/cases/${found.id}/status`, {
      matters: [{ id: shown.id, version: (await current()).version, status: 'on_hold' }],
      update: null,
    });
    expect(status.status).toBe(200);
    await handler.call('PUT', `/cases/${found.id}/status`, status.data.undo);
    expect(await stored()).toEqual(before);

    const searched = await handler.call('PUT', `/searches/${found.searches[0]?.id}`, {
      version: found.searches[0]?.version,
      changes: { supplier: 'Another supplier' },
    });
    expect(searched.status).toBe(200);
    await handler.call('PUT', `/searches/${found.searches[0]?.id}`, searched.data.undo);
    expect(await stored()).toEqual(before);

    const cancelled = await handler.call('PUT', `/cases/${found.id}/cancellation`, {
      version: (await desk.readCase(handler)).version,
      changes: { cancellation: 'none' },
    });
    expect(cancelled.status).toBe(200);
    await handler.call('PUT', `/cases/${found.id}/cancellation`, cancelled.data.undo);
    expect(await stored()).toEqual(before);

    await publishPath();
    expect(await stored()).toEqual(before);
    expect(await desk.importing(everyField)).toMatchObject({ created: 0, updated: 0, rejected: [] });
  });
});

/** Gives running matters a path with another last step. */
async function publishPath(): Promise<void> {
  const admin = await desk.signIn('admin', 'Dana Price');
  const address = '/milestone-paths/purchase';
  const { data } = await admin.call('GET', address);
  const path = data.value as MilestonePath;
  const value: MilestonePath = {
    ...path,
    steps: path.steps.map((step, index) =>
      index === path.steps.length - 1 ? { ...step, explanation: 'Another explanation.' } : step,
    ),
  };
  const saved = await admin.call('PUT', address, { version: data.version, value });
  const applied = await admin.call('POST', `${address}/matters`, { version: saved.data.version });
  expect(applied.data).toEqual({ changed: 1, left: 0 });
}
