import { expect, test } from 'vitest';
import { withDeskCase } from '../../testing/serve-desk-case.ts';
import { readMilestones } from '../milestones/read-milestones.ts';
import { readRecords } from '../records/read-records.ts';

const desk = withDeskCase();

/** What the first client reads on a day, by the key of each step. */
async function shownOn(today: string) {
  const [{ client_id: clientId, case_id: caseId }] = await desk.rows(
    'select client_id, case_id from case_clients',
  );
  const read = readMilestones({ today });
  const shown = await read.forCase(desk.testDatabase.database, { clientId, caseId });
  return shown as unknown as { key: string; id: string; next_update_by: string | null }[];
}
const promiseOn = async (today: string) =>
  (await shownOn(today)).find(({ key }) => key === 'identity_checked')?.next_update_by;

test.each(['step', 'case'] as const)(
  'a promise of a quiet %s is shown to its day and not after it, and clients see nothing else change',
  async (scope) => {
    const browser = await desk.signIn('finance');
    const before = await shownOn('2026-11-20');
    const { id, matters } = await desk.readCase(browser);
    const step = matters[0]?.milestones.find(({ key }) => key === 'identity_checked');
    const quiet = (is_quiet: boolean) =>
      browser.call('PUT', `/cases/${id}/quiet`, {
        milestone_id: scope === 'step' ? step?.id : null,
        is_quiet,
      });
    await desk.rows('delete from broadcast_events');
    for (let repeated = 0; repeated < 2; repeated += 1) expect((await quiet(true)).status).toBe(204);
    expect(await shownOn('2026-11-20')).toEqual(before);
    expect(await promiseOn('2026-11-21')).toBeNull();
    const read = await desk.readCase(browser);
    expect(read.is_quiet).toBe(scope === 'case');
    expect(read.matters[0]?.milestones.find(({ key }) => key === 'identity_checked')).toMatchObject({
      is_quiet: true,
      next_update_by: '2026-11-20',
    });
    const { record } = (await readRecords(desk.testDatabase.database, 'matters', ['M1'])).get('M1') ?? {};
    expect(JSON.stringify(record)).not.toContain('quiet');
    expect(await desk.rows('select event from broadcast_events')).toEqual([]);
    expect((await quiet(false)).status).toBe(204);
    expect(await promiseOn('2026-11-21')).toBe('2026-11-20');
  },
);

test('the audit log says that a case is quiet, not which step or why', async () => {
  const browser = await desk.signIn();
  const { id, matters } = await desk.readCase(browser);
  const [step] = matters[0]?.milestones ?? [];
  await browser.call('PUT', `/cases/${id}/quiet`, { milestone_id: step?.id, is_quiet: true });
  await browser.call('PUT', `/cases/${id}/quiet`, { milestone_id: step?.id, is_quiet: false });
  expect(
    await desk.rows(
      `select action, subject_kind, subject_id, actor_id, before, after from audit_entries
        join audit_links on entry_id = id where action like 'case.quiet%' order by position`,
    ),
  ).toEqual(
    ['case.quiet_on', 'case.quiet_off'].map((action) => ({
      action,
      subject_kind: 'case',
      subject_id: 'K1',
      actor_id: browser.id,
      before: null,
      after: null,
    })),
  );
});

test('finds no step of another case', async () => {
  const browser = await desk.signIn();
  const { id } = await desk.readCase(browser);
  for (const milestone_id of ['6f1c7e0a-2d53-4e9b-9a53-0d8e2f6b7c11', 'exchanged'])
    expect(await browser.call('PUT', `/cases/${id}/quiet`, { milestone_id, is_quiet: true })).toMatchObject({
      status: 404,
    });
});

test.each(['step', 'case'])(
  'in a quiet %s, staff set only waiting texts that ordinary steps use too',
  async (scope) => {
    const browser = await desk.signIn();
    const { id, matters } = await desk.readCase(browser);
    const step = matters[0]?.milestones.find(({ key }) => key === 'identity_checked');
    const set = async (waiting_for: string | null) => {
      const { milestones = [] } = (await desk.readCase(browser)).matters[0] ?? {};
      const { version } = milestones.find((each) => each.id === step?.id) ?? {};
      return browser.call('PUT', `/milestones/${step?.id}`, { version, changes: { waiting_for } });
    };
    expect((await set('The seller, who is away')).status).toBe(200);
    const milestone_id = scope === 'step' ? step?.id : null;
    await browser.call('PUT', `/cases/${id}/quiet`, { milestone_id, is_quiet: true });
    expect((await set('The seller, who is away')).status).toBe(200);
    const refused = await set('Checks that we may not name');
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused)).toContain('one of the firm’s waiting texts');
    expect((await set('Everyone in the chain')).status).toBe(200);
    expect((await set('The seller, who is away')).status).toBe(422);
    expect((await set(null)).status).toBe(200);
    await browser.call('PUT', `/cases/${id}/quiet`, { milestone_id, is_quiet: false });
    expect((await set('The seller, who is away')).status).toBe(200);
  },
);
