import type { MilestonePath } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();
const address = '/milestone-paths/purchase';

const changePath = async (admin: DeskMember, change: (path: MilestonePath) => MilestonePath) => {
  const { data } = await admin.call('GET', address);
  const saved = await admin.call('PUT', address, { version: data.version, value: change(data.value) });
  expect(saved.status).toBe(200);
  return saved.data.version as number;
};
const preview = async (admin: DeskMember) => (await admin.call('GET', `${address}/matters`)).data;
const apply = (admin: DeskMember, version: number) => admin.call('POST', `${address}/matters`, { version });
const milestones = () => desk.rows('select * from milestones order by stage_position, position');

const newStep = (key: string, stage: number) => ({
  key,
  title: 'A call with you',
  explanation: 'We talk about your case.',
  actor: 'us' as const,
  usual_working_days: null,
  stage,
  usual_weeks: null,
});

/** A path with a new first step, a new step in the last stage, a removed step and a renamed one. */
const reworked = (path: MilestonePath): MilestonePath => ({
  ...path,
  steps: [
    newStep('welcome_call', 0),
    ...path.steps
      .filter(({ key }) => key !== 'deposit_received')
      .map((step) => (step.key === 'report_sent' ? { ...step, title: 'What we found' } : step)),
    newStep('feedback_call', path.stages.length - 1),
  ],
});

