import { randomUUID } from 'node:crypto';
import type { DeskMilestone } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import { type DeskMember, deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';

const desk = withDeskCase();

/** Prepares an update about the step that is under way, with a promise. */
async function prepare(browser: DeskMember) {
  const found = await desk.readCase(browser);
  const milestone = found.matters[0]?.milestones.find(
    ({ key }) => key === 'identity_checked',
  ) as DeskMilestone;
  const promise = { milestone_id: milestone.id, version: milestone.version, next_update_by: '2026-11-30' };
  const update = {
    id: randomUUID(),
    text: 'Your identity check is done.\nNext: your money.',
    promises: [promise],
  };
  const send = (change: object = {}) =>
    browser.call('POST', `/cases/${found.id}/updates`, { ...update, ...change });
  return { caseId: found.id, milestone, promise, update, send };
}
const stored = async () => ({
  updates: await desk.rows(
    "select summary, actor, category from history_entries where reference like 'desk-%'",
  ),
  promise: (
    await desk.rows("select next_update_by::text as day from milestones where key = 'identity_checked'")
  )[0].day,
});
const unchanged = { updates: [], promise: '2026-11-20' };

describe('sending an update', () => {
  test('an update adds an entry, makes the new promise, and notifies the clients', async () => {
    const browser = await desk.signIn();
    const { send, update, caseId } = await prepare(browser);
    await desk.rows('delete from broadcast_events');
    const sent = await send();
    expect(sent).toMatchObject({
      status: 200,
      data: {
        entry: {
          category: 'message',
          actor: 'Rhian Morgan',
          summary: update.text,
          occurred_at: '2026-11-23T09:00:00.000Z',
        },
      },
    });
    expect(await stored()).toMatchObject({ updates: [{ summary: update.text }], promise: '2026-11-30' });
    const events = await desk.rows('select event from broadcast_events where channel = $1', [
      `private-case.${caseId}`,
    ]);
    expect(events).toEqual(expect.arrayContaining([{ event: 'HistoryRecorded' }, { event: 'CaseUpdated' }]));
    const entries = await desk.rows(
      "select subject_kind, action, actor_id from audit_entries where action like 'desk.%' order by subject_kind",
    );
    expect(entries).toEqual([
      { subject_kind: 'history_entry', action: 'desk.record_added', actor_id: browser.id },
      { subject_kind: 'matter', action: 'desk.record_changed', actor_id: browser.id },
    ]);
  });

  test('sends one update for a request that arrives twice, concurrently or later', async () => {
    const { send } = await prepare(await desk.signIn());
    const answers = [...(await Promise.all([send(), send()])), await send()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ data }) => data.entry.id)).size).toBe(1);
    expect((await stored()).updates).toHaveLength(1);
    const other = await send({ text: 'Another text' });
    expect(other).toMatchObject({
      status: 422,
      body: { errors: { id: [expect.stringContaining('new id')] } },
    });
  });

  test('sends no update if a promise was changed meanwhile', async () => {
    const [first, second] = [await desk.signIn(), await desk.signIn()];
    const { send, milestone } = await prepare(second);
    const changes = { next_update_by: '2026-11-27' };
    await first.call('PUT', `/milestones/${milestone.id}`, { version: milestone.version, changes });
    expect(await send()).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    expect(await stored()).toEqual({ updates: [], promise: '2026-11-27' });
  });

  test('an update that fails halfway stores neither the promise nor the entry', async () => {
    const { send } = await prepare(await desk.signIn());
    await desk.rows(`create function fail() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
    await desk.rows(
      'create trigger fail before insert on history_entries for each row execute function fail()',
    );
    expect((await send()).status).toBe(500);
    expect(await stored()).toEqual(unchanged);
    expect(await desk.rows("select from audit_entries where action like 'desk.%'")).toEqual([]);
    await desk.rows('drop trigger fail on history_entries');
    expect((await send()).status).toBe(200);
  });

  test('an update can fulfil a promise without making another', async () => {
    const { send, promise } = await prepare(await desk.signIn());
    await send({ promises: [{ ...promise, next_update_by: null }] });
    expect(await stored()).toMatchObject({ updates: [{}], promise: null });
  });

  test('rejects a promise in the past, for a finished step, or for another case', async () => {
    const browser = await desk.signIn();
    const { send, promise, caseId } = await prepare(browser);
    expect(await send({ promises: [{ ...promise, next_update_by: '2026-11-22' }] })).toMatchObject({
      status: 422,
    });
    const found = (await browser.call('GET', `/cases/${caseId}`)).data;
    const done = found.matters[0].milestones.find(({ key }: DeskMilestone) => key === 'instructed');
    const over = { milestone_id: done.id, version: done.version, next_update_by: '2026-11-30' };
    expect(await send({ promises: [over] })).toMatchObject({ status: 409, code: 'edit_not_possible' });
    const [conveyancingCase] = deskFeed.cases;
    await desk.importing({ ...deskFeed, cases: [{ ...conveyancingCase, reference: 'K2' }] });
    const [{ id: otherCase }] = await desk.rows("select id from conveyancing_cases where reference = 'K2'");
    const update = { id: randomUUID(), text: 'Hello', promises: [promise] };
    expect(await browser.call('POST', `/cases/${otherCase}/updates`, update)).toMatchObject({
      status: 409,
      code: 'edit_not_possible',
    });
    expect(await stored()).toEqual(unchanged);
  });

  test('rejects updates with bank details, card numbers, only spaces or too much text', async () => {
    const { send } = await prepare(await desk.signIn());
    for (const text of [
      'Our sort code is 20-00-00 and the account is 12345678.',
      'You paid with 4242 4242 4242 4242.',
      '   ',
      'a'.repeat(2_001),
    ])
      expect(await send({ text }), text).toMatchObject({ status: 422, code: 'invalid_input' });
    expect(await stored()).toEqual(unchanged);
  });

  test('accepts updates of 2,000 characters, as in a feed', async () => {
    const { send } = await prepare(await desk.signIn());
    const text = 'a'.repeat(2_000);
    expect((await send({ text })).data.entry.summary).toBe(text);
    const [entry] = deskFeed.history;
    expect(await desk.importing({ ...deskFeed, history: [{ ...entry, summary: text }] })).toMatchObject({
      rejected: [],
    });
  });
});
