import type { MatterFeature, MilestoneStatus } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

type Sent = { key: string; status: MilestoneStatus; reached_on?: string }[];
const [fixture] = deskFeed.matters;
if (!fixture) throw new Error('the feed has no matter');

/** Sends the matter as the firm’s system does, without the field if it has no features to send. */
const send = (features?: MatterFeature[], milestones: Sent = fixture.milestones as Sent) =>
  desk.importing({ ...deskFeed, matters: [{ ...fixture, ...(features ? { features } : {}), milestones }] });

const keys = async (): Promise<string[]> =>
  (await desk.rows('select key from milestones order by position')).map(({ key }) => key);

/** The steps that the shipped path has for a feature. */
const stepsFor = async (feature: string): Promise<string[]> =>
  (
    await desk.rows(`select step ->> 'key' as key
      from jsonb_array_elements(firm_data_value('milestone_path/purchase') -> 'steps') step
      where step -> 'features' ? '${feature}'`)
  ).map(({ key }) => key);

test('a matter of a feed without features has only the steps that every matter has', async () => {
  const all = await desk.rows(`select step ->> 'key' as key
    from jsonb_array_elements(firm_data_value('milestone_path/purchase') -> 'steps') step
    where not step ? 'features'`);
  expect((await keys()).toSorted()).toEqual(all.map(({ key }) => key).toSorted());
  expect(await stepsFor('leasehold')).toEqual([
    'leasehold_information',
    'deed_of_covenant',
    'lease_notices',
    'compliance_certificate',
  ]);
});

test('a feed gives a matter the steps for its features, keeps them when it does not send any, and takes them away with an empty list', async () => {
  const before = await keys();
  await send(['higher_building', 'leasehold']);
  const steps = [...(await stepsFor('leasehold')), ...(await stepsFor('higher_building'))];
  expect((await keys()).toSorted()).toEqual([...before, ...steps].toSorted());
  const started: Sent = [{ key: 'instructed', status: 'done', reached_on: '2026-11-02' }];
  await send(undefined, started);
  expect(await keys()).toHaveLength(before.length + steps.length);
  expect(await desk.rows('select features from matters')).toEqual([
    { features: ['leasehold', 'higher_building'] },
  ]);
  await send([], started);
  expect(await keys()).toEqual(before);
});

test('a change of the features at the desk keeps the steps that are started or done, is audited, and can be undone', async () => {
  const before = await keys();
  const handler = await desk.signIn();
  const read = async () => {
    const [matter] = (await desk.readCase(handler)).matters;
    if (!matter) throw new Error('the case has no matter');
    return matter;
  };
  const change = async (features: MatterFeature[]) => {
    const { id, version } = await read();
    return handler.call('PUT', `/matters/${id}/features`, { version, changes: { features } });
  };
  expect((await change(['leasehold', 'auction'])).data.matter.features).toEqual(['leasehold', 'auction']);
  for (const [key, changes] of [
    ['lease_notices', { status: 'current' }],
    ['deed_of_covenant', { status: 'done', reached_on: '2026-11-20' }],
    ['compliance_certificate', { expected_from: '2026-12-20' }],
  ] as const) {
    const step = (await read()).milestones.find((milestone) => milestone.key === key);
    const { status } = await handler.call('PUT', `/milestones/${step?.id}`, {
      version: step?.version,
      changes,
    });
    expect(status).toBe(200);
  }
  const answer = await change([]);
  const kept = ['deed_of_covenant', 'lease_notices', 'compliance_certificate'];
  expect((await keys()).toSorted()).toEqual([...before, ...kept].toSorted());
  expect((await read()).milestones.find(({ key }) => key === 'deed_of_covenant')?.status).toBe('done');
  expect(
    await desk.rows(`select before, after from audit_entries join audit_links on entry_id = id
      where action = 'desk.record_changed' and before ->> 'features.auction' = 'true'`),
  ).toEqual([
    {
      before: { 'features.leasehold': true, 'features.auction': true },
      after: { 'features.leasehold': null, 'features.auction': null },
    },
  ]);
  const { id } = await read();
  expect((await handler.call('PUT', `/matters/${id}/features`, answer.data.undo)).status).toBe(200);
  expect(await keys()).toEqual(expect.arrayContaining(['auction_pack', 'leasehold_information', ...kept]));
});

test('a quiet step stays quiet when its feature is removed and added again', async () => {
  const handler = await desk.signIn();
  const change = async (features: MatterFeature[]) => {
    const [matter] = (await desk.readCase(handler)).matters;
    const body = { version: matter?.version, changes: { features } };
    expect((await handler.call('PUT', `/matters/${matter?.id}/features`, body)).status).toBe(200);
  };
  await change(['leasehold']);
  await desk.rows(
    `insert into quiet_steps select r.case_id, m.id from milestones m join matters r on r.id = m.matter_id
     where m.key = 'lease_notices'`,
  );
  await change([]);
  await change(['leasehold']);
  expect(
    await desk.rows('select m.key from quiet_steps q join milestones m on m.id = q.milestone_id'),
  ).toEqual([{ key: 'lease_notices' }]);
});

test('applying a path adds no step for a feature that a matter does not have', async () => {
  await send(undefined, [{ key: 'exchanged', status: 'done', reached_on: '2026-11-20' }]);
  const before = await keys();
  const admin = await desk.signIn('admin');
  const { data } = await admin.call('GET', '/milestone-paths/purchase');
  const value = { ...data.value, figures_of: '2026-11-02' };
  const saved = await admin.call('PUT', '/milestone-paths/purchase', { version: data.version, value });
  const applied = await admin.call('POST', '/milestone-paths/purchase/matters', {
    version: saved.data.version,
  });
  expect(applied.data).toEqual({ changed: 1, left: 0 });
  expect(await keys()).toEqual(before);
});