describe('a changed path for running matters', () => {
  test('a changed path is previewed, and applied without changing the state of milestones', async () => {
    const admin = await desk.signIn('admin');
    const before = await milestones();
    const version = await changePath(admin, reworked);
    expect(await milestones()).toEqual(before);
    expect(await preview(admin)).toEqual({
      version,
      changing: 1,
      keeping: 0,
      used: [],
      added: [
        { key: 'welcome_call', title: 'A call with you', matters: 1, passed: 1 },
        { key: 'feedback_call', title: 'A call with you', matters: 1, passed: 0 },
      ],
      removed: [{ key: 'deposit_received', title: 'Deposit', matters: 1 }],
      changed: [{ key: 'report_sent', title: 'What we found', matters: 1 }],
    });
    await desk.rows('delete from broadcast_events');
    expect((await apply(admin, version)).data).toEqual({ changed: 1, left: 0 });
    const after = await milestones();
    const find = (key: string) => after.find((milestone) => milestone.key === key);
    const changedMeanwhile = { updated_at: expect.any(Date), position: expect.any(Number) };
    for (const key of ['instructed', 'identity_checked'])
      expect(find(key)).toEqual({
        ...before.find((milestone) => milestone.key === key),
        ...changedMeanwhile,
      });
    expect(after.map(({ key }) => key)).not.toContain('deposit_received');
    expect([find('welcome_call'), find('feedback_call')]).toMatchObject([
      { status: 'not_needed', position: 0 },
      { status: 'upcoming', stage_title: before.at(-1).stage_title },
    ]);
    expect(find('report_sent').title).toBe('What we found');
    expect(await desk.rows("select from broadcast_events where channel like 'private-case.%'")).not.toEqual(
      [],
    );
    expect(await preview(admin)).toMatchObject({ changing: 0, keeping: 0, added: [] });
    expect((await apply(admin, version)).data).toEqual({ changed: 0, left: 0 });
  });

  test('applying a path is audited with the member, and the next import of the same feed changes nothing', async () => {
    const admin = await desk.signIn('admin');
    const version = await changePath(admin, reworked);
    await apply(admin, version);
    const audited = await desk.rows(
      `select action, subject_id, actor_id, address, before, after from audit_entries
       join audit_links on entry_id = id where action in ('desk.record_changed', 'firm.milestone_path_applied')
       order by position`,
    );
    expect(audited).toEqual([
      {
        action: 'desk.record_changed',
        subject_id: 'M1',
        actor_id: admin.id,
        address: '203.0.113.7',
        before: {
          path_version: version - 1,
          'milestones.welcome_call.key': null,
          'milestones.welcome_call.status': null,
        },
        after: {
          path_version: version,
          'milestones.welcome_call.key': 'welcome_call',
          'milestones.welcome_call.status': 'not_needed',
        },
      },
      {
        action: 'firm.milestone_path_applied',
        subject_id: 'milestone_path/purchase',
        actor_id: admin.id,
        address: '203.0.113.7',
        before: null,
        after: { version, matters: 1 },
      },
    ]);
    const after = await milestones();
    await desk.importing(deskFeed);
    expect(await milestones()).toEqual(after);
  });

  test('applies a path that differs only in its stages, which no record contains', async () => {
    const admin = await desk.signIn('admin');
    const version = await changePath(admin, ({ stages: [first, ...stages], steps, ...path }) => ({
      ...path,
      stages: [{ key_moment: false, ...first, title: 'The start' }, ...stages],
      steps,
    }));
    expect((await preview(admin)).changed).toEqual([
      { key: 'instructed', title: expect.any(String), matters: 1 },
    ]);
    await apply(admin, version);
    expect((await milestones())[0]).toMatchObject({ key: 'instructed', stage_title: 'The start' });
  });

  test('the day of the figures is that of the path that a matter has, and a new day is a change of the steps with usual times', async () => {
    const admin = await desk.signIn('admin');
    const days = () => desk.rows('select distinct figures_of::text from milestones');
    expect(await days()).toEqual([{ figures_of: '2026-11-01' }]);
    const version = await changePath(admin, (path) => ({ ...path, figures_of: '2026-10-05' }));
    expect((await preview(admin)).changed).toHaveLength((await milestones()).length);
    await apply(admin, version);
    expect(await days()).toEqual([{ figures_of: '2026-10-05' }]);
  });

  test('applying a path skips a matter that has used a step which is no longer in the path', async () => {
    const admin = await desk.signIn('admin');
    const before = await milestones();
    const version = await changePath(admin, ({ stages, steps, ...path }) => ({
      ...path,
      stages: stages.map((stage) => ({ ...stage, title: `${stage.title}!` })),
      steps: steps
        .filter(({ key }) => key !== 'identity_checked')
        .map((step, index) => (index === 1 ? { ...step, stage: 1 } : step)),
    }));
    expect(await preview(admin)).toMatchObject({
      changing: 0,
      keeping: 1,
      used: [{ key: 'identity_checked', title: 'Identity and address check', matters: 1 }],
      changed: [],
    });
    expect((await apply(admin, version)).data).toEqual({ changed: 0, left: 0 });
    expect(await milestones()).toEqual(before);
  });

  test.each(['completed', 'abandoned'])('applying a path skips a matter that is %s', async (status) => {
    const admin = await desk.signIn('admin');
    await desk.rows('update matters set status = $1', [status]);
    const version = await changePath(admin, reworked);
    expect(await preview(admin)).toMatchObject({ changing: 0, keeping: 0 });
    expect((await apply(admin, version)).data.changed).toBe(0);
  });

  test('applies only the previewed version of a path, and only to matters that differ', async () => {
    const admin = await desk.signIn('admin');
    const version = await changePath(admin, reworked);
    expect(await apply(admin, version - 1)).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    const { data: first } = await admin.call('GET', address);
    const original = (
      await desk.rows("select value from firm_data where kind = 'milestone_path/purchase' and version = $1", [
        version - 1,
      ])
    )[0];
    await admin.call('PUT', address, { version: first.version, value: original.value });
    expect(await preview(admin)).toMatchObject({ version: version + 1, changing: 0, keeping: 0 });
  });

  test('applying a path needs a recent confirmation of the admin’s identity', async () => {
    const admin = await desk.signIn('admin');
    const version = await changePath(admin, reworked);
    desk.clock.advance(6 * 60_000);
    expect(await apply(admin, version)).toMatchObject({ status: 403, code: 'identity_not_confirmed' });
  });
});
